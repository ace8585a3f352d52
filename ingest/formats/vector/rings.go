package vector

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// assemble makes polygons of a shape's rings. Shapefiles tell outer rings (clockwise) from holes (counter-clockwise) by
// direction alone; each hole goes to the smallest outer ring around it. Where a hole has none, the writer did not
// keep to the directions, and rings inside an odd number of others are holes.
func assemble(rings []orb.Ring) orb.MultiPolygon {
	if len(rings) == 1 {
		return orb.MultiPolygon{{rings[0]}}
	}
	set := measure(rings)
	outer := make([]bool, len(rings))
	for i, r := range set {
		outer[i] = r.signed <= 0
	}
	if polygons, ok := set.group(outer); ok {
		return polygons
	}
	for i := range set {
		outer[i] = len(set.around(i, nil))%2 == 0
	}
	polygons, _ := set.group(outer)
	return polygons
}

// measured is a ring with its box and area.
type measured struct {
	ring   orb.Ring
	bound  orb.Bound
	signed float64 // area in square units, positive counter-clockwise
}

type ringSet []measured

func measure(rings []orb.Ring) ringSet {
	set := make(ringSet, len(rings))
	for i, ring := range rings {
		set[i] = measured{ring, ring.Bound(), geo.SignedArea(ring)}
	}
	return set
}

// group gives each hole to the smallest outer ring around it, outer rings in the order of the file. It is false where
// a hole has no such ring; that hole then stands as a polygon.
func (set ringSet) group(outer []bool) (polygons orb.MultiPolygon, ok bool) {
	place := make([]int, len(set))
	for i, r := range set {
		if outer[i] {
			place[i] = len(polygons)
			polygons = append(polygons, orb.Polygon{r.ring})
		}
	}
	ok = true
	for i, r := range set {
		if outer[i] {
			continue
		}
		homes := set.around(i, outer)
		if len(homes) == 0 {
			ok = false
			polygons = append(polygons, orb.Polygon{r.ring})
			continue
		}
		home := slices.MinFunc(homes, func(a, b int) int {
			if set[a].area() < set[b].area() {
				return -1
			}
			return 1
		})
		polygons[place[home]] = append(polygons[place[home]], r.ring)
	}
	return polygons, ok
}

// around lists the rings, outer ones only where that is given, that ring i lies in.
func (set ringSet) around(i int, outer []bool) []int {
	var found []int
	for j, other := range set {
		if j == i || outer != nil && !outer[j] || other.area() <= set[i].area() || !covers(other.bound, set[i].bound) {
			continue
		}
		if inside(set[i].ring, other.ring) {
			found = append(found, j)
		}
	}
	return found
}

func (m measured) area() float64 { return max(m.signed, -m.signed) }

func covers(a, b orb.Bound) bool {
	return a.Min[0] <= b.Min[0] && a.Min[1] <= b.Min[1] && a.Max[0] >= b.Max[0] && a.Max[1] >= b.Max[1]
}

// inside decides by the first vertex that does not lie on the other ring; rings that share all vertices are inside.
func inside(ring, other orb.Ring) bool {
	for _, p := range ring {
		switch geo.Locate(other, p) {
		case geo.Inside:
			return true
		case geo.Outside:
			return false
		}
	}
	return true
}
