package network

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRadixSort compares with a stable sort by comparison, with keys that are equal, near each other and of all 64 bits.
func TestRadixSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 9), rapid.Uint64Range(1<<40, 1<<40+5000))).Draw(t, "keys")
		items := make([]uint32, len(keys))
		for i := range items {
			items[i] = uint32(i)
		}
		items = rapid.Permutation(items).Draw(t, "items")
		want := slices.Clone(items)
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
		radixSort(items, func(i uint32) uint64 { return keys[i] })
		if !slices.Equal(items, want) {
			t.Fatalf("%v, want %v", items, want)
		}
	})
}
