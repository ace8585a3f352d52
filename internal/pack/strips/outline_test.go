package strips

import (
	"math"
	"testing"

	"quartier/internal/coord"
	"quartier/internal/pack/packtest"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// drawOutline draws up to 40 rings within a degree, some of them holes in others or islands next to them.
func drawOutline(t *rapid.T) coord.Area {
	var m orb.MultiPolygon
	for range rapid.IntRange(1, 40).Draw(t, "rings") {
		at := orb.Point{rapid.Float64Range(-76, -75).Draw(t, "x"), rapid.Float64Range(45, 46).Draw(t, "y")}
		m = append(m, orb.Polygon{packtest.Star(t, at, rapid.SampledFrom([]float64{0.001, 0.1, 0.6}).Draw(t, "size"))})
	}
	a, err := coord.NewArea(m)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestOutlineAgreesWithEveryEdge(t *testing.T) {
	var o outline
	rapid.Check(t, func(rt *rapid.T) {
		a := drawOutline(rt)
		o.build(a)
		metres := rapid.SampledFrom([]float64{1, 500, 10000}).Draw(rt, "metres")
		for range 50 {
			p := somewhere(rt, a)
			if got, want := o.contains(p), a.Contains(p); got != want {
				rt.Fatalf("%v inside: %v, want %v", p, got, want)
			}
			if got, want := o.within(p, metres), passesWithin(a, p, metres); got != want {
				rt.Fatalf("%v within %v m: %v, want %v", p, metres, got, want)
			}
		}
	})
}

// somewhere is a vertex, or on the latitude of one, or anywhere around.
func somewhere(t *rapid.T, a coord.Area) coord.Point {
	lng, lat := rapid.Float64Range(-77, -74).Draw(t, "lng"), rapid.Float64Range(44, 47).Draw(t, "lat")
	p, _ := coord.NewPoint(lng, lat)
	v := a.Points[rapid.IntRange(0, len(a.Points)-1).Draw(t, "vertex")]
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return v
	case 1:
		return coord.Point{Lng: p.Lng, Lat: v.Lat}
	}
	return p
}

func passesWithin(a coord.Area, p coord.Point, metres float64) bool {
	plane, limit := coord.NewPlane(p), metres*metres
	for i := range a.Ends {
		ring := a.Ring(i)
		for k := 1; k < len(ring); k++ {
			if squareToSegment(plane, ring[k-1], ring[k]) <= limit {
				return true
			}
		}
	}
	return false
}

func TestBetweenStretchesNothingIsNearAnEdge(t *testing.T) {
	var o outline
	rapid.Check(t, func(rt *rapid.T) {
		a := drawOutline(rt)
		o.build(a)
		buffer := rapid.SampledFrom([]float64{1, 30, 3000, 30000}).Draw(rt, "buffer")
		south := int64(rapid.IntRange(440000000, 470000000).Draw(rt, "south"))
		ranges := o.ranges(nil, south, south+stripHeight-1, buffer)
		for range 100 {
			lng := rapid.Float64Range(-77, -74).Draw(rt, "lng")
			if len(ranges) > 0 && rapid.Bool().Draw(rt, "at an end") {
				s := rapid.SampledFrom(ranges).Draw(rt, "lngRange")
				lng = rapid.SampledFrom([]float64{s.west - 1, s.east + 1}).Draw(rt, "end") / coord.Scale
			}
			up := rapid.IntRange(0, stripHeight-1).Draw(rt, "up")
			p, _ := coord.NewPoint(lng, float64(south+int64(up))/coord.Scale)
			least := 0.001
			if up == 0 || up == stripHeight-1 {
				least = 0 // an edge may pass just beyond the strip, which is not looked at
			}
			covered := false
			for _, s := range ranges {
				covered = covered || s.west <= float64(p.Lng) && float64(p.Lng) <= s.east
			}
			if !covered && passesWithin(a, p, math.Max(buffer, least)) {
				rt.Fatalf("%v is within %v m of an edge", p, buffer)
			}
		}
	})
}
