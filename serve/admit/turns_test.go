package admit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestCustomersTakeTurns has a customer with many calls and two with one.
func TestCustomersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(1, 3)
		var order []string
		var mu sync.Mutex
		ended := func(name string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, name)
		}
		var all sync.WaitGroup
		ask := func(name string) {
			all.Go(func() {
				if err := turns.Enter(t.Context(), name); err != nil {
					ended(fmt.Sprint(name, " ", errors.Is(err, ErrTurns)))
					return
				}
				time.Sleep(time.Second)
				ended(name)
				turns.Leave()
			})
			synctest.Wait()
		}
		for range 5 { // one is in turn, three wait, one is too many
			ask("a")
		}
		ask("b")
		ask("c")
		all.Wait()
		if want := []string{"a true", "a", "a", "b", "c", "a", "a"}; !slices.Equal(order, want) {
			t.Errorf("%q, want %q", order, want)
		}
	})
}

func TestWaitingForATurnEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(1, 3)
		if err := turns.Enter(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := turns.Enter(ctx, "b"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		turns.Leave()
		if len(turns.lines) != 0 || turns.free != 1 {
			t.Errorf("%d lines, %d free", len(turns.lines), turns.free)
		}
	})
}

// TestTurnsReturn has random calls, some of which give up, and counts those in turn and those that wait.
func TestTurnsReturn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		atOnce, most := rapid.IntRange(1, 3).Draw(r, "at once"), rapid.IntRange(1, 4).Draw(r, "most")
		turns := NewTurns(atOnce, most)
		var mu sync.Mutex
		var all sync.WaitGroup
		in := 0
		for range rapid.IntRange(1, 60).Draw(r, "calls") {
			name, patience := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "customer"), rapid.IntRange(0, 300).Draw(r, "microseconds")
			all.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(patience)*time.Microsecond)
				defer cancel()
				if turns.Enter(ctx, name) != nil {
					return
				}
				mu.Lock()
				if in++; in > atOnce {
					r.Errorf("%d at once of %d", in, atOnce)
				}
				mu.Unlock()
				time.Sleep(10 * time.Microsecond)
				mu.Lock()
				in--
				mu.Unlock()
				turns.Leave()
			})
		}
		all.Wait()
		if len(turns.lines) != 0 || turns.free != atOnce {
			r.Fatalf("%d lines, %d of %d free", len(turns.lines), turns.free, atOnce)
		}
	})
}
