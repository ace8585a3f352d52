package calibration

// Known is when the sources of a region know a class of places: when they have so many that none found nearby means none
// exists (docs/methods.md, 0).
type Known struct {
	PeoplePer10KM float64            `yaml:"people_per_10_km"` // of residential street, where nobody counted people
	LeastRate     float64            `yaml:"least_rate"`       // share of the usual rate that is believable
	Chance        float64            `yaml:"chance"`           // greatest probability of so many places at LeastRate if a class is known
	FewPlaces     int                `yaml:"few_places"`       // places from which on the share alone decides
	SlotShare     float64            `yaml:"slot_share"`       // minimum share of the usual places of several classes for the nearest of them
	CountShare    float64            `yaml:"count_share"`      // the same for their number
	Survey        Survey             `yaml:"survey"`
	Usual         map[string]float64 `yaml:"usual"` // places per 1,000 people, by class of schemas.RatedClasses

	// Composed are classes of many kinds, with the classes that they consist of; none: of so many kinds that only a survey has
	// all of them.
	Composed map[string][]string `yaml:"composed"`
}

// Survey is when a source lists all kinds of places, as a map of everything does and a register of libraries does not.
type Survey struct {
	Kinds           int      `yaml:"kinds"`            // minimum number of categories
	LeastKinds      int      `yaml:"least_kinds"`      // the same in a village, if every other place is of another category
	Usual           float64  `yaml:"usual"`            // places of all kinds per 1,000 people
	BroadCategories []string `yaml:"broad_categories"` // not counted as categories
}

// Share is the share of known classes in the usual number of places of some classes, 0–1.
func (k *Known) Share(classes []string, known func(class string) bool) float64 {
	part, all := 0.0, 0.0
	for _, class := range classes {
		all += k.Usual[class]
		if known(class) {
			part += k.Usual[class]
		}
	}
	if all == 0 {
		return 0
	}
	return part / all
}

// Nearest reports whether enough of some classes is known for the distances to the nearest of their places.
func (k *Known) Nearest(classes []string, known func(class string) bool) bool {
	return k.Share(classes, known) >= k.SlotShare
}

// Counted reports whether enough of some classes is known for the number of their places.
func (k *Known) Counted(classes []string, known func(class string) bool) bool {
	return k.Share(classes, known) >= k.CountShare
}
