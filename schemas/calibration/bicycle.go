package calibration

// Bicycle is the constants of cycling_friendly.
type Bicycle struct {
	Stress    Stress    `yaml:"stress"`
	Lanes     BikeLanes `yaml:"lanes"`
	LowStress LowStress `yaml:"calm"`
}

// Stress is the rules of the level of traffic stress (LTS), 1 to 4. Speeds are in whole km/h.
type Stress struct {
	Forbidden    []string           `yaml:"forbidden"`     // classes of street
	Residential  []string           `yaml:"residential"`   // classes of street where people live
	Lanes        int                `yaml:"lanes"`         // where unknown
	SpeedKMH     map[string]float64 `yaml:"speed_kmh"`     // by class, where unknown
	OtherKMH     float64            `yaml:"other_kmh"`     // of the other classes
	SlowKMH      float64            `yaml:"slow_kmh"`      // slow up to
	MediumKMH    float64            `yaml:"medium_kmh"`    // medium up to
	FastKMH      float64            `yaml:"fast_kmh"`      // fast up to; beyond medium only lanes make a difference
	LaneLanes    int                `yaml:"lane_lanes"`    // a cycle lane next to this number of lanes is 3
	FewLanes     int                `yaml:"few_lanes"`     // mixed traffic: few lanes up to
	SeveralLanes int                `yaml:"several_lanes"` // several up to, many beyond
}

// BikeLanes is the length of lanes and paths for bicycles.
type BikeLanes struct {
	RadiusM   float64            `yaml:"radius_m"`
	Paths     map[string]float64 `yaml:"paths"`     // weight of a way without cars, by its class
	Cycleways map[string]float64 `yaml:"cycleways"` // weight of lanes and tracks on streets, by staged.street's cycleway
	Quiet     map[string]float64 `yaml:"quiet"`     // weight of a quiet street, by its class
	Network   map[string]float64 `yaml:"network"`   // weight of a piece of a city's network, by schemas.BikewayClasses
	Corridor  Corridor           `yaml:"corridor"`
	Top       float64            `yaml:"top"`       // weighted metres that score 1
	Reference TrackGrid          `yaml:"reference"` // place from which Top is computed
}

// Corridor says when two lines are ways along the same street, which counts once.
type Corridor struct {
	NearM    float64 `yaml:"near_m"`    // greatest distance
	AngleDeg float64 `yaml:"angle_deg"` // greatest difference of their directions
}

// TrackGrid is a square grid of tracks.
type TrackGrid struct {
	SpacingM float64 `yaml:"apart_m"`
	Weight   float64 `yaml:"weight"`
}

// LowStress is how far one can cycle with low traffic stress.
type LowStress struct {
	RadiusM   float64  `yaml:"radius_m"`
	MaxStress int      `yaml:"most"`        // greatest level of low stress
	TouchM    float64  `yaml:"touch_m"`     // greatest distance to the low-stress street at which a trip starts
	Barrier   int      `yaml:"barrier"`     // streets from this level on are crossed at signals only
	SignalM   float64  `yaml:"signal_m"`    // signals this near belong to a crossing
	LeaveOut  []string `yaml:"leave_out"`   // classes of street without destinations
	CellM     float64  `yaml:"cell_m"`      // size of the cells in which lengths are added up
	MinM      float64  `yaml:"least_m"`     // minimum length of streets around, else no data
	MinKnown  float64  `yaml:"least_known"` // minimum share of them whose source has bicycle attributes
}
