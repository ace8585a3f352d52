package calibration

// Homes is where people are taken to live.
type Homes struct {
	StreetClasses []string `yaml:"street_classes"` // whose edges stand for homes where nobody counted people
	SampleM       float64  `yaml:"sample_m"`       // people of a block are spread over points about so far apart
	MostSamples   int      `yaml:"most_samples"`   // of one block; larger ones are sampled more thinly
	RadiusM       float64  `yaml:"radius_m"`       // densities are those of a disc of this radius
}
