package calibration

// Terrain is the constants of steepness.
type Terrain struct {
	CellM    float64  `yaml:"cell_m"`      // finer elevations are averaged to cells of about this size
	Slope    Slope    `yaml:"slope"`       // of the land
	Street   Grade    `yaml:"street"`      // of streets
	Hill     Grade    `yaml:"hill"`        // the steepest one, for bicycles
	CapPct   float64  `yaml:"cap_pct"`     // steeper grades count as this
	MinKnown float64  `yaml:"least_known"` // minimum share of a disc, or of its streets, with elevations
	LeaveOut []string `yaml:"leave_out"`   // classes of street that do not count
}

// Slope is a mean slope in a disc.
type Slope struct {
	RadiusM float64 `yaml:"radius_m"`
	FullPct float64 `yaml:"full_pct"` // scores 5
}

// Grade is a grade of streets in a disc.
type Grade struct {
	RadiusM float64 `yaml:"radius_m"`
	BaseM   float64 `yaml:"base_m"`   // grades are computed over at least this length
	FullPct float64 `yaml:"full_pct"` // scores 5; 0: not scored
}
