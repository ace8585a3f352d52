package coord

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestAppendDegrees compares with the shortest decimal number that is read as the same float.
func TestAppendDegrees(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, units int32) {
		degrees := float64(units) / Scale
		want := strconv.FormatFloat(degrees, 'f', -1, 64)
		if got := string(AppendDegrees([]byte("x"), degrees)); got != "x"+want {
			t.Fatalf("%d units are %s, want x%s", units, got, want)
		}
	}
	for _, units := range []int32{0, 1, -1, 10, -9_999_999, 10_000_000, -751_234_000, 1_800_000_000, -1_800_000_000, math.MaxInt32,
		math.MinInt32} {
		check(t, units)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.Int32().Draw(t, "units")/rapid.SampledFrom([]int32{1, 1, 1000}).Draw(t, "scale"))
		check(t, rapid.Int32Range(-180, 180).Draw(t, "degrees")*Scale)
	})
}
