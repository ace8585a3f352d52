package compare

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
)

// TestSpreads compares distance and medians with their definitions over lists.
func TestSpreads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all tally
		var values [2][]int
		for side := range values {
			values[side] = rapid.SliceOfN(rapid.IntRange(0, scaleEnd), 1, 30).Draw(t, "values")
			for _, v := range values[side] {
				pair := [2]float64{math.NaN(), math.NaN()}
				pair[side] = float64(v)
				older, newer := number(pair[0]), number(pair[1])
				older.Valid, newer.Valid = side == 0, side == 1
				all.add(schemas.Scores[0].ID, older, newer)
			}
			slices.Sort(values[side])
		}
		share := func(side, most int) float64 {
			n := 0
			for _, v := range values[side] {
				if v <= most {
					n++
				}
			}
			return float64(n) / float64(len(values[side]))
		}
		want := 0.0
		for _, v := range append(slices.Clone(values[0]), values[1]...) {
			want = max(want, math.Abs(share(0, v)-share(1, v)))
		}
		got := all.spreads()[0]
		if math.Abs(got.Distance-want) > 1e-9 {
			t.Fatalf("distance %v, want %v", got.Distance, want)
		}
		for side, s := range []Spread{got.Older, got.Newer} {
			median := float64(values[side][(len(values[side])-1)/2]) / schemas.UnitValue
			if s.Median != median || s.Known != int64(len(values[side])) {
				t.Fatalf("%+v, want the median %v of %v", s, median, values[side])
			}
		}
	})
}

// TestLeastDifference compares the difference of the last of some geographies with that in a sorted list.
func TestLeastDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all tally
		var differences []int
		for _, pair := range rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int {
			return [2]int{rapid.IntRange(0, scaleEnd).Draw(t, "older"), rapid.IntRange(0, scaleEnd).Draw(t, "newer")}
		}), 1, 30).Draw(t, "pairs") {
			all.add(schemas.Scores[0].ID, number(float64(pair[0])), number(float64(pair[1])))
			differences = append(differences, max(pair[0]-pair[1], pair[1]-pair[0]))
		}
		slices.Sort(differences)
		most, want := rapid.IntRange(1, 40).Draw(t, "most"), 1
		if most <= len(differences) {
			want = max(differences[len(differences)-most], 1)
		}
		if got := all.spreads()[0].least(most); got != want {
			t.Fatalf("least %d of %v for %d, want %d", got, differences, most, want)
		}
	})
}
