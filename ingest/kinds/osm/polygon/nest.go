package polygon

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// nested is a ring with the rings around it.
type nested struct {
	ring  orb.Ring
	bound orb.Bound
	size  float64 // square degrees
	depth int     // rings around it
	in    int     // index of the smallest of them
}

// nest groups rings, which may touch at points only, into polygons: a ring with an even number of rings around it is an
// outer ring, any other one a hole of the smallest ring around it.
func nest(rings []orb.Ring) orb.MultiPolygon {
	all := make([]nested, 0, len(rings))
	for _, ring := range rings {
		if size := geo.SignedArea(ring); size != 0 {
			all = append(all, nested{ring: ring, bound: ring.Bound(), size: math.Abs(size), in: -1})
		}
	}
	slices.SortFunc(all, func(a, b nested) int {
		return cmp.Or(cmp.Compare(b.size, a.size), comparePoints(a.ring[0], b.ring[0]))
	})
	polygon := make([]int, len(all))
	var area orb.MultiPolygon
	for i := range all {
		r := &all[i]
		// No two rings share an edge, so the midpoint of an edge is not on any other ring.
		middle := orb.Point{(r.ring[0][0] + r.ring[1][0]) / 2, (r.ring[0][1] + r.ring[1][1]) / 2}
		for j := range all[:i] {
			if all[j].bound.Contains(middle) && geo.RingContains(all[j].ring, middle) {
				r.depth, r.in = r.depth+1, j
			}
		}
		if r.depth%2 == 0 {
			polygon[i] = len(area)
			area = append(area, orb.Polygon{orient(r.ring, 1)})
		} else {
			outer := polygon[r.in]
			area[outer] = append(area[outer], orient(r.ring, -1))
		}
	}
	return area
}

// orient makes a ring run counter-clockwise (sign 1) or clockwise (-1).
func orient(ring orb.Ring, sign float64) orb.Ring {
	if geo.SignedArea(ring)*sign < 0 {
		slices.Reverse(ring)
	}
	return ring
}
