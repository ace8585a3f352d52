package admit

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// enter admits a request that need not wait.
func enter(t *testing.T, g *Gate, name string, cost *Cost, now time.Time) *Ticket {
	t.Helper()
	ticket := new(Ticket)
	if err := g.Enter(t.Context(), ticket, g.Customer(name), cost, now); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return ticket
}

func TestOneCustomerTakesHalfOfTheRequests(t *testing.T) {
	g := NewGate(Limits{Requests: 8, Workers: 8})
	var cost Cost
	var held []*Ticket
	for range 4 {
		held = append(held, enter(t, g, "a", &cost, start))
	}
	if err := g.Enter(t.Context(), new(Ticket), g.Customer("a"), &cost, start); !errors.Is(err, ErrShare) {
		t.Errorf("the fifth of eight: %v", err)
	}
	for range 2 {
		held = append(held, enter(t, g, "b", &cost, start))
	}
	if err := g.Enter(t.Context(), new(Ticket), g.Customer("b"), &cost, start); !errors.Is(err, ErrShare) {
		t.Errorf("the third of b: %v", err)
	}
	held = append(held, enter(t, g, "c", &cost, start))
	for _, ticket := range held {
		ticket.Leave(start)
	}
	if got := g.Usage(); got.Requests != 0 || got.Running != 0 || got.Bytes != 0 || got.Refused["requests"] != 2 {
		t.Errorf("%+v", got)
	}
	if err := g.Enter(t.Context(), new(Ticket), g.Customer("a"), &cost, start); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestAnswersTakeHalfOfTheMemory(t *testing.T) {
	g := NewGate(Limits{Bytes: 1000, Workers: 8})
	var cost Cost
	first := enter(t, g, "a", &cost, start)
	if err := first.Made(501, start); !errors.Is(err, ErrBytes) {
		t.Errorf("501 of 1000 bytes: %v", err)
	}
	if err := first.Made(500, start); err != nil {
		t.Errorf("500 of 1000 bytes: %v", err)
	}
	if cost.bytes != 31+29 {
		t.Errorf("%d bytes on average", cost.bytes)
	}
	if err := g.Enter(t.Context(), new(Ticket), g.Customer("a"), &cost, start); !errors.Is(err, ErrBytes) {
		t.Errorf("another answer of about 60 bytes: %v", err)
	}
	second := enter(t, g, "b", &cost, start)
	if err := second.Made(250, start); err != nil {
		t.Errorf("of another customer: %v", err)
	}
	first.Leave(start)
	if got := g.Usage(); got.Bytes != 250 {
		t.Errorf("%+v", got)
	}
}

// TestAProcessorIsKept asks as one customer, alone and then beside another one.
func TestAProcessorIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Limits{Workers: 2})
		var cost Cost
		var held []*Ticket
		for range 8 { // alone: four for each processor
			held = append(held, enter(t, g, "a", &cost, time.Now()))
		}
		for _, ticket := range held {
			ticket.Made(0, time.Now())
		}
		enter(t, g, "b", &cost, time.Now()).Leave(time.Now())
		working := enter(t, g, "a", &cost, time.Now())
		second := new(Ticket)
		result := make(chan error, 1)
		go func() { result <- g.Enter(t.Context(), second, g.Customer("a"), &cost, time.Now()) }()
		synctest.Wait()
		if got := g.Usage(); got.Running != 1 || got.Waiting != 1 {
			t.Fatalf("beside b: %+v", got)
		}
		enter(t, g, "b", &cost, time.Now()).Leave(time.Now()) // at once
		working.Made(0, time.Now())
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		second.Made(0, time.Now())

		time.Sleep(aloneFor + time.Second)
		enter(t, g, "a", &cost, time.Now()) // a after b
		time.Sleep(aloneFor + time.Second)
		enter(t, g, "a", &cost, time.Now())
		enter(t, g, "a", &cost, time.Now()) // alone again
	})
}

// TestWorkIsDividedByTime lets a customer of expensive requests and one of cheap requests wait for one processor.
func TestWorkIsDividedByTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Limits{Workers: 1, Wait: time.Hour})
		var mu sync.Mutex
		var order []string
		begun := make(chan struct{})
		var all sync.WaitGroup
		ask := func(name string, took time.Duration) {
			all.Go(func() {
				<-begun
				var ticket Ticket
				var cost Cost
				if err := g.Enter(t.Context(), &ticket, g.Customer(name), &cost, time.Now()); err != nil {
					t.Error(err)
				}
				time.Sleep(took)
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				ticket.Leave(time.Now())
			})
		}
		for range 3 {
			ask("expensive", 100*time.Millisecond)
			ask("cheap", 10*time.Millisecond)
		}
		close(begun)
		all.Wait()
		cheap := 0
		for i, name := range order[:4] { // all cheap ones are done after at most one expensive request
			if name == "cheap" {
				cheap++
			}
			_ = i
		}
		if cheap != 3 {
			t.Errorf("order %v", order)
		}
	})
}

func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Limits{Workers: 1, Wait: time.Second})
		var cost Cost
		enter(t, g, "b", &cost, time.Now()).Leave(time.Now())
		working := enter(t, g, "a", &cost, time.Now())
		begun := time.Now()
		if err := g.Enter(t.Context(), new(Ticket), g.Customer("a"), &cost, begun); !errors.Is(err, ErrWait) {
			t.Errorf("%v", err)
		}
		if waited := time.Since(begun); waited != time.Second {
			t.Errorf("waited %v", waited)
		}
		gone, hangUp := context.WithCancel(t.Context())
		hangUp()
		if err := g.Enter(gone, new(Ticket), g.Customer("a"), &cost, time.Now()); !errors.Is(err, ErrGone) {
			t.Errorf("%v", err)
		}
		if got := g.Usage(); got.Requests != 1 || got.Waiting != 0 || got.Running != 1 {
			t.Errorf("%+v", got)
		}
		working.Leave(time.Now())
	})
}

func TestStoreRequestsNeedNoProcessor(t *testing.T) {
	g := NewGate(Limits{Workers: 1})
	cost := Cost{Waits: true}
	for _, name := range []string{"a", "b", "a", "a"} {
		enter(t, g, name, &cost, start)
	}
	if got := g.Usage(); got.Running != 0 || got.Requests != 4 {
		t.Errorf("%+v", got)
	}
}

// TestWorkOfOneThatWaits takes a processor for a part of a request, for which its customer is charged, and counts its body.
func TestWorkOfOneThatWaits(t *testing.T) {
	g := NewGate(Limits{Workers: 1, Bytes: 1000, Wait: time.Millisecond})
	cost := Cost{Waits: true}
	ticket := enter(t, g, "a", &cost, start)
	enter(t, g, "b", &cost, start)
	if err := ticket.Hold(400); err != nil {
		t.Fatal(err)
	}
	if err := ticket.Hold(900); !errors.Is(err, ErrBytes) {
		t.Errorf("900 of 1000 bytes: %v", err)
	}
	if err := ticket.Work(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	second := enter(t, g, "a", &cost, start)
	if err := second.Work(t.Context(), start); !errors.Is(err, ErrWait) {
		t.Errorf("a second processor of one: %v", err)
	}
	second.Leave(start)
	if got := g.Usage(); got.Running != 1 || got.Requests != 2 || got.Bytes != 400 {
		t.Errorf("%+v", got)
	}
	ticket.Rest(start.Add(16 * time.Second))
	ticket.Rest(start.Add(20 * time.Second)) // has none any more
	if got := g.Customer("a").used; got != 16*time.Second || cost.busy != time.Second {
		t.Errorf("charged with %v, %v on average", got, cost.busy)
	}
	if err := ticket.Made(10, start); err != nil {
		t.Error(err)
	}
	if got := g.Usage(); got.Running != 0 || got.Bytes != 10 {
		t.Errorf("%+v", got)
	}
}

// TestCountsReturnToZero runs random requests of random customers, some of which hang up, and compares the counts with
// their limits at every moment.
func TestCountsReturnToZero(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		limits := Limits{
			Requests: rapid.IntRange(1, 12).Draw(r, "requests"), Bytes: rapid.Int64Range(1, 1000).Draw(r, "bytes"),
			Workers: rapid.IntRange(1, 3).Draw(r, "workers"), Wait: time.Hour, Work: time.Hour,
		}
		g := NewGate(limits)
		costs := []*Cost{{}, {Waits: true}, {}}
		type one struct {
			name   string
			cost   int
			bytes  int64
			works  bool // for long
			leaves bool // before the answer is made
		}
		requests := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) one {
			return one{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "customer"), rapid.IntRange(0, 2).Draw(r, "route"),
				rapid.Int64Range(0, 400).Draw(r, "size"), rapid.Bool().Draw(r, "works"), rapid.Bool().Draw(r, "leaves")}
		}), 1, 40).Draw(r, "requests")
		var all sync.WaitGroup
		for i, q := range requests {
			all.Go(func() {
				var ticket Ticket
				now := start.Add(time.Duration(i) * time.Second)
				if g.Enter(t.Context(), &ticket, g.Customer(q.name), costs[q.cost], now) != nil {
					return
				}
				if got := g.Usage(); got.Requests > limits.Requests || got.Bytes > limits.Bytes || got.Running > perWorker*limits.Workers {
					r.Errorf("%+v of %+v", got, limits)
				}
				for range 3 {
					if q.works && ticket.Over(t.Context(), now.Add(time.Second)) != nil {
						r.Errorf("the work ends")
					}
				}
				if costs[q.cost].Waits && ticket.Hold(q.bytes) == nil && ticket.Work(t.Context(), now) == nil && q.bytes%2 == 0 {
					ticket.Rest(now)
				}
				if !q.leaves {
					ticket.Made(q.bytes, now)
				}
				ticket.Leave(now)
			})
		}
		all.Wait()
		if got := g.Usage(); got.Requests != 0 || got.Bytes != 0 || got.Running != 0 || got.Waiting != 0 {
			r.Fatalf("%+v", got)
		}
	})
}

func BenchmarkEnter(b *testing.B) {
	g := NewGate(Limits{})
	customer := g.Customer("a")
	now := time.Now()
	b.RunParallel(func(p *testing.PB) {
		var ticket Ticket
		var cost Cost
		for p.Next() {
			g.Enter(b.Context(), &ticket, customer, &cost, now)
			ticket.Made(1000, now)
			ticket.Leave(now)
		}
	})
}
