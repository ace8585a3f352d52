package coord

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// Area is a set of closed rings, first point repeated as the last. A point is inside by the even-odd rule over all
// rings together, so that holes and several polygons need no marks of their own. Ring i is
// Points[Ends[i-1]:Ends[i]]. The slices of an Area from a File are the mapped file: they are read-only.
type Area struct {
	Points []Point
	Ends   []uint32
}

// NewArea rounds the rings of m to the stored units, where vertices that fall together become one. Rings that are not
// closed are closed; those that no longer enclose anything are left out, with their holes, unless all of m would be.
// It fails where a coordinate is not finite or out of range, or an edge crosses the antimeridian.
func NewArea(m orb.MultiPolygon) (Area, error) {
	polygons, err := NewAreas(m)
	return Join(polygons), err
}

// NewAreas is NewArea with an area for each polygon that is left, its outer ring first.
func NewAreas(m orb.MultiPolygon) ([]Area, error) {
	var left, all []Area
	for i, polygon := range m {
		var whole, solid Area
		for j, ring := range polygon {
			points, err := round(ring)
			if err != nil {
				return nil, fmt.Errorf("polygon %d, ring %d, %w", i, j, err)
			}
			whole.add(points)
			if enclose(points) && (j == 0 || len(solid.Ends) > 0) {
				solid.add(points)
			}
		}
		all = append(all, whole)
		if len(solid.Ends) > 0 {
			left = append(left, solid)
		}
	}
	if len(left) == 0 {
		return all, nil
	}
	return left, nil
}

// Join is the area of the rings of all parts.
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

// round makes a closed ring in stored units.
func round(ring orb.Ring) ([]Point, error) {
	points := make([]Point, 0, len(ring)+1)
	for k, v := range ring {
		p, ok := NewPoint(v[0], v[1])
		if !ok {
			return nil, fmt.Errorf("vertex %d: no place on earth: %v", k, v)
		}
		n := len(points)
		if n > 0 && points[n-1] == p {
			continue
		}
		if n > 0 && tooLong(points[n-1], p) {
			return nil, fmt.Errorf("vertex %d: the edge to it spans half the world", k)
		}
		points = append(points, p)
	}
	if n := len(points); n > 0 && points[n-1] != points[0] {
		if tooLong(points[n-1], points[0]) {
			return nil, fmt.Errorf("vertex %d: the edge to it spans half the world", 0)
		}
		points = append(points, points[0])
	}
	return points, nil
}

// enclose reports whether a closed ring has at least three corners and an area. Its double is summed modulo 2^64, which
// no ring on earth reaches.
func enclose(ring []Point) bool {
	var twice int64
	for k := 1; k < len(ring); k++ {
		a, b := ring[k-1], ring[k]
		twice += int64(a.Lng)*int64(b.Lat) - int64(b.Lng)*int64(a.Lat)
	}
	return len(ring) >= 4 && twice != 0
}

// tooLong keeps the products in Crosses within 64 bits, wherever its point lies.
func tooLong(a, b Point) bool {
	return math.Abs(float64(a.Lng)-float64(b.Lng)) > 180*Scale || math.Abs(float64(a.Lat)-float64(b.Lat)) > 90*Scale
}

// Ring is ring i of a; empty where the ends are damaged.
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

// Contains reports whether p lies in a by the even-odd rule. It looks at every edge: it is the definition that the
// indexes are held to. Of two areas that share an edge exactly one contains a point on it: a point counts as lying an
// infinitesimal step east of where it is, and a still smaller one north.
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
	// Positive where p lies left of a→b; p is west of the edge where that agrees with the edge going north.
	side := (int64(b.Lng)-int64(a.Lng))*(int64(p.Lat)-int64(a.Lat)) -
		(int64(p.Lng)-int64(a.Lng))*(int64(b.Lat)-int64(a.Lat))
	if b.Lat > a.Lat {
		return side > 0
	}
	return side < 0
}
