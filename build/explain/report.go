// Package explain leads from a number that a release serves back to its parts: the places that counted, the ways there
// on foot and what they are worth, the constants with their sources, the rows of the sources. In goes a release folder
// and a point; out comes a Report. The values are worked out anew by a search of their own over the streets of
// access.sqlite, with the formulas of internal/rating, so that they also check what is served.
package explain

import "quartier/schemas"

// Report explains the values at a point.
type Report struct {
	Release     Release       `json:"release"`
	Point       Point         `json:"point"` // asked for
	Street      Street        `json:"street"`
	Walking     []Constant    `json:"walking"` // the constants of W, what a way on foot is worth
	Values      []Explanation `json:"values"`
	Notes       []string      `json:"notes"`   // of the manifest about the region
	Sources     []Source      `json:"sources"` // of the streets and places named
	Calibration string        `json:"calibration"`
}

// Release is what was read.
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

// Street is where the point meets the walking network: the stretch between two nodes whose values are served.
type Street struct {
	Name      string  `json:"name,omitempty"` // absent: nameless
	Class     string  `json:"class"`
	Region    string  `json:"region"`
	SourceID  string  `json:"source_id"`
	SourceKey string  `json:"source_key"`
	Edge      int64   `json:"edge"` // fid of street_edge
	Nodes     [2]Node `json:"nodes"`
	LengthM   float64 `json:"length_m"` // between the nodes
	At        Point   `json:"at"`       // where one comes to it
	LegM      float64 `json:"leg_m"`    // from the point asked for; it is no part of what is served
	Remark    string  `json:"remark,omitempty"`
}

// Node is an end of the stretch.
type Node struct {
	FID   int64   `json:"fid"` // of street_node
	M     float64 `json:"m"`   // from where one comes to the street
	Share float64 `json:"share"`
}

// Explanation tells how one value came about.
type Explanation struct {
	Name   string        `json:"name"`
	Label  *schemas.Text `json:"label,omitempty"` // of a score
	Served *Served       `json:"served"`          // null: absent
	Nodes  [2]*float64   `json:"nodes"`           // the values that Served lies between
	Absent string        `json:"absent,omitempty"`

	Anew    *Anew  `json:"anew,omitempty"`     // null: see NotAnew
	NotAnew string `json:"not_anew,omitempty"` // why it is not worked out anew

	Formula   string     `json:"formula"`
	Worked    string     `json:"worked,omitempty"` // the formula with the numbers from here
	Constants []Constant `json:"constants,omitempty"`

	Parts   []Part        `json:"parts,omitempty"`   // what a composed value is made of
	Places  []Place       `json:"places,omitempty"`  // those that counted
	Lines   []Line        `json:"lines,omitempty"`   // of public transport
	Streets []NearStreet  `json:"streets,omitempty"` // that are heard
	Remarks []string      `json:"remarks,omitempty"`
	Under   []Explanation `json:"under,omitempty"` // of parts, one level down
}

// Served is a value as the API tells it.
type Served struct {
	Value   float64       `json:"value"`             // four decimals
	Rounded *float64      `json:"rounded,omitempty"` // of a score, to .5
	Text    *schemas.Text `json:"text,omitempty"`    // that goes with Rounded
}

// Anew is a value worked out by a fresh search.
type Anew struct {
	Street float64 `json:"street"` // from where one comes to the street, as values are served
	Door   float64 `json:"door"`   // with the way from the point asked for to the street
}

// Constant is a number of the calibration that went into a value.
type Constant struct {
	Symbol string `json:"symbol"` // in the formula
	Value  string `json:"value"`
	Path   string `json:"path"`             // in calibration.yaml
	Mark   string `json:"mark"`             // V read, C computed, R recalled, A our own choice
	Reason string `json:"reason,omitempty"` // as calibration.yaml tells it
}

// Part is a part of a composed value.
type Part struct {
	Name   string   `json:"name"`
	Value  *float64 `json:"value"` // null: absent
	Of     string   `json:"of"`    // how Value comes about
	Weight float64  `json:"weight,omitempty"`
	Part   *float64 `json:"part,omitempty"` // of the sum that the formula begins with
}

// Place is a place and its part of a sum.
type Place struct {
	For      string  `json:"for,omitempty"` // the errand or band that it counts for
	Rank     int     `json:"rank"`          // in For, from the nearest
	Name     string  `json:"name,omitempty"`
	Class    string  `json:"class"`
	Hectares float64 `json:"hectares,omitempty"` // of a park
	M        float64 `json:"m"`                  // on foot from the street, the last leg included; straight where Straight
	LegM     float64 `json:"leg_m"`              // of these, from its street to its door
	Minutes  float64 `json:"minutes"`
	Straight bool    `json:"straight,omitempty"`
	Worth    float64 `json:"worth"`  // W of the way
	Weight   float64 `json:"weight"` //
	Part     float64 `json:"part"`   // of the sum
	SourceID string  `json:"source_id"`
	Key      string  `json:"source_key"`
}

// Line is a line of public transport in one direction, at the stop that it counts by.
type Line struct {
	Route     string  `json:"route"`
	Name      string  `json:"name"`
	Mode      string  `json:"mode"`
	Rapid     bool    `json:"rapid"`
	Direction int     `json:"direction"`
	Stop      string  `json:"stop"`
	M         float64 `json:"m"` // on foot
	Minutes   float64 `json:"minutes"`
	TripsWeek int     `json:"trips_week"` // of the whole station
	Factor    float64 `json:"factor"`     // of the mode
	Worth     float64 `json:"worth"`      // W of the way
	Part      float64 `json:"part"`
	SourceID  string  `json:"source_id"`
	StopKey   string  `json:"source_key"`
}

// NearStreet is a street or railway near the point.
type NearStreet struct {
	Name      string  `json:"name,omitempty"`
	Class     string  `json:"class"`
	M         float64 `json:"m"`                      // straight
	PerDay    float64 `json:"vehicles_day,omitempty"` // of its class; what drives there is not known
	KMH       float64 `json:"kmh,omitempty"`          // likewise
	SourceID  string  `json:"source_id,omitempty"`
	SourceKey string  `json:"source_key,omitempty"`
}

// Source is a file that the release was made from.
type Source struct {
	Region      string `json:"region"`
	ID          string `json:"id"`
	Path        string `json:"path"`
	AsOf        string `json:"as_of"`
	Licence     string `json:"licence"`
	Attribution string `json:"attribution"`
	SHA256      string `json:"sha256"`
}
