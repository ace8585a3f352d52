package poi

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/derived"
)

// Merge is a record that was merged into another one.
type Merge = derived.Merge

// Distances in metres and similarities of names up to which two records are duplicates. Places with an area may be
// farther apart, because publishers put their points in different spots.
const (
	reachPoint = 150.0  // of a place mapped as a point
	reachMax   = 1000.0 // of any place
	reachArea  = 0.75   // × side of a square of the place's area

	sameName     = 0.9  // within the reach
	similarName  = 0.75 // within reachSimilar
	relatedName  = 0.5  // within the reach, with the same telephone number, web or street address
	reachSimilar = 75.0
	reachBrand   = 50.0 // of two POIs of the same brand
	sameSpot     = 10.0 // of two points of the same source
	sameThing    = 75.0 // of a node and an area, if larger than the area's reach
)

// merge merges the records of the same place. The record of the source with the higher priority is kept, then the one
// with the smaller key. A record is compared with the published attributes of kept ones, so that the result depends
// neither on the order of the list nor on places out of reach. kept is sorted by key.
//
// For example, "Joe's Café" of OpenStreetMap and "Joes Cafe" of Overture are cafes 21 m apart. Their normalised names
// are equal (similarity 1), so that the second is merged into the first for "same name nearby", and its telephone
// number is added.
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
			list[into[i]].mergeFrom(list[i])
		}
	}
	for i, p := range list {
		if into[i] < 0 {
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b *POI) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(merges, func(a, b Merge) int { return cmp.Compare(a.MergedKey, b.MergedKey) })
	return kept, merges
}

func closer(a, b Merge) bool {
	return cmp.Or(cmp.Compare(b.NameSimilarity, a.NameSimilarity), cmp.Compare(a.DistanceM, b.DistanceM),
		cmp.Compare(a.KeptKey, b.KeptKey)) < 0
}

// reach is the maximum distance of a duplicate in metres.
func (p *POI) reach() float64 {
	return min(reachMax, max(reachPoint, reachArea*math.Sqrt(p.area)))
}

// compare reports whether two records are of the same place, with the reason.
func compare(kept, other *POI) (Merge, bool) {
	shared := withRelated(kept.categories&^broadest) & other.categories
	if shared == 0 || shared.has(stops) || kept.unnamed || other.unnamed || kept.mall() != other.mall() {
		return Merge{}, false
	}
	m := Merge{KeptKey: kept.Key, MergedKey: other.Key}
	m.DistanceM = geo.NewPlane(kept.Point).Distance(other.Point)
	if m.DistanceM > max(kept.reach(), other.reach()) {
		return Merge{}, false
	}
	m.NameSimilarity = similarity(kept.name, other.name)
	if kept.Source == other.Source {
		m.Reason = compareWithin(kept, other, m)
	} else {
		m.Reason = compareAcross(kept, other, m)
	}
	return m, m.Reason != ""
}

// mall reports whether p is a shopping centre, which often shares its name with shops.
func (p *POI) mall() bool { return slices.Contains(p.Tags, "shopping_centre") }

// compareWithin compares two records of one source, which has few duplicates: only a node and an area of the same
// thing, two records at one spot, and the parts of a park.
func compareWithin(a, b *POI, m Merge) string {
	kindA, kindB := element(a.Key), element(b.Key)
	switch {
	case numbers(a.name) != numbers(b.name):
	case kindA != kindB && m.NameSimilarity >= sameName &&
		m.DistanceM <= max(sameThing, reachArea*math.Sqrt(max(a.area, b.area))):
		return "node and area of the same thing"
	case m.NameSimilarity == 1 && m.DistanceM <= sameSpot:
		return "same name at the same spot"
	case m.NameSimilarity == 1 && a.categories.has(parks) && b.categories.has(parks):
		return "parts of one park"
	}
	return ""
}

func compareAcross(a, b *POI, m Merge) string {
	switch {
	case m.NameSimilarity >= sameName:
		return "same name nearby"
	case m.NameSimilarity >= similarName && m.DistanceM <= reachSimilar:
		return "similar name nearby"
	case m.NameSimilarity >= relatedName && a.Phone != "" && a.Phone == b.Phone:
		return "similar name and same telephone"
	case m.NameSimilarity >= relatedName && a.URL != "" && a.URL == b.URL:
		return "similar name and same web address"
	case m.NameSimilarity >= relatedName && sameText(a.Address, b.Address):
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

// grid is an index of kept POIs: squares of about 200 m with the POIs whose reach touches them.
type grid map[[2]int32][]int32

const cellDegrees = 0.002

func cellsOf(box orb.Bound) (first, last [2]int32) {
	cell := func(p orb.Point) [2]int32 {
		return [2]int32{int32(math.Floor(p[0] / cellDegrees)), int32(math.Floor(p[1] / cellDegrees))}
	}
	return cell(box.Min), cell(box.Max)
}

// add adds a kept POI to every square that its reach touches. One with the minimum reach is added to its own square
// only, because near searches that far.
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

// near visits the kept POIs that may be within reach of p; some are visited more than once or are farther away.
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

// dropDuplicateKeys keeps the first of the records with the same key in several sources, by priority, and calls
// duplicate for the others.
func dropDuplicateKeys(list []*POI, duplicate func(*POI)) []*POI {
	slices.SortFunc(list, func(a, b *POI) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.priority, b.priority), cmp.Compare(a.Source, b.Source))
	})
	kept := list[:0]
	for _, p := range list {
		if n := len(kept); n > 0 && kept[n-1].Key == p.Key {
			kept[n-1].mergeFrom(p)
			duplicate(p)
			continue
		}
		kept = append(kept, p)
	}
	return kept
}
