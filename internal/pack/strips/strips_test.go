package strips

import (
	"math"
	"slices"
	"testing"

	"quartier/internal/coord"

	"pgregory.net/rapid"
)

func TestCutIsFourSearches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) coord.Point {
			return coord.Point{Lng: rapid.OneOf(rapid.Int32Range(-20, 20), rapid.Int32Range(-halfTurn, halfTurn)).Draw(t, "lng")}
		}), 0, 70).Draw(t, "points")
		slices.SortFunc(points, Compare)
		x := Index{Points: points}
		lo := rapid.IntRange(0, len(points)).Draw(t, "lo")
		hi := rapid.IntRange(lo, len(points)).Draw(t, "hi")
		var at [4]float64
		for i := range at {
			at[i] = rapid.OneOf(rapid.Float64Range(-21, 21), rapid.Float64Range(-3*halfTurn, 3*halfTurn),
				rapid.SampledFrom([]float64{math.Inf(-1), math.Inf(1), -3, 0, halfTurn, math.MaxInt32, math.MinInt32})).Draw(t, "at")
		}
		got := x.cut(uint32(lo), uint32(hi), at)
		for i := range at {
			if want := x.longitudes(uint32(lo), uint32(hi), at[i]); got[i] != want {
				t.Fatalf("%v in [%d,%d): %d, want %d", at[i], lo, hi, got[i], want)
			}
		}
	})
}

func TestPutMetres(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Hit{Decimetres: rapid.OneOf(rapid.Uint32Range(0, 200), rapid.Uint32Range(9_999_990, 10_000_010), rapid.Uint32()).Draw(t,
			"decimetres")}
		to := make([]byte, MaxMetres)
		if got, want := string(to[:h.PutMetres(to)]), string(h.AppendMetres(nil)); got != want {
			t.Fatalf("%d dm: %s, want %s", h.Decimetres, got, want)
		}
	})
}
