package coord

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// Area is a set of closed rings, each with its first point repeated as the last. Ring i is Points[Ends[i-1]:Ends[i]]. A
// point is inside by the even-odd rule over all rings together, so that holes and further polygons need no marks. The
// slices of an Area from a pack are the mapped file: they are read-only.
type Area struct {
	Points []Point
	Ends   []uint32
}

// NewArea rounds the rings of m to units and merges consecutive vertices that become equal. Open rings are closed. Rings
// without area are dropped, with their holes, unless nothing else would be left. It fails if a coordinate is not finite or
// out of range, or if an edge crosses the antimeridian.
func NewArea(m orb.MultiPolygon) (Area, error) {
	polygons, err := NewAreas(m)
	return Join(polygons), err
}

// NewAreas is NewArea with an Area for each remaining polygon, its outer ring first.
func NewAreas(m orb.MultiPolygon) ([]Area, error) {
	var left, all []Area
	for i, polygon := range m {
		var complete, solid Area
		for j, ring := range polygon {
			points, err := round(ring)
			if err != nil {
				return nil, fmt.Errorf("polygon %d, ring %d, %w", i, j, err)
			}
			complete.add(points)
			if enclose(points) && (j == 0 || len(solid.Ends) > 0) {
				solid.add(points)
			}
		}
		all = append(all, complete)
		if len(solid.Ends) > 0 {
			left = append(left, solid)
		}
	}
	if len(left) == 0 {
		return all, nil
	}
	return left, nil
}

// Join is the Area of the rings of all parts.
func Join(parts []Area) Area {
	var a Area
	for _, part := range parts {
		for i := range part.Ends {
			a.add(part.Ring(i))
		}
	}
	return a
}

func (a *Area) add(ring []Point) {
	if len(ring) > 0 {
		a.Points = append(a.Points, ring...)
		a.Ends = append(a.Ends, uint32(len(a.Points)))
	}
}

// round returns a closed ring in units.
func round(ring orb.Ring) ([]Point, error) {
	points := make([]Point, 0, len(ring)+1)
	for k, v := range ring {
		p, ok := NewPoint(v[0], v[1])
		if !ok {
			return nil, fmt.Errorf("vertex %d: invalid coordinates %v", k, v)
		}
		n := len(points)
		if n > 0 && points[n-1] == p {
			continue
		}
		if n > 0 && tooLong(points[n-1], p) {
			return nil, fmt.Errorf("vertex %d: the edge to it is longer than 180 degrees", k)
		}
		points = append(points, p)
	}
	if n := len(points); n > 0 && points[n-1] != points[0] {
		if tooLong(points[n-1], points[0]) {
			return nil, fmt.Errorf("vertex %d: the edge to it is longer than 180 degrees", 0)
		}
		points = append(points, points[0])
	}
	return points, nil
}

// enclose reports whether a closed ring has at least three corners and an area.
func enclose(ring []Point) bool { return len(ring) >= 4 && SignedArea2(ring) != 0 }

// SignedArea2 is twice the area of a closed ring, positive if it is counter-clockwise, modulo 2^64, which no ring on Earth
// reaches.
func SignedArea2(ring []Point) (twice int64) {
	for k := 1; k < len(ring); k++ {
		a, b := ring[k-1], ring[k]
		twice += int64(a.Lng)*int64(b.Lat) - int64(b.Lng)*int64(a.Lat)
	}
	return twice
}

// tooLong reports whether an edge is so long that the products in Crosses could exceed 64 bits.
func tooLong(a, b Point) bool {
	return math.Abs(float64(a.Lng)-float64(b.Lng)) > 180*Scale || math.Abs(float64(a.Lat)-float64(b.Lat)) > 90*Scale
}

// Ring is ring i of a; empty if the ends are damaged.
func (a Area) Ring(i int) []Point {
	lo := uint32(0)
	if i > 0 {
		lo = a.Ends[i-1]
	}
	hi := a.Ends[i]
	if lo > hi || uint64(hi) > uint64(len(a.Points)) {
		return nil
	}
	return a.Points[lo:hi]
}

// Contains reports whether p is in a by the even-odd rule. It looks at every edge and defines what the indexes return. Of
// two areas that share an edge exactly one contains a point on it: a point counts as an infinitesimal step east of its
// position, and a still smaller one north.
func (a Area) Contains(p Point) bool {
	inside := false
	for i := range a.Ends {
		ring := a.Ring(i)
		for k := 1; k < len(ring); k++ {
			if Crosses(ring[k-1], ring[k], p) {
				inside = !inside
			}
		}
	}
	return inside
}

// Crosses reports whether the ray from p eastward crosses the edge a–b, in exact integers.
func Crosses(a, b, p Point) bool {
	if (a.Lat > p.Lat) == (b.Lat > p.Lat) {
		return false
	}
	// Positive if p is left of a→b; p is west of an edge that goes north if it is left of it.
	side := (int64(b.Lng)-int64(a.Lng))*(int64(p.Lat)-int64(a.Lat)) -
		(int64(p.Lng)-int64(a.Lng))*(int64(b.Lat)-int64(a.Lat))
	if b.Lat > a.Lat {
		return side > 0
	}
	return side < 0
}
