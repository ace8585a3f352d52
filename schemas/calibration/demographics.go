package calibration

// Demographics is how figures about people are shared out, and what is told of their errors.
type Demographics struct {
	Tau               float64         `yaml:"tau"`                // standard deviation of what a part of an area has over its share of it: times √(share · (1 − share)) and the share of the others in the table
	Cut               float64         `yaml:"cut"`                // standard deviation of what a cut block has inside over its share by ground: times √(share · (1 − share))
	RoundingSE        float64         `yaml:"rounding_se"`        // standard error of a count that was rounded at random to base 5
	LinearDollars     float64         `yaml:"linear_dollars"`     // bins up to this width are interpolated linearly, wider ones by Pareto's law
	MinHouseholds     float64         `yaml:"least_households"`   // fewer have no median and no mean told of them
	MinKnown          float64         `yaml:"least_known"`        // share of the people of a place whose areas must have a table for it to be told
	MinKnownForCounts float64         `yaml:"mostly_known"`       // the same share from which on counts are told beside shares, medians and means
	MinCoverage       float64         `yaml:"least_ground"`       // share of a geography's area within the hulls of the regions' small areas for sums over them to be its own
	MaxUnmatched      float64         `yaml:"most_unjoined"`      // share of the people of a region whose areas may be without any table of a survey; more fails it
	OddsFactor        float64         `yaml:"odds_factor"`        // the people of a small area by a table and by its blocks are at odds where one is this many times the other
	RoundingSlack     float64         `yaml:"rounding_slack"`     // parts of a table may exceed their total by this share, and by base 5 a part
	JamDollars        float64         `yaml:"jam_dollars"`        // a median in the open top bin
	JamHomeValue      float64         `yaml:"jam_home_value"`     // the published median home value that means this or more
	ConsumerPricesUS  map[int]float64 `yaml:"consumer_prices_us"` // index by year
	ConsumerPricesCA  map[int]float64 `yaml:"consumer_prices_ca"`
}
