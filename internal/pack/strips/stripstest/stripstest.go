// Package stripstest is for tests of tables that are searched by package strips: it draws shapes and defines which points
// are in them.
package stripstest

import (
	"math"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pack/packtest"
	"quartier/internal/pack/strips"
)

// DrawShape draws a circle, a polygon or a polygon with a buffer near a place. Polygons do not cross the antimeridian.
func DrawShape(t *rapid.T, centre orb.Point) strips.Shape {
	near := func(label string, far float64) orb.Point {
		x := centre[0] + rapid.Float64Range(-far, far).Draw(t, label+" lng")
		return orb.Point{x, centre[1] + rapid.Float64Range(-far, far).Draw(t, label+" lat")}
	}
	at := near("centre", 0.6)
	s := strips.Shape{Lng: math.Remainder(at[0], 360), Lat: at[1]}
	if math.Abs(centre[0]) > 179 || rapid.Bool().Draw(t, "circle") {
		s.RadiusM = rapid.SampledFrom([]float64{0, 10, 300, 5000, 25000, 90000}).Draw(t, "radius")
		return s
	}
	var m orb.MultiPolygon
	for range rapid.IntRange(1, 3).Draw(t, "polygons") {
		size := rapid.SampledFrom([]float64{0.002, 0.1, 0.6}).Draw(t, "size")
		m = append(m, orb.Polygon{packtest.Star(t, near("polygon", 0.4), size)})
	}
	a, err := coord.NewArea(m)
	if err != nil {
		t.Fatal(err)
	}
	s.Area, s.BufferM = &a, rapid.SampledFrom([]float64{0, 0, 50, 2000, 10000}).Draw(t, "buffer")
	return s
}

// Define defines which points are in a shape, by every edge of its area, and their keys without a rank.
func Define(s *strips.Shape) (inside func(coord.Point) bool, key func(coord.Point) uint64) {
	var plan strips.Plan
	plan.Set(new(strips.Index), &strips.Shape{Lng: s.Lng, Lat: s.Lat, RadiusM: s.RadiusM})
	key = func(p coord.Point) uint64 { return plan.Key(p, 0) }
	if s.Area == nil {
		return plan.Contains, key
	}
	return func(p coord.Point) bool {
		return s.Area.Contains(p) || s.BufferM > 0 && nearEdge(s.Area, p, s.BufferM)
	}, key
}

func nearEdge(a *coord.Area, p coord.Point, metres float64) bool {
	plane := coord.NewPlane(p)
	for i := range a.Ends {
		ring := a.Ring(i)
		for k := 1; k < len(ring); k++ {
			ax, ay := plane.XY(ring[k-1])
			dx, dy := plane.Delta(ring[k-1], ring[k])
			t := 0.0
			if length := dx*dx + dy*dy; length > 0 {
				t = min(1, max(0, -(ax*dx+ay*dy)/length))
			}
			x, y := ax+t*dx, ay+t*dy
			if x*x+y*y <= metres*metres {
				return true
			}
		}
	}
	return false
}
