package travel

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/internal/travel/streets"
)

// TestReasonBetweenRegions: between two regions no streets are known, whether or not timetables are.
func TestReasonBetweenRegions(t *testing.T) {
	var b streets.Builder
	var parts travel.Parts
	var at []coord.Point
	for i, lng := range []float64{-75, -73} {
		box := orb.MultiPolygon{{{{lng - 1, 44}, {lng + 0.9, 44}, {lng + 0.9, 46}, {lng - 1, 46}, {lng - 1, 44}}}}
		ground, err := coord.NewArea(box)
		if err != nil {
			t.Fatal(err)
		}
		parts.Extents = append(parts.Extents, ground)
		west, _ := coord.NewPoint(lng, 45)
		east, _ := coord.NewPoint(lng+0.001, 45)
		e := streets.Edge{A: uint32(2 * i), B: uint32(2*i + 1), Length: 790, Forth: 790, Back: 790, Line: []coord.Point{west, east}}
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
		at = append(at, west)
	}
	n := b.Finish(nil)
	parts.Streets = [travel.Transit]*streets.Network{n, n, n}
	w := travel.New(parts)
	for mode := travel.Walk; mode < travel.Transit; mode++ {
		o := travel.Defaults(mode)
		minutes, err := w.Times(t.Context(), at[0], []coord.Point{at[1]}, o)
		if err != nil || minutes[0] != travel.Unknown {
			t.Fatalf("%v: %v, %v", mode, minutes, err)
		}
		if got := reasonOf(w, &o, at[0], at[1], minutes[0]); got != "not_covered" {
			t.Errorf("by %v: %s", mode, got)
		}
	}
}
