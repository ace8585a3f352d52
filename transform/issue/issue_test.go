package issue

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCounterDoesNotDependOnTheOrder(t *testing.T) {
	calls := [][2]string{{"no name", "b"}, {"no name", "a"}, {"closed", "c"}, {"no name", "d"}}
	want := []Issue{{"poi", "closed", 1, "c"}, {"poi", "no name", 3, "a"}}
	for seed := range uint64(10) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
		counter := NewCounter("poi")
		for _, c := range calls {
			counter.Add(c[0], c[1])
		}
		if got := counter.Issues(); !slices.Equal(got, want) {
			t.Errorf("issues %v, want %v", got, want)
		}
	}
}
