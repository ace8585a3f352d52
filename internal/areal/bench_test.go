package areal

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

var home = orb.Point{-75.69, 45.42}

// wheel is a polygon of n vertices around a point, alternately at two radii in metres.
func wheel(at orb.Point, n int, radius, other float64) orb.Ring {
	plane := geo.NewPlane(at)
	ring := make(orb.Ring, 0, n+1)
	for k := range n {
		r := radius
		if k%2 == 1 {
			r = other
		}
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		ring = append(ring, plane.Point(r*cos, r*sin))
	}
	return append(ring, ring[0])
}

func oriented(t testing.TB, rings ...orb.Ring) coord.Area {
	t.Helper()
	a, err := Oriented(orb.MultiPolygon{rings})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

var sink float64

// BenchmarkShare takes the share of a block of 12 corners on the border of a shape.
func BenchmarkShare(b *testing.B) {
	at := func(metres float64) orb.Point { return geo.NewPlane(home).Point(metres, 0) }
	for _, c := range []struct {
		name  string
		shape *Shape
		block coord.Area
	}{
		{"disc", Disc(home[0], home[1], 500), oriented(b, wheel(at(480), 12, 70, 50))},
		{"polygon200", Polygons(orb.MultiPolygon{{wheel(home, 200, 520, 480)}}), oriented(b, wheel(at(480), 12, 70, 50))},
		{"polygon200south", Polygons(orb.MultiPolygon{{wheel(home, 200, 520, 480)}}),
			oriented(b, wheel(geo.NewPlane(home).Point(0, -480), 12, 70, 50))},
		{"outline100000", Polygons(orb.MultiPolygon{{wheel(home, 100_000, 200_000, 199_900)}}), oriented(b, wheel(at(199_950), 12, 70, 50))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var w Window
			bound := coord.BoxAround(c.block.Points)
			for range b.N {
				w.Set(c.shape, bound)
				sink += w.Share(c.block, bound)
			}
		})
	}
}

func BenchmarkRelate(b *testing.B) {
	disc := Disc(home[0], home[1], 500)
	polygon := Polygons(orb.MultiPolygon{{wheel(home, 200, 520, 480)}})
	state := Polygons(orb.MultiPolygon{{wheel(home, 100_000, 200_000, 199_900)}})
	for _, c := range []struct {
		name  string
		shape *Shape
		at    float64 // metres east
		size  float64
	}{
		{"disc/outside", disc, 5000, 100}, {"disc/inside", disc, 100, 100}, {"disc/across", disc, 500, 100},
		{"polygon200/inside", polygon, 100, 100}, {"polygon200/across", polygon, 500, 100},
		{"outline100000/inside", state, 1000, 1000}, {"outline100000/wide", state, 0, 100_000}, {"outline100000/across", state, 200_000, 1000},
	} {
		plane := geo.NewPlane(home)
		lo, hi := plane.Point(c.at-c.size/2, -c.size/2), plane.Point(c.at+c.size/2, c.size/2)
		var box coord.Box
		box.Min, _ = coord.NewPoint(lo[0], lo[1])
		box.Max, _ = coord.NewPoint(hi[0], hi[1])
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				sink += float64(c.shape.Relate(box))
			}
		})
	}
}

func BenchmarkSet(b *testing.B) {
	var s Shape
	ring := orb.Polygon{wheel(home, 200, 520, 480)}
	b.Run("disc", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			s.SetDisc(home[0], home[1], 500)
		}
	})
	b.Run("polygon200", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			s.SetPolygon(ring)
		}
	})
}
