package calibration

// Terrain is how steepness is told.
type Terrain struct {
	CellM    float64  `yaml:"cell_m"`      // finer heights are averaged to cells of about this size
	Slope    Slope    `yaml:"slope"`       // of the land
	Street   Grade    `yaml:"street"`      // of streets
	Hill     Grade    `yaml:"hill"`        // the steepest one, for bicycles
	CapPct   float64  `yaml:"cap_pct"`     // no street is steeper
	MinKnown float64  `yaml:"least_known"` // share of a disc, or of its streets, whose heights must be known
	LeaveOut []string `yaml:"leave_out"`   // classes of street that are no measure of steepness
}

// Slope is a mean slope in a disc.
type Slope struct {
	RadiusM float64 `yaml:"radius_m"`
	FullPct float64 `yaml:"full_pct"` // scores 5
}

// Grade is a grade of streets in a disc.
type Grade struct {
	RadiusM float64 `yaml:"radius_m"`
	BaseM   float64 `yaml:"base_m"`   // grades are told over stretches of at least this length
	FullPct float64 `yaml:"full_pct"` // scores 5; 0: not scored
}
