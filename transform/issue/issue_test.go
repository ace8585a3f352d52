package issue

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quartier/schemas/reason"
)

func TestCounterDoesNotDependOnTheOrder(t *testing.T) {
	var list reason.List
	unnamed, closed := list.Skipped("unnamed_poi", "The place has no name."), list.Skipped("permanently_closed", "The place is closed.")
	type call struct {
		why     reason.Reason
		example string
	}
	calls := []call{{unnamed, "b"}, {unnamed, "a"}, {closed.With("x"), "c"}, {closed.With("w"), "c"}, {unnamed, "d"}}
	want := []Issue{{"poi", closed.With("w"), 1, "c"}, {"poi", closed.With("x"), 1, "c"}, {"poi", unnamed, 3, "a"}}
	for seed := range uint64(10) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
		counter := NewCounter("poi")
		for _, c := range calls {
			counter.Add(c.why, c.example)
		}
		if got := counter.Issues(); !slices.Equal(got, want) {
			t.Errorf("issues %v, want %v", got, want)
		}
	}
}
