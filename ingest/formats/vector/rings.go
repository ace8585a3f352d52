package vector

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// assemble builds polygons from a shape's rings. In shapefiles outer rings are clockwise and holes counter-clockwise; each
// hole belongs to the smallest outer ring around it. Where a hole has none, the directions cannot be relied on, and rings
// inside an odd number of others are holes:
//
//	an island in a lake: shore (inside 0 rings) is outer, lake (inside 1) a hole, island (inside 2) outer
func assemble(rings []orb.Ring) orb.MultiPolygon {
	if len(rings) == 1 {
		return orb.MultiPolygon{{rings[0]}}
	}
	set, outer := make(ringSet, len(rings)), make([]bool, len(rings))
	for i, ring := range rings {
		set[i] = ringInfo{ring, ring.Bound(), geo.SignedArea(ring)}
		outer[i] = set[i].signed <= 0
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

// ringInfo is a ring with its bounding box and area.
type ringInfo struct {
	ring   orb.Ring
	bound  orb.Bound
	signed float64 // area in square units, positive counter-clockwise
}

type ringSet []ringInfo

// group assigns each hole to the smallest outer ring around it and returns the polygons in the order of their outer rings.
// It is false where a hole has no outer ring; that hole becomes a polygon.
func (set ringSet) group(outer []bool) (polygons orb.MultiPolygon, ok bool) {
	index := make([]int, len(set))
	for i, r := range set {
		if outer[i] {
			index[i] = len(polygons)
			polygons = append(polygons, orb.Polygon{r.ring})
		}
	}
	ok = true
	for i, r := range set {
		if outer[i] {
			continue
		}
		candidates := set.around(i, outer)
		if len(candidates) == 0 {
			ok = false
			polygons = append(polygons, orb.Polygon{r.ring})
			continue
		}
		smallest := slices.MinFunc(candidates, func(a, b int) int { return cmp.Compare(set[a].area(), set[b].area()) })
		polygons[index[smallest]] = append(polygons[index[smallest]], r.ring)
	}
	return polygons, ok
}

// around returns the rings that contain ring i, of the outer ones where outer is given.
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

func (m ringInfo) area() float64 { return max(m.signed, -m.signed) }

func covers(a, b orb.Bound) bool {
	return a.Min[0] <= b.Min[0] && a.Min[1] <= b.Min[1] && a.Max[0] >= b.Max[0] && a.Max[1] >= b.Max[1]
}

// inside tests the first vertex that is not on the other ring; a ring with all vertices on the other one is inside.
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
