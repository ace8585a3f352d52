package calibration

// Homes is how homes are placed, and when they represent a geography.
type Homes struct {
	StreetClasses []string `yaml:"street_classes"` // whose edges represent homes where there are no counts of people
	SampleM       float64  `yaml:"sample_m"`       // distance between the points over which the people of a block are spread
	MaxSamples    int      `yaml:"most_samples"`   // of one block; larger ones are sampled at larger intervals
	RadiusM       float64  `yaml:"radius_m"`       // radius of the disc of densities
	MinKnown      float64  `yaml:"least_known"`    // minimum share of the disc that blocks cover, else no density

	// A geography has scores if its homes represent it.
	// minimum share of its area, land and water, within the hulls of the regions' walking networks
	MinCoverage float64 `yaml:"least_ground"`
	MinStreets  int     `yaml:"least_stretches"` // minimum number of residential streets, where there are no counts of households
}
