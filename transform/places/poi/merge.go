package poi

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// Merge is a row of derived.poi_merge: a record that was joined into another one.
type Merge struct {
	Kept, Merged string // keys
	DistanceM    float64
	Similarity   float64 // of their names, 0 to 1
	Reason       string
}

// How far two records of one place may be apart, in metres, and how alike their names must be. Places that cover
// ground may be farther apart, because publishers put their points at different spots of it.
const (
	reachPoint = 150.0  // of a place known as a point
	reachMost  = 1000.0 // of any place
	reachArea  = 0.75   // of the side of a square as large as the place

	sameName     = 0.9  // within the reach
	similarName  = 0.75 // within reachSimilar
	relatedName  = 0.5  // within the reach, with the same telephone, web or street address
	reachSimilar = 75.0
	reachBrand   = 50.0 // of two with the same brand
	sameSpot     = 10.0 // of two points of one source
	sameThing    = 75.0 // of a node and an area that is not larger
)

// merge joins the records that tell the same place. Of two records the one whose source stands first in the region
// file is kept, else the one with the smaller key; a record is compared with kept ones as they were published, so the
// outcome depends neither on the order of the list nor on places out of reach. The list comes back by key.
func merge(list []*POI) (kept []*POI, merges []Merge) {
	slices.SortFunc(list, func(a, b *POI) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Source, b.Source))
	})
	cells := grid{}
	into := make([]int32, len(list)) // the kept one, or -1
	for i, p := range list {
		into[i] = -1
		var found *Merge
		cells.near(p, func(j int32) {
			if m, same := compare(list[j], p); same && (found == nil || closer(m, *found)) {
				found, into[i] = &m, j
			}
		})
		if found == nil {
			cells.add(p, int32(i))
			continue
		}
		merges = append(merges, *found)
	}
	for i := range list {
		if into[i] >= 0 {
			list[into[i]].learn(list[i])
		}
	}
	for i, p := range list {
		if into[i] < 0 {
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b *POI) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(merges, func(a, b Merge) int { return cmp.Compare(a.Merged, b.Merged) })
	return kept, merges
}

func closer(a, b Merge) bool {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.DistanceM, b.DistanceM), cmp.Compare(a.Kept, b.Kept)) < 0
}

// reach is how far a record of the same place may be.
func (p *POI) reach() float64 {
	return min(reachMost, max(reachPoint, reachArea*math.Sqrt(p.area)))
}

// compare tells whether two records are of the same place, and why.
func compare(kept, other *POI) (Merge, bool) {
	shared := withKin(kept.categories&^sums) & other.categories
	if shared == 0 || shared.has(stops) || kept.nameless || other.nameless || kept.mall() != other.mall() {
		return Merge{}, false
	}
	m := Merge{Kept: kept.Key, Merged: other.Key}
	m.DistanceM = geo.NewPlane(kept.Point).Distance(other.Point)
	if m.DistanceM > max(kept.reach(), other.reach()) {
		return Merge{}, false
	}
	m.Similarity = similarity(kept.name, other.name)
	if kept.Source == other.Source {
		m.Reason = compareWithin(kept, other, m)
	} else {
		m.Reason = compareAcross(kept, other, m)
	}
	return m, m.Reason != ""
}

// mall reports whether p is a shopping centre, which often has the name of its shops.
func (p *POI) mall() bool { return slices.Contains(p.Tags, "shopping_centre") }

// compareWithin judges two records of one source, which tells places apart better than we do: only the node and the
// area of one thing, what stands twice at one spot, and the pieces of a park are the same.
func compareWithin(a, b *POI, m Merge) string {
	kindA, kindB := element(a.Key), element(b.Key)
	switch {
	case numbers(a.name) != numbers(b.name):
	case kindA != kindB && m.Similarity >= sameName &&
		m.DistanceM <= max(sameThing, reachArea*math.Sqrt(max(a.area, b.area))):
		return "node and area of the same thing"
	case m.Similarity == 1 && m.DistanceM <= sameSpot:
		return "same name at the same spot"
	case m.Similarity == 1 && a.categories.has(parks) && b.categories.has(parks):
		return "parts of one park"
	}
	return ""
}

func compareAcross(a, b *POI, m Merge) string {
	switch {
	case m.Similarity >= sameName:
		return "same name nearby"
	case m.Similarity >= similarName && m.DistanceM <= reachSimilar:
		return "similar name nearby"
	case m.Similarity >= relatedName && a.Phone != "" && a.Phone == b.Phone:
		return "similar name and same telephone"
	case m.Similarity >= relatedName && a.URL != "" && a.URL == b.URL:
		return "similar name and same web address"
	case m.Similarity >= relatedName && sameFold(a.Address, b.Address):
		return "similar name and same address"
	case m.DistanceM <= reachBrand && sameBrand(a, b):
		return "same brand at the same spot"
	}
	return ""
}

func sameBrand(a, b *POI) bool {
	for _, mine := range a.brands {
		for _, theirs := range b.brands {
			if mine.ID == theirs.ID {
				return true
			}
		}
	}
	return false
}

// grid finds kept POIs near a point: squares of a few hundred metres, each with the POIs whose reach meets it.
type grid map[[2]int32][]int32

const cellDegrees = 0.002

func cellsOf(box orb.Bound) (first, last [2]int32) {
	cell := func(p orb.Point) [2]int32 {
		return [2]int32{int32(math.Floor(p[0] / cellDegrees)), int32(math.Floor(p[1] / cellDegrees))}
	}
	return cell(box.Min), cell(box.Max)
}

// add enters a kept POI in every square that its reach meets; one known as a point stands in its own square alone,
// because near looks that far.
func (g grid) add(p *POI, place int32) {
	box := orb.Bound{Min: p.Point, Max: p.Point}
	if reach := p.reach(); reach > reachPoint {
		box = geo.CircleBound(p.Point, reach)
	}
	first, last := cellsOf(box)
	for x := first[0]; x <= last[0]; x++ {
		for y := first[1]; y <= last[1]; y++ {
			g[[2]int32{x, y}] = append(g[[2]int32{x, y}], place)
		}
	}
}

// near visits the kept POIs that may be within reach of p, some more than once and some that are not.
func (g grid) near(p *POI, visit func(place int32)) {
	first, last := cellsOf(geo.CircleBound(p.Point, p.reach()))
	for x := first[0]; x <= last[0]; x++ {
		for y := first[1]; y <= last[1]; y++ {
			for _, place := range g[[2]int32{x, y}] {
				visit(place)
			}
		}
	}
}

// dropRepeats keeps one of the records that have the same key in several sources, the one of the first source, and
// tells repeated of every other.
func dropRepeats(list []*POI, repeated func(*POI)) []*POI {
	slices.SortFunc(list, func(a, b *POI) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.priority, b.priority), cmp.Compare(a.Source, b.Source))
	})
	kept := list[:0]
	for _, p := range list {
		if n := len(kept); n > 0 && kept[n-1].Key == p.Key {
			kept[n-1].learn(p)
			repeated(p)
			continue
		}
		kept = append(kept, p)
	}
	return kept
}
