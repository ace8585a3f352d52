// Package explain explains a number that a release serves by its parts: the places that count, their network distances
// and weights, the formula with its numbers, the constants with their sources, and the rows of the sources. Input: a
// release folder and a point. Output: a Report. It searches the streets of access.sqlite by itself and evaluates the
// formulas of internal/rating with a trace, so that it also checks what is served.
package explain

import "quartier/schemas"

// Report explains the values at a point.
type Report struct {
	Release     Release       `json:"release"`
	Point       Point         `json:"point"` // requested
	Street      Street        `json:"street"`
	Walking     []Constant    `json:"walking"` // the constants of W, the distance decay
	Values      []Explanation `json:"values"`
	Notes       []string      `json:"notes"`   // of the manifest on the region
	Sources     []Source      `json:"sources"` // of the streets and places named
	Calibration string        `json:"calibration"`
}

// Release is the release that was read.
type Release struct {
	Name   string `json:"name"`
	AsOf   string `json:"as_of"`
	Digest string `json:"digest"`
}

// Point is a place in degrees.
type Point struct {
	Lng float64 `json:"lng"`
	Lat float64 `json:"lat"`
}

// Street is the edge of the walking network that the point is snapped to; values between its two nodes are served.
type Street struct {
	Name      string  `json:"name,omitempty"` // absent: nameless
	Class     string  `json:"class"`
	Region    string  `json:"region"`
	SourceID  string  `json:"source_id"`
	SourceKey string  `json:"source_key"`
	Edge      int64   `json:"edge"` // fid of street_edge
	Nodes     [2]Node `json:"nodes"`
	LengthM   float64 `json:"length_m"` // between the nodes
	At        Point   `json:"at"`       // the snapped point
	LegM      float64 `json:"leg_m"`    // access leg from the requested point; not part of what is served
	Remark    string  `json:"remark,omitempty"`
}

// Node is an end of the edge.
type Node struct {
	FID   int64   `json:"fid"` // of street_node
	M     float64 `json:"m"`   // from the snapped point
	Share float64 `json:"share"`
}

// Explanation explains one value.
type Explanation struct {
	Name   string        `json:"name"`
	Label  *schemas.Text `json:"label,omitempty"` // of a score, or of a measure that scores are made of
	Served *Served       `json:"served"`          // null: absent
	Nodes  [2]*float64   `json:"nodes"`           // the values between which Served is interpolated
	Absent string        `json:"absent,omitempty"`

	Unknown []Unknown `json:"unknown,omitempty"` // parts that an absent value lacks; none where it is absent for the edge of the data

	Recomputed    *Recomputed `json:"recomputed,omitempty"`     // null: see NotRecomputed
	NotRecomputed string      `json:"not_recomputed,omitempty"` // why it cannot be recomputed

	Formula   string     `json:"formula"`
	Worked    string     `json:"worked,omitempty"` // the formula with the numbers at the point
	Steps     []Step     `json:"steps"`            // both, step by step: the value first, then what it is made of
	Constants []Constant `json:"constants,omitempty"`

	Parts   []Part        `json:"parts,omitempty"`   // of a composite score
	Places  []Place       `json:"places,omitempty"`  // that count
	Lines   []Line        `json:"lines,omitempty"`   // of public transport
	Streets []NearStreet  `json:"streets,omitempty"` // that are audible
	Remarks []string      `json:"remarks,omitempty"`
	Under   []Explanation `json:"under,omitempty"` // of the measures that it is made of
}

// Step is a formula of its own, such as "errands = S/Σ weights".
type Step struct {
	Formula string `json:"formula"`
	// with numbers: "errands = 12.7691/15.0000 = 0.8513"; absent if it has no symbols or the value is absent
	Worked string   `json:"worked,omitempty"`
	Value  *float64 `json:"value"` // null: no data, or an infinite distance
}

// Served is a value as the API serves it.
type Served struct {
	Value   float64       `json:"value"`             // four decimals
	Rounded *float64      `json:"rounded,omitempty"` // of a score, to .5
	Text    *schemas.Text `json:"text,omitempty"`    // for Rounded
}

// Recomputed is a value computed again from the tables of the release.
type Recomputed struct {
	Street float64 `json:"street"` // from the snapped point, as values are served
	Door   float64 `json:"door"`   // with the access leg from the requested point
}

// Constant is a number of the calibration that a value depends on.
type Constant struct {
	Symbol string `json:"symbol"` // in the formula
	Value  string `json:"value"`
	Path   string `json:"path"`             // in calibration.yaml
	Mark   string `json:"mark"`             // V verified in the source, C computed, R recalled, A our own choice
	Reason string `json:"reason,omitempty"` // the comment in calibration.yaml
}

// Part is a part of a composite value.
type Part struct {
	Name   string   `json:"name"`
	Value  *float64 `json:"value"` // null: no data
	Of     string   `json:"of"`    // how Value is computed
	Weight float64  `json:"weight,omitempty"`
	Part   *float64 `json:"part,omitempty"` // what it adds to the mean that it is a part of
}

// Place is a place and its part of a sum.
type Place struct {
	For      string  `json:"for,omitempty"` // the errand or band that it counts for
	Rank     int     `json:"rank"`          // in For, from the nearest
	Name     string  `json:"name,omitempty"`
	Class    string  `json:"class"`
	At       *Point  `json:"at,omitempty"`       // absent after Hide
	Hectares float64 `json:"hectares,omitempty"` // of a park
	M        float64 `json:"m"`                  // network distance, access leg included; straight if Straight
	LegM     float64 `json:"leg_m"`              // the access leg, from its street to its entrance
	Minutes  float64 `json:"minutes"`
	Straight bool    `json:"straight,omitempty"`
	Bounded  bool    `json:"bounded,omitempty"` // no way on the known streets is so short: M is bounded by the straight line
	Decay    float64 `json:"decay"`             // W of the distance
	Weight   float64 `json:"weight"`
	Part     float64 `json:"part"` // of the sum: Weight times Decay
	SourceID string  `json:"source_id"`
	Key      string  `json:"source_key"`
	// Records are the other records of a merged school: "city 9 (name, 21 m), …" with their sources, keys and why they are one.
	Records string `json:"records,omitempty"`
	// Corrected says which corrections by an operator were applied to it.
	Corrected string `json:"corrected,omitempty"`
}

// Line is a line of public transport in one direction, at the stop at which it counts. Without a timetable it is both
// directions together.
type Line struct {
	Route      string  `json:"route"`
	Name       string  `json:"name"`
	Mode       string  `json:"mode"`
	Rapid      bool    `json:"rapid"`
	Direction  int     `json:"direction"`
	Headsign   string  `json:"headsign,omitempty"` // where it goes from the stop; without a timetable the ends of the line, "Depot – Harbour"
	Basis      string  `json:"basis"`              // schemas.ServiceBases: how its departures are known
	Kind       string  `json:"kind,omitempty"`     // schemas.LineKinds, by which they are assumed; absent: not known, or in a timetable
	Stop       string  `json:"stop"`
	At         *Point  `json:"at,omitempty"` // of the stop; absent after Hide
	M          float64 `json:"m"`            // network distance
	Minutes    float64 `json:"minutes"`
	TripsWeek  int     `json:"trips_week"`  // of the whole station
	ModeWeight float64 `json:"mode_weight"` // of a departure
	Decay      float64 `json:"decay"`       // W of the distance
	Part       float64 `json:"part"`
	SourceID   string  `json:"source_id"`
	StopKey    string  `json:"source_key"`
}

// NearStreet is a street or railway near the point.
type NearStreet struct {
	Name      string  `json:"name,omitempty"`
	Class     string  `json:"class"`
	M         float64 `json:"m"`                      // straight
	PerDay    float64 `json:"vehicles_day,omitempty"` // counted, or assumed for class and setting
	Count     string  `json:"count,omitempty"`        // source and key of the count; "": assumed
	KMH       float64 `json:"kmh,omitempty"`          // of its class; a speed limit of the source takes precedence
	SourceID  string  `json:"source_id,omitempty"`
	SourceKey string  `json:"source_key,omitempty"`
}

// Source is a file that the release was built from.
type Source struct {
	Region      string `json:"region"`
	ID          string `json:"id"`
	Path        string `json:"path"`
	AsOf        string `json:"as_of"`
	Licence     string `json:"licence"`
	Attribution string `json:"attribution"`
	SHA256      string `json:"sha256"`
}
