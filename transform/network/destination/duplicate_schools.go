package destination

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/transform/places/normalize"
	"quartier/transform/places/schools"
)

// mergeSchools merges duplicate records of a school into the one of the first source, of these the largest. Two records
// are duplicates if they are within limit metres, have similar names or one has none, and do not teach different levels
// under different names. Levels known from the others are kept. The result is in order of priority, size and key.
//
// Example: "Lincoln Elementary School" and "Lincoln" 80 m away are one school; "Lincoln High School" next to them is
// another, as its level and its name differ.
func mergeSchools(all []school, limit float64) []school {
	slices.SortFunc(all, func(a, b school) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.area, a.area), cmp.Compare(a.key, b.key))
	})
	boxes, names := make([]orb.Bound, len(all)), make([][]string, len(all))
	for i, s := range all {
		boxes[i], names[i] = orb.Point(s.point).Bound(), schools.Distinctive(s.name)
	}
	index := coord.NewBoxIndex(boxes)
	merged := make([]bool, len(all))
	for i := range all {
		if merged[i] {
			continue
		}
		at := orb.Point(all[i].point)
		index.Search(geo.CircleBound(at, limit), func(j int) bool {
			if j > i && !merged[j] && geo.Distance(at, all[j].point) <= limit && similar(names[i], names[j]) {
				merged[j] = all[i].merge(&all[j])
			}
			return true
		})
	}
	kept := all[:0]
	for i, s := range all {
		if !merged[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// merge adds what another record of the same school has; false if they are two schools after all.
func (s *school) merge(other *school) bool {
	switch {
	case s.known && other.known && s.level != other.level && normalize.Name(s.name) != normalize.Name(other.name):
		return false // schools of one campus
	case !s.known && other.known:
		s.level, s.known = other.level, true
	case s.known && other.known:
		s.level |= other.level
	}
	if s.name == "" && s.nameFR == "" {
		s.name, s.nameFR = other.name, other.nameFR
	}
	return true
}

// similar reports whether all words of the shorter name are in the other one.
func similar(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, word := range a {
		if !slices.Contains(b, word) {
			return false
		}
	}
	return true
}
