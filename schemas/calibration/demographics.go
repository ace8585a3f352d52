package calibration

// Demographics is the constants of areal interpolation of figures, and of their errors.
type Demographics struct {
	Tau               float64         `yaml:"tau"`                // allocation error of a part of an area: standard deviation τ · √(share · (1 − share)) times the share of the rest of the table
	Cut               float64         `yaml:"cut"`                // the same of a block that a shape cuts, by area: cut · √(share · (1 − share))
	RoundingSE        float64         `yaml:"rounding_se"`        // standard error of a count with random rounding to base 5
	LinearDollars     float64         `yaml:"linear_dollars"`     // bins up to this width are interpolated linearly, wider ones by a Pareto distribution
	MinHouseholds     float64         `yaml:"least_households"`   // no median and no mean of fewer households
	MinKnown          float64         `yaml:"least_known"`        // minimum share of the people of a place whose areas have a table, for the table to be reported
	MinKnownForCounts float64         `yaml:"mostly_known"`       // the same share from which counts are reported in addition to shares, medians and means
	MinCoverage       float64         `yaml:"least_ground"`       // minimum share of a geography's area within the hulls of the regions' small areas for sums over them to represent it
	MaxUnmatched      float64         `yaml:"most_unjoined"`      // greatest share of the people of a region whose areas have no table of a survey; more fails the region
	OddsFactor        float64         `yaml:"odds_factor"`        // the people of a small area by a table and by its blocks are a mismatch if one is this many times the other
	RoundingSlack     float64         `yaml:"rounding_slack"`     // parts of a table may exceed their total by this share, and by the rounding base 5 for each part
	JamDollars        float64         `yaml:"jam_dollars"`        // published median in the open top bin
	JamHomeValue      float64         `yaml:"jam_home_value"`     // published median home value in the open top bin
	ConsumerPricesUS  map[int]float64 `yaml:"consumer_prices_us"` // index by year
	ConsumerPricesCA  map[int]float64 `yaml:"consumer_prices_ca"`
}
