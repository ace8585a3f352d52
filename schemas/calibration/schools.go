package calibration

// Schools is the constants by which records of schools are one school, and marks of schools letters.
type Schools struct {
	SameNameM float64 `yaml:"same_name_m"` // greatest distance of records with equal folded names
	SimilarM  float64 `yaml:"similar_m"`   // greatest distance of records with similar folded names
	Similar   float64 `yaml:"similar"`     // least similarity of similar names, 0–1
	// the same of equal names of which one is placed by its address, where nothing else around has the name
	MovedM   float64 `yaml:"moved_m"`
	OutsideM float64 `yaml:"outside_m"` // greatest distance of a school from a catchment that names it
	Ladder   []Rung  `yaml:"ladder"`    // from the best letter down
	Lowest   string  `yaml:"lowest"`    // letter below the ladder
}

// Rung is a letter and the least share of pupils at or above the standard that has it, in percent.
type Rung struct {
	Percent float64 `yaml:"percent"`
	Letter  string  `yaml:"letter"`
}

// Letter is the letter of a share of pupils at or above the standard, 0–1.
func (s *Schools) Letter(share float64) string {
	for _, r := range s.Ladder {
		if 100*share >= r.Percent-1e-9 {
			return r.Letter
		}
	}
	return s.Lowest
}
