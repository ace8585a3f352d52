package access

import (
	"math"
	"sort"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// HomesIn visits the homes in a box in degrees, in their order. It reads the first strip and a few homes of the others besides.
func (t *Table) HomesIn(box orb.Bound, visit func(i int)) {
	stripM := float64(HomeStripM)
	height := max(1, int64(stripM/geo.StripDegreeM*coord.Scale)) // as pointindex has it
	n, bottom := t.Homes(), int64(math.MaxInt64)
	at := func(i int) coord.Point {
		p := t.HomePoint(i)
		unit, _ := coord.NewPoint(p[0], p[1])
		return unit
	}
	for i := 0; i < n && int64(at(i).Lat) < int64(at(0).Lat)+height; i++ {
		bottom = min(bottom, int64(at(i).Lat)) // the least of all is in the first strip
	}
	least, _ := coord.NewPoint(box.Min[0], box.Min[1])
	most, _ := coord.NewPoint(box.Max[0], box.Max[1])
	if n == 0 || int64(most.Lat) < bottom {
		return
	}
	strip := func(lat int64) int64 { return (lat - bottom) / height }
	for s := strip(max(int64(least.Lat), bottom)); s <= strip(int64(most.Lat)); s++ {
		first := sort.Search(n, func(i int) bool {
			p := at(i)
			own := strip(int64(p.Lat))
			return own > s || own == s && p.Lng >= least.Lng
		})
		if first == n {
			return
		}
		s = max(s, strip(int64(at(first).Lat))) // strips without homes are passed over
		for i := first; i < n && strip(int64(at(i).Lat)) == s && at(i).Lng <= most.Lng; i++ {
			if p := t.HomePoint(i); at(i).Lng >= least.Lng && box.Contains(p) {
				visit(i)
			}
		}
	}
}

// HomesOf are the homes in an outline with a box that a caller may see, in their order: those with households or, where there are
// none, those along streets.
func (t *Table) HomesOf(outline *geo.Prepared, box orb.Bound, allowed func(orb.Point) bool) (list []int) {
	counted := false
	t.HomesIn(box, func(i int) {
		street, at := t.HomeOnStreet(i), t.HomePoint(i)
		if counted && street || !outline.Contains(at) || !allowed(at) {
			return
		}
		if !counted && !street { // the first one: those along streets no longer count
			counted, list = true, nil
		}
		list = append(list, i)
	})
	return list
}
