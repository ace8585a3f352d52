package parallel

import (
	"context"
	"errors"
	"testing"
)

func TestEveryNodeIsVisitedOnce(t *testing.T) {
	for _, nodes := range []int{0, 1, stretch - 1, stretch, stretch + 1, 10*stretch + 7} {
		visits := make([]int, nodes)
		if err := Nodes(context.Background(), nodes, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				visits[i]++
			}
		}); err != nil {
			t.Fatal(err)
		}
		for i, n := range visits {
			if n != 1 {
				t.Fatalf("of %d nodes, node %d was visited %d times", nodes, i, n)
			}
		}
	}
}

func TestCancelEndsTheSweep(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Nodes(ctx, 10*stretch, func(lo, hi int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
