package parallel

import (
	"context"
	"errors"
	"testing"
)

func TestEveryNodeIsVisitedOnce(t *testing.T) {
	for _, nodes := range []int{0, 1, chunk - 1, chunk, chunk + 1, 10*chunk + 7} {
		visits := make([]int, nodes)
		if err := Nodes(context.Background(), nodes, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				visits[i]++
			}
		}); err != nil {
			t.Fatal(err)
		}
		if err := Each(context.Background(), nodes, func(i int) { visits[i]++ }); err != nil {
			t.Fatal(err)
		}
		for i, n := range visits {
			if n != 2 {
				t.Fatalf("of %d nodes, node %d was visited %d times, want 2", nodes, i, n)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Nodes(ctx, 10*chunk, func(lo, hi int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
