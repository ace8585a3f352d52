package calibration

// Bicycle is how well one can cycle.
type Bicycle struct {
	Stress    Stress    `yaml:"stress"`
	Lanes     BikeLanes `yaml:"lanes"`
	LowStress LowStress `yaml:"calm"`
}

// Stress is the rules of the level of traffic stress, 1 to 4. Speeds are in whole km/h.
type Stress struct {
	Forbidden    []string           `yaml:"forbidden"`     // classes of street
	Residential  []string           `yaml:"residential"`   // classes of street where people live
	Lanes        int                `yaml:"lanes"`         // where they are not known
	SpeedKMH     map[string]float64 `yaml:"speed_kmh"`     // by class, where it is not known
	OtherKMH     float64            `yaml:"other_kmh"`     // of the other classes
	SlowKMH      float64            `yaml:"slow_kmh"`      // up to here slow
	MediumKMH    float64            `yaml:"medium_kmh"`    // up to here medium
	FastKMH      float64            `yaml:"fast_kmh"`      // up to here fast; only lanes make a difference beyond medium
	LaneLanes    int                `yaml:"lane_lanes"`    // a lane beside so many is 3
	FewLanes     int                `yaml:"few_lanes"`     // mixed: up to so many are few
	SeveralLanes int                `yaml:"several_lanes"` // up to so many several, more are many
}

// BikeLanes is how much there is for bicycles alone.
type BikeLanes struct {
	RadiusM   float64            `yaml:"radius_m"`
	Paths     map[string]float64 `yaml:"paths"`     // weight of a way without cars, by its class
	Cycleways map[string]float64 `yaml:"cycleways"` // weight of what is beside cars, by staged.street's cycleway
	Quiet     map[string]float64 `yaml:"quiet"`     // weight of a street that is quiet enough, by its class
	Top       float64            `yaml:"top"`       // metres, weighted, that are as good as it gets
	Reference TrackGrid          `yaml:"reference"` // where Top comes from
}

// TracksApart is a grid of tracks.
type TrackGrid struct {
	SpacingM float64 `yaml:"apart_m"`
	Weight   float64 `yaml:"weight"`
}

// Calm is how far one gets without stress.
type LowStress struct {
	RadiusM   float64  `yaml:"radius_m"`
	MaxStress int      `yaml:"most"`       // level of stress that is little
	TouchM    float64  `yaml:"touch_m"`    // a calm way so near is where one starts
	Barrier   int      `yaml:"barrier"`    // streets from this level on are crossed at signals alone
	SignalM   float64  `yaml:"signal_m"`   // signals so near to a crossing are its own
	LeaveOut  []string `yaml:"leave_out"`  // classes of way that are no way to anywhere
	CellM     float64  `yaml:"cell_m"`     // lengths are added up in cells of so many metres
	MinM      float64  `yaml:"least_m"`    // of streets around, else there is no share
	MinKnown  float64  `yaml:"least_told"` // share of them whose source knows bicycles
}
