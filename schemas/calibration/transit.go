package calibration

// Transit is the constants of transit measures.
type Transit struct {
	Modes        map[string]float64 `yaml:"modes"` // weight of a departure, by schemas.TransitModes
	Kinds        map[string]Kind    `yaml:"kinds"` // by channel
	Rapid        Rapid              `yaml:"rapid"`
	WithoutTimes []StopKind         `yaml:"without_times"`
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
}

// StopKind is the departures of a stop of a kind that no timetable covers.
type StopKind struct {
	Class     string  `yaml:"class"` // of schemas.DestinationClasses
	Channel   string  `yaml:"channel"`
	Mode      string  `yaml:"mode"`
	TripsWeek float64 `yaml:"trips_week"`
	Places    int     `yaml:"places"` // nearest stops that count
	Lambda    float64 `yaml:"lambda"` // weight of a stop relative to the next nearer one
}
