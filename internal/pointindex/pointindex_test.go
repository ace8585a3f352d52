package pointindex

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

func TestRunsHoldEverythingWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lat := rapid.Float64Range(-70, 70).Draw(t, "lat")
		points := rapid.SliceOf(rapid.Custom(func(t *rapid.T) coord.Point {
			p, _ := coord.NewPoint(10+rapid.Float64Range(-.03, .03).Draw(t, "x"), lat+rapid.Float64Range(-.03, .03).Draw(t, "y"))
			return p
		})).Draw(t, "points")
		index, order := New(points, rapid.Float64Range(1, 2000).Draw(t, "height"))
		from, _ := coord.NewPoint(10+rapid.Float64Range(-.05, .05).Draw(t, "lng"), lat+rapid.Float64Range(-.05, .05).Draw(t, "from lat"))
		at := from.Orb()
		radius := rapid.Float64Range(0, 3000).Draw(t, "radius")
		found := make([]int, len(points))
		last := 0
		index.Search(from, radius, func(lo, hi int) {
			if lo < last || hi <= lo {
				t.Fatalf("run %d to %d after %d", lo, hi, last)
			}
			last = hi
			for _, item := range order[lo:hi] {
				found[item]++
			}
		})
		for i, p := range points {
			lng, lat := p.Degrees()
			if d := geo.Distance(at, orb.Point{lng, lat}); found[i] > 1 || found[i] == 0 && d <= radius {
				t.Fatalf("point %d at %.1f m was found %d times within %.1f m", i, d, found[i], radius)
			}
		}
	})
}

func TestEqualPointsKeepTheirOrder(t *testing.T) {
	p := coord.Point{Lng: 5, Lat: 5}
	_, order := New([]coord.Point{p, {Lng: 4, Lat: 5}, p, p}, 100)
	if !slices.Equal(order, []uint32{1, 0, 2, 3}) {
		t.Errorf("order %v", order)
	}
}

func TestNothingIsNearNothing(t *testing.T) {
	index, _ := New(nil, 100)
	index.Search(coord.Point{Lng: 1, Lat: 1}, math.Inf(1), func(lo, hi int) { t.Errorf("run %d to %d", lo, hi) })
}
