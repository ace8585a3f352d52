package geography

import (
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/transform/issue"
	"quartier/transform/places/normalize"
)

// Reasons are those of this package.
var Reasons reason.List

var duplicateBoundary = Reasons.Skipped("duplicate_boundary", "Another boundary describes the same place; the first one is kept.")

// Two outlines of a level are duplicates if their names agree and each covers half of the other, or if outlines of
// different names from two sources cover 90 % of each other.
const (
	sameNameShare    = 0.5
	sameOutlineShare = 0.9
	parallels        = 32 // scan lines of an overlap
)

// dropDuplicates keeps the first of the outlines of a place, and fills its missing attributes from the others. The
// list is ordered by priority of the source, then by key.
func dropDuplicates(list []Geography, issues *issue.Counter) []Geography {
	boxes := make([]orb.Bound, len(list))
	for i := range list {
		boxes[i] = list[i].Bound
	}
	index := coord.NewBoxIndex(boxes)
	dropped := make([]bool, len(list))
	for i := range list {
		if dropped[i] {
			continue
		}
		index.Search(list[i].Bound, func(j int) bool {
			if j > i && !dropped[j] && samePlace(&list[i], &list[j]) {
				dropped[j] = true
			}
			return true
		})
	}
	kept := list[:0:0]
	for i, g := range list {
		if dropped[i] {
			issues.Add(duplicateBoundary, g.Key)
			continue
		}
		index.Search(g.Bound, func(j int) bool {
			if j > i && dropped[j] && samePlace(&g, &list[j]) {
				mergeAttributes(&g, &list[j])
			}
			return true
		})
		kept = append(kept, g)
	}
	return kept
}

// mergeAttributes fills the missing attributes of g from another outline of the same place.
func mergeAttributes(g, other *Geography) {
	if g.NameFR == g.NameEN {
		g.NameFR = other.NameFR
	}
	g.Names = append(g.Names, Name{other.NameEN, "alternate", "en", other.Source}, Name{other.NameFR, "alternate", "fr", other.Source})
	g.Names = append(g.Names, other.Names...)
	if g.Population == nil {
		g.Population = other.Population
	}
	if g.Country == "" {
		g.Country = other.Country
	}
	if g.State == "" {
		g.State = other.State
	}
}

func samePlace(a, b *Geography) bool {
	if a.Level != b.Level {
		return false
	}
	if a.Level >= schemas.State {
		countryA, stateA := codes(a.Boundary)
		countryB, stateB := codes(b.Boundary)
		if countryA != "" && countryA == countryB && stateA == stateB {
			return true
		}
	}
	share := sameOutlineShare
	if sameName(a.NameEN, b.NameEN) {
		share = sameNameShare
	} else if a.Source == b.Source {
		return false
	}
	smaller, larger := a.AreaM2, b.AreaM2
	if smaller > larger {
		smaller, larger = larger, smaller
	}
	if smaller < share*larger || boxOverlap(a.Bound, b.Bound) < 0.2 {
		return false
	}
	outlineA, outlineB := geo.Prepare(a.Geometry), geo.Prepare(b.Geometry)
	return geo.Overlap(outlineA, outlineB, parallels) >= share && geo.Overlap(outlineB, outlineA, parallels) >= share
}

// boxOverlap is the share of the smaller box that is inside the other one.
func boxOverlap(a, b orb.Bound) float64 {
	width := min(a.Max[0], b.Max[0]) - max(a.Min[0], b.Min[0])
	height := min(a.Max[1], b.Max[1]) - max(a.Min[1], b.Min[1])
	size := func(box orb.Bound) float64 { return (box.Max[0] - box.Min[0]) * (box.Max[1] - box.Min[1]) }
	return max(0, width) * max(0, height) / min(size(a), size(b))
}

// sameName compares names without accents, case, punctuation and words for the kind of place: "Ville de Québec" and
// "Quebec City" are the same.
func sameName(a, b string) bool { return bareName(a) == bareName(b) }

func bareName(name string) string {
	words := strings.Fields(normalize.Name(name))
	kinds := map[string]bool{"city": true, "town": true, "village": true, "of": true, "cdp": true, "county": true,
		"borough": true, "ville": true, "de": true, "du": true, "the": true, "township": true}
	kept := words[:0:0]
	for _, w := range words {
		if !kinds[w] {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		kept = words
	}
	return strings.Join(kept, " ")
}
