package figures

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestArrange compares percentiles with those of sorted values, with many equal ones too.
func TestArrange(t *testing.T) {
	percents := []int{0, 10, 25, 50, 75, 90, 100}
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{1, 5, 1000, 1_000_000}).Draw(t, "most")
		whole := rapid.SliceOfN(rapid.IntRange(-most, most), 1, 400).Draw(t, "values")
		values := make([]float64, len(whole))
		for i, n := range whole {
			values[i] = float64(n)
		}
		if rapid.Bool().Draw(t, "sorted") {
			slices.Sort(values)
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		arrangeFor(values, percents)
		for _, p := range percents {
			if got, want := quantile(values, p), quantile(sorted, p); got != want {
				t.Fatalf("percentile %d is %v, want %v", p, got, want)
			}
		}
		slices.Sort(values)
		if !slices.Equal(values, sorted) {
			t.Fatal("values were lost")
		}
	})
}

func TestConditions(t *testing.T) {
	for _, c := range []struct{ sold, listed, assessment, qualifier int64 }{
		{20, 100, 2, 14}, {15, 100, 0, -14}, {16, 100, 1, -9}, {0, 5, 0, -100}, {35, 100, 2, 100}, {70, 100, 2, 100}, {7, 40, 1, 0},
		{21, 100, 2, 20},
	} {
		if a, q := Conditions(c.sold, c.listed, 2000, 1500, 1750); a != c.assessment || q != c.qualifier {
			t.Errorf("%d of %d: %d, %d, want %d, %d", c.sold, c.listed, a, q, c.assessment, c.qualifier)
		}
	}
}
