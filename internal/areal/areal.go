// Package areal computes the share of an outline's area, 0 to 1, that is inside a shape: a disc or polygons on WGS 84,
// prepared once. Shares are exact except for rounding: nothing is sampled, and an outline that shares an edge with a shape
// is entirely inside or entirely outside of it.
//
// A disc is a circle on a flat map around its centre; its areas are within 0.1 % of the ellipsoid up to 30 km and 80
// degrees of latitude. In polygons areas are those of a sphere, to the first order over the height of the outline.
// Nothing may cross the antimeridian or contain a pole.
package areal

import (
	"slices"

	"quartier/internal/coord"

	"github.com/paulmach/orb"
)

// Relation is the position of a box relative to a shape.
type Relation uint8

// The relations. A box that is entirely outside or inside may be reported as Across, but not the other way round.
const (
	Outside Relation = iota
	Inside
	Across
)

// Shape is a disc or polygons. The zero value is empty. A shape is safe for concurrent use while nothing sets it.
type Shape struct {
	round    bool
	disc     disc
	polygons polygons
}

// Disc is the shape of all points within radius metres of a longitude and latitude in degrees.
func Disc(lng, lat, radius float64) *Shape {
	s := new(Shape)
	s.SetDisc(lng, lat, radius)
	return s
}

// Polygons is the shape of several polygons that do not overlap: the first ring of each is its outer one, the others are
// holes, in either direction. Vertices are rounded to units like those of outlines, so that shared edges stay shared.
func Polygons(m orb.MultiPolygon) *Shape {
	s := new(Shape)
	s.SetPolygons(m)
	return s
}

// SetDisc makes s a disc.
func (s *Shape) SetDisc(lng, lat, radius float64) {
	s.round = true
	s.disc.set(lng, lat, radius)
}

// SetPolygon makes s a polygon and reuses its memory.
func (s *Shape) SetPolygon(polygon orb.Polygon) { s.SetPolygons(orb.MultiPolygon{polygon}) }

// SetPolygons makes s polygons and reuses its memory.
func (s *Shape) SetPolygons(m orb.MultiPolygon) {
	s.round = false
	s.polygons.reset()
	for _, polygon := range m {
		s.polygons.add(polygon)
	}
	s.polygons.finish()
}

// Bound is a box in degrees that contains s; it is empty if s is.
func (s *Shape) Bound() orb.Bound {
	if s.round {
		return s.disc.bound()
	}
	return s.polygons.degrees()
}

// Relate returns the position of a box relative to s.
func (s *Shape) Relate(b coord.Box) Relation {
	o := boxOf(b)
	if s.round {
		return s.disc.relate(&o)
	}
	return s.polygons.relate(&o)
}

// Share is the share of a's area that is in s, 0 to 1; values within 1e-9 of either are exactly 0 or 1. The rings of a
// must have the direction of those of Oriented. An area of zero size counts by its first vertex. For many areas a Window
// is quicker.
func (s *Shape) Share(a coord.Area) float64 {
	var w Window
	bound := coord.BoxAround(a.Points)
	w.Set(s, bound)
	return w.Share(a, bound)
}

// share is inside over total, both of which may be negative.
func share(inside, total float64) float64 {
	const least = 1e-9
	switch f := inside / total; {
	case f > 1-least:
		return 1
	case f > least:
		return f
	default:
		return 0
	}
}

// corner is the share of an area of zero size.
func corner(a coord.Area, contains func(x, y float64) bool) float64 {
	if len(a.Points) > 0 && contains(float64(a.Points[0].Lng), float64(a.Points[0].Lat)) {
		return 1
	}
	return 0
}

// Oriented is m as an Area with counter-clockwise outer rings and clockwise holes, so that the signed areas of its rings
// add up and Share need not know which ring is a hole. It fails as coord.NewArea does.
func Oriented(m orb.MultiPolygon) (coord.Area, error) {
	polygons, err := coord.NewAreas(m)
	if err != nil {
		return coord.Area{}, err
	}
	for _, polygon := range polygons {
		for i := range polygon.Ends {
			ring := polygon.Ring(i)
			if sign := coord.SignedArea2(ring); sign < 0 && i == 0 || sign > 0 && i > 0 {
				slices.Reverse(ring)
			}
		}
	}
	return coord.Join(polygons), nil
}
