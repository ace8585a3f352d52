package calibration

// Transit is the constants of transit measures.
type Transit struct {
	Modes        map[string]float64 `yaml:"modes"` // weight of a departure, by schemas.TransitModes
	Kinds        map[string]Kind    `yaml:"kinds"` // by channel
	Rapid        Rapid              `yaml:"rapid"`
	WithoutTimes WithoutTimes       `yaml:"without_times"`
	PartialM     float64            `yaml:"partial_m"` // metres from a stop within which a partial list of lines gives a value
}

// Kind is a measure of transit and what a reference place has of it; the score is 5 ln(1+raw)/ln(1+Perfect).
type Kind struct {
	Reference []Line  `yaml:"reference"` // scores access.reference_score
	Perfect   float64 `yaml:"perfect"`   // weighted departures a week that score 5
}

// Line is some lines of the reference place.
type Line struct {
	Lines     int     `yaml:"lines"`
	Mode      string  `yaml:"mode"`
	TripsWeek float64 `yaml:"trips_week"` // of each line, both directions
	Metres    float64 `yaml:"metres"`
}

// Rapid is what counts as rapid transit.
type Rapid struct {
	Modes           []string `yaml:"modes"`              // always
	SpacedModes     []string `yaml:"spaced_modes"`       // where stops are at least SpacingM apart
	SpacingM        float64  `yaml:"spacing_m"`          //
	FrequentModes   []string `yaml:"frequent_modes"`     // where departures and spacing are at least these
	TripsWeek       int      `yaml:"trips_week"`         // of a direction, at its busiest stop
	FrequentSpacing float64  `yaml:"frequent_spacing_m"` //
	TracksM         float64  `yaml:"tracks_m"`           // of railways whose stops are mostly this near to tracks of light rail or a subway
}

// WithoutTimes is how lines and stops count that no timetable covers.
type WithoutTimes struct {
	TripsWeek map[string]int `yaml:"trips_week"`  // departures of a line by mode, both directions together
	Kinds     map[string]int `yaml:"kinds"`       // of a bus by the kind of its line (schemas.LineKinds), other than all day
	FewStops  int            `yaml:"few_stops"`   // a line of fewer, or one direction, runs as one for pupils if no source has its kind
	CapScore  float64        `yaml:"cap_score"`   // that lines of an unknown kind raise a score to at most
	ShapeM    float64        `yaml:"shape_m"`     // a stop this near to the course of a line is served by it
	ServedM   float64        `yaml:"served_m"`    // poles this near to each other are of one stop
	OnStreetM float64        `yaml:"on_street_m"` // a pole this near to a street is on it
	SameLineM float64        `yaml:"same_line_m"` // lines of one name and kind with stops this near are one line
	Unknown   []StopKind     `yaml:"unknown"`
}

// StopKind is what stops of a kind are made of whose lines are not known.
type StopKind struct {
	Class    string  `yaml:"class"` // of schemas.DestinationClasses
	Channel  string  `yaml:"channel"`
	Mode     string  `yaml:"mode"`
	ApartM   float64 `yaml:"apart_m"`   // stops within this distance of another are of its line
	ByStreet bool    `yaml:"by_street"` // if they are on the same street
	Lines    int     `yaml:"lines"`     // nearest lines that count, at most 16
}
