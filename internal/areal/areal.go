// Package areal says how much of an outline lies in a shape. In go discs and polygons on WGS 84, prepared once, and the
// outlines of census blocks as packs have them; out come shares of their area, from 0 to 1, exact but for rounding:
// nothing is sampled, and outlines that share an edge with a shape lie wholly in it or wholly beside it.
//
// A disc is a circle on a flat map around its centre: what it measures is within 0.1 % of the ellipsoid up to 30 km and
// 80 degrees of latitude. In polygons areas are those of a sphere, to the first order over the height of the outline.
// Nothing crosses the antimeridian or holds a pole.
package areal

import (
	"quartier/internal/coord"

	"github.com/paulmach/orb"
)

// Relation is how a box lies to a shape.
type Relation uint8

// The relations. Across may be said of a box that lies wholly outside or inside; never the other way round.
const (
	Outside Relation = iota
	Inside
	Across
)

// Shape is a disc or polygons. The zero value holds nothing. A shape is safe for concurrent use while nothing sets it.
type Shape struct {
	round    bool
	disc     disc
	polygons polygons
}

// Disc is what lies within radius metres of a longitude and latitude in degrees.
func Disc(lng, lat, radius float64) *Shape {
	s := new(Shape)
	s.SetDisc(lng, lat, radius)
	return s
}

// Polygons is what lies in any of several polygons that do not overlap: the first ring of each is its outer one, the
// others are holes, in either direction. Corners are rounded as packs do, so that edges which a polygon shares with an
// outline stay shared.
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

// SetPolygons makes s polygons, in the memory that it has.
func (s *Shape) SetPolygons(m orb.MultiPolygon) {
	s.round = false
	s.polygons.reset()
	for _, polygon := range m {
		s.polygons.add(polygon)
	}
	s.polygons.finish()
}

// SetPolygon makes s a polygon, in the memory that it has.
func (s *Shape) SetPolygon(polygon orb.Polygon) {
	s.round = false
	s.polygons.reset()
	s.polygons.add(polygon)
	s.polygons.finish()
}

// Bound is a box in degrees that holds s; it is empty where s is.
func (s *Shape) Bound() orb.Bound {
	if s.round {
		return s.disc.bound()
	}
	return s.polygons.degrees()
}

// Relate says how the box lies to s, its sides in degrees.
func (s *Shape) Relate(west, south, east, north float64) Relation {
	return s.relate(&box{west * coord.Scale, south * coord.Scale, east * coord.Scale, north * coord.Scale})
}

// RelateBox says how the box lies to s, of which southwest and northeast are the corners.
func (s *Shape) RelateBox(southwest, northeast coord.Point) Relation {
	b := boxOf(southwest, northeast)
	return s.relate(&b)
}

func (s *Shape) relate(b *box) Relation {
	if s.round {
		return s.disc.relate(b)
	}
	return s.polygons.relate(b)
}

// Share is how much of a's area lies in s, 0 to 1; what is within 1e-9 of either is 0 or 1. The rings of a must run as
// those of Oriented do. An area of no size lies where its first corner does. Where
// many areas are asked for, a Window is quicker.
func (s *Shape) Share(a coord.Area) float64 {
	var w Window
	southwest, northeast := corners(a)
	w.Set(s, southwest, northeast)
	return w.Share(a, southwest, northeast)
}

// corners are the southwestern and the northeastern corner of an area's box.
func corners(a coord.Area) (southwest, northeast coord.Point) {
	for i, p := range a.Points {
		if i == 0 {
			southwest, northeast = p, p
		}
		southwest = coord.Point{Lng: min(southwest.Lng, p.Lng), Lat: min(southwest.Lat, p.Lat)}
		northeast = coord.Point{Lng: max(northeast.Lng, p.Lng), Lat: max(northeast.Lat, p.Lat)}
	}
	return southwest, northeast
}

// share is inside of total, of which neither needs to be positive.
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

// corner is the share of an area of no size.
func corner(a coord.Area, contains func(x, y float64) bool) float64 {
	if len(a.Points) > 0 && contains(float64(a.Points[0].Lng), float64(a.Points[0].Lat)) {
		return 1
	}
	return 0
}

// Oriented is m in stored units, its outer rings counter-clockwise and its holes clockwise, so that the areas of its
// rings add up with their signs, and Share needs not to know which ring is which. It fails as coord.NewArea does.
func Oriented(m orb.MultiPolygon) (coord.Area, error) {
	polygons, err := coord.NewAreas(m)
	if err != nil {
		return coord.Area{}, err
	}
	for _, polygon := range polygons {
		for i := range polygon.Ends {
			ring := polygon.Ring(i)
			if sign := twice(ring); sign < 0 && i == 0 || sign > 0 && i > 0 {
				for l, r := 0, len(ring)-1; l < r; l, r = l+1, r-1 {
					ring[l], ring[r] = ring[r], ring[l]
				}
			}
		}
	}
	return coord.Join(polygons), nil
}

// twice is twice the signed area of a closed ring, modulo 2^64, which no ring on earth reaches.
func twice(ring []coord.Point) int64 {
	sum := int64(0)
	for k := 1; k < len(ring); k++ {
		a, b := ring[k-1], ring[k]
		sum += int64(a.Lng)*int64(b.Lat) - int64(b.Lng)*int64(a.Lat)
	}
	return sum
}
