package pois

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTally compares counts of many sets at once with counts one by one.
func TestTally(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var together tally
		var want [NumCategories]int
		for range rapid.IntRange(1, 5).Draw(t, "lists") {
			sets := rapid.SliceOfN(rapid.Uint64Range(0, 1<<NumCategories-1), 0, 300).Draw(t, "sets")
			together.addAll(sets)
			for _, set := range sets {
				for i := range want {
					want[i] += int(set >> i & 1)
				}
			}
		}
		var got [NumCategories]int
		if together.into(&got); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
