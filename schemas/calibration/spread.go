package calibration

// Spread is when the scale of a score is collapsed in a region, and which channels must order its homes alike.
type Spread struct {
	StepShare float64     `yaml:"step_share"`  // one displayed half point holds more of the homes
	Bottom    float64     `yaml:"bottom"`      // no home is below
	Top       float64     `yaml:"top"`         // no home is above
	MinHomes  int64       `yaml:"least_homes"` // minimum with the score; fewer are not judged
	Agree     []Agreement `yaml:"agree"`
}

// Agreement is two channels that must order the homes of a region alike, or the opposite way.
type Agreement struct {
	A        string  `yaml:"a"`
	B        string  `yaml:"b"`
	Opposite bool    `yaml:"opposite"`
	Least    float64 `yaml:"least"` // minimum of Spearman's coefficient, of its negative if they are opposite
	Why      string  `yaml:"why"`
}

// Pairs are the names of the pairs of Agree, "wellness ~ parks".
func (s *Spread) Pairs() (pairs []string) {
	for _, a := range s.Agree {
		pairs = append(pairs, a.A+" ~ "+a.B)
	}
	return pairs
}
