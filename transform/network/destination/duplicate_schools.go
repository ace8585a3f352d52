package destination

import (
	"cmp"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/transform/places/normalize"
)

// mergeSchools merges duplicate records of a school into the one of the first source, of these the largest. Two records
// are duplicates if they are within limit metres, have similar names or one has none, and do not teach different levels
// under different names. Levels known from the others are kept. The result is in order of priority, size and key.
//
// Example: "Lincoln Elementary School" and "Lincoln" 80 m away are one school; "Lincoln High School" next to them is
// another, as its level and its name differ.
func mergeSchools(schools []school, limit float64) []school {
	slices.SortFunc(schools, func(a, b school) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.area, a.area), cmp.Compare(a.key, b.key))
	})
	boxes, names := make([]orb.Bound, len(schools)), make([][]string, len(schools))
	for i, s := range schools {
		boxes[i], names[i] = orb.Point(s.point).Bound(), distinctiveWords(s.name)
	}
	index := coord.NewBoxIndex(boxes)
	merged := make([]bool, len(schools))
	for i := range schools {
		if merged[i] {
			continue
		}
		at := orb.Point(schools[i].point)
		index.Search(geo.CircleBound(at, limit), func(j int) bool {
			if j > i && !merged[j] && geo.Distance(at, schools[j].point) <= limit && similar(names[i], names[j]) {
				merged[j] = schools[i].merge(&schools[j])
			}
			return true
		})
	}
	kept := schools[:0]
	for i, s := range schools {
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

// generic are words that do not distinguish schools.
var generic = map[string]bool{
	"school": true, "schools": true, "ecole": true, "elementary": true, "primary": true, "middle": true, "high": true, "junior": true,
	"senior": true, "public": true, "catholic": true, "secondary": true, "secondaire": true, "primaire": true, "elementaire": true,
	"publique": true, "catholique": true, "the": true, "of": true, "de": true, "la": true, "le": true, "du": true, "academy": true,
}

// distinctiveWords are the normalised words of a name without generic ones.
func distinctiveWords(name string) []string {
	words := strings.Fields(normalize.Name(name))
	return slices.DeleteFunc(words, func(w string) bool { return generic[w] })
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
