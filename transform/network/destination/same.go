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

// sameSchools keeps of the records of one school the one of the first source, of these the largest: two are the same
// that lie within limit metres, have like names or one has none, and do not teach other levels by another name. What the others
// know of the level is kept. The outcome is by priority, size and key.
func sameSchools(schools []school, limit float64) []school {
	slices.SortFunc(schools, func(a, b school) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.area, a.area), cmp.Compare(a.key, b.key))
	})
	boxes, names := make([]orb.Bound, len(schools)), make([][]string, len(schools))
	for i, s := range schools {
		boxes[i], names[i] = orb.Point(s.point).Bound(), telling(s.name)
	}
	index := coord.NewBoxIndex(boxes)
	gone := make([]bool, len(schools))
	for i := range schools {
		if gone[i] {
			continue
		}
		at := orb.Point(schools[i].point)
		index.Search(geo.CircleBound(at, limit), func(j int) bool {
			if j > i && !gone[j] && geo.Distance(at, schools[j].point) <= limit && like(names[i], names[j]) {
				gone[j] = schools[i].absorb(&schools[j])
			}
			return true
		})
	}
	kept := schools[:0]
	for i, s := range schools {
		if !gone[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// absorb takes over what another record of the same school knows; false where they are two schools after all.
func (s *school) absorb(other *school) bool {
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

// hollow are words that say what a school is, not which.
var hollow = map[string]bool{
	"school": true, "schools": true, "ecole": true, "elementary": true, "primary": true, "middle": true, "high": true, "junior": true,
	"senior": true, "public": true, "catholic": true, "secondary": true, "secondaire": true, "primaire": true, "elementaire": true,
	"publique": true, "catholique": true, "the": true, "of": true, "de": true, "la": true, "le": true, "du": true, "academy": true,
}

func telling(name string) []string {
	words := strings.Fields(normalize.Name(name))
	return slices.DeleteFunc(words, func(w string) bool { return hollow[w] })
}

// like reports whether one name has no word that the other lacks.
func like(a, b []string) bool {
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
