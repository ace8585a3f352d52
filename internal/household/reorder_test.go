package household

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestReorder(t *testing.T) {
	for n := range 40 {
		list, order, want := make([]int, n), make([]uint32, n), make([]int, n)
		for i, from := range rand.New(rand.NewPCG(1, uint64(n))).Perm(n) {
			list[i], order[i] = 100+i, uint32(from)
		}
		for i, from := range order {
			want[i] = list[from]
		}
		if reorder(list, order); !slices.Equal(list, want) {
			t.Errorf("%v, want %v", list, want)
		}
	}
}
