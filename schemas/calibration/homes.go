package calibration

// Homes is where people are taken to live.
type Homes struct {
	StreetClasses []string `yaml:"street_classes"` // whose edges stand for homes where nobody counted people
	SampleM       float64  `yaml:"sample_m"`       // people of a block are spread over points about so far apart
	MaxSamples    int      `yaml:"most_samples"`   // of one block; larger ones are sampled more thinly
	RadiusM       float64  `yaml:"radius_m"`       // densities are those of a disc of this radius
	MinKnown      float64  `yaml:"least_known"`    // share of the disc that blocks must cover for a density

	// A geography has scores where its homes speak for it.
	MinCoverage float64 `yaml:"least_ground"`    // share of its area, land and water, within the hulls of the regions' walking networks
	MinStreets  int     `yaml:"least_stretches"` // of residential street, where nobody counted households
}
