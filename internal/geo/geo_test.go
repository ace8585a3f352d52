package geo

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func dms(d, m, s float64) float64 { return d + m/60 + s/3600 }

func TestDistanceAgreesWithKnownGeodesics(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b orb.Point
		want float64
	}{
		// Geoscience Australia's worked example of Vincenty's formula.
		{"Flinders Peak to Buninyong", orb.Point{dms(144, 25, 29.52440), -dms(37, 57, 3.72030)},
			orb.Point{dms(143, 55, 35.38390), -dms(37, 39, 10.15610)}, 54972.271},
		{"quarter of a meridian", orb.Point{0, 0}, orb.Point{0, 90}, 10001965.729},
		{"quarter of the equator", orb.Point{0, 0}, orb.Point{90, 0}, 10018754.171},
		{"degree of latitude at the equator", orb.Point{0, 0}, orb.Point{0, 1}, 110574.389},
		{"degree of longitude at 60", orb.Point{0, 60}, orb.Point{1, 60}, 55799.47},
		{"nowhere", orb.Point{-75, 39}, orb.Point{-75, 39}, 0},
	} {
		if got := Distance(c.a, c.b); math.Abs(got-c.want) > c.want*1e-4 {
			t.Errorf("%s: %.3f m, want %.3f", c.name, got, c.want)
		}
	}
}

// place draws a point away from the poles and the antimeridian.
func place(t *rapid.T, label string) orb.Point {
	return orb.Point{rapid.Float64Range(-170, 170).Draw(t, label+" lng"), rapid.Float64Range(-70, 70).Draw(t, label+" lat")}
}

func TestPlaneAgreesWithTheEllipsoid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origin := place(t, "origin")
		pl := NewPlane(origin)
		radius := rapid.Float64Range(1, 25000).Draw(t, "radius")
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
		p := pl.Point(radius*math.Cos(angle), radius*math.Sin(angle))
		if got, want := pl.Distance(p), Distance(origin, p); math.Abs(got-want) > want*0.006 {
			t.Errorf("plane %.3f m, ellipsoid %.3f m at %v", got, want, p)
		}
	})
}

func TestCircleBoundHoldsTheCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		center := orb.Point{rapid.Float64Range(-180, 180).Draw(t, "lng"), rapid.Float64Range(-90, 90).Draw(t, "lat")}
		radius := rapid.Float64Range(0, 100000).Draw(t, "radius")
		p := orb.Point{
			center[0] + rapid.Float64Range(-3, 3).Draw(t, "east"),
			center[1] + rapid.Float64Range(-1.5, 1.5).Draw(t, "north"),
		}
		if Valid(p) && Distance(center, p) <= radius && !CircleBound(center, radius).Contains(p) {
			t.Errorf("%v is %.3f m from %v and outside its circle's box of %.3f m", p, Distance(center, p), center, radius)
		}
	})
}

// TestCircleBoundHoldsPointsTooNear has points whose distance to the centre is below what Distance can distinguish from 0.
func TestCircleBoundHoldsPointsTooNear(t *testing.T) {
	for _, c := range []struct{ center, p orb.Point }{
		{orb.Point{1.2813331809171846e-144, 1}, orb.Point{1.2813331809171844e-144, 1}},
		{orb.Point{-75.5, 1e-300}, orb.Point{-75.5, -1e-300}},
	} {
		if !CircleBound(c.center, 1e-155).Contains(c.p) {
			t.Errorf("%v is at no distance from %v and outside its circle's box", c.p, c.center)
		}
	}
}

func TestCircleBoundIsTight(t *testing.T) {
	b := CircleBound(orb.Point{-75.5, 39.7}, 5000)
	if w := Distance(orb.Point{b.Min[0], 39.7}, orb.Point{b.Max[0], 39.7}); w < 10000 || w > 10100 {
		t.Errorf("box of a 5 km circle is %.0f m wide", w)
	}
	if b := CircleBound(orb.Point{179.99, 0}, 5000); b.Min[0] != -180 || b.Max[0] != 180 {
		t.Errorf("a circle over the antimeridian has the box %v", b)
	}
}

func TestDistanceToOutline(t *testing.T) {
	square := orb.MultiPolygon{{{{-75, 39}, {-74, 39}, {-74, 40}, {-75, 40}, {-75, 39}}}}
	for _, c := range []struct {
		p    orb.Point
		want float64
	}{
		{orb.Point{-74.5, 39.5}, 0},
		{orb.Point{-75, 39.5}, 0},
		{orb.Point{-74.5, 40.1}, Distance(orb.Point{-74.5, 40.1}, orb.Point{-74.5, 40})},
		{orb.Point{-75.1, 40.05}, Distance(orb.Point{-75.1, 40.05}, orb.Point{-75, 40})},
	} {
		if got := DistanceTo(square, c.p); math.Abs(got-c.want) > c.want*0.005 {
			t.Errorf("DistanceTo(%v) = %.1f m, want %.1f", c.p, got, c.want)
		}
	}
	if got := DistanceTo(nil, orb.Point{}); !math.IsInf(got, 1) {
		t.Errorf("distance to an empty outline = %f", got)
	}
}

func TestHilbertKeepsNeighboursTogether(t *testing.T) {
	// The cells of a coarse grid, in the order of their keys, are each next to the previous one.
	const n = 16
	cells := map[uint64][2]int{}
	for x := range n {
		for y := range n {
			p := orb.Point{-180 + (float64(x)+0.5)*360/n, -90 + (float64(y)+0.5)*180/n}
			cells[Hilbert(p)>>(2*(31-4))] = [2]int{x, y}
		}
	}
	if len(cells) != n*n {
		t.Fatalf("%d keys for %d cells", len(cells), n*n)
	}
	for key := uint64(1); key < n*n; key++ {
		a, b := cells[key-1], cells[key]
		if abs(a[0]-b[0])+abs(a[1]-b[1]) != 1 {
			t.Errorf("key %d is at %v, the one before at %v", key, b, a)
		}
	}
	if Hilbert(orb.Point{-500, math.NaN()}) != Hilbert(orb.Point{-180, -90}) {
		t.Error("a point outside the world does not take the nearest place")
	}
}

func abs(v int) int { return max(v, -v) }

func TestDistanceWithinAgreesWithDistanceTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := orb.MultiPolygon{{star(t)}, {box(-73, 38, -72, 40)}}
		p := orb.Point{rapid.Float64Range(-77, -71).Draw(t, "x"), rapid.Float64Range(37, 41).Draw(t, "y")}
		limit := rapid.Float64Range(0, 100000).Draw(t, "limit")
		got, want := Prepare(m).DistanceWithin(p, limit), DistanceTo(m, p)
		if want > limit {
			want = math.Inf(1)
		}
		if got != want {
			t.Errorf("%f m within %f m, want %f", got, limit, want)
		}
	})
}
