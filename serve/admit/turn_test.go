package admit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// working works on a request of a customer for a time, and asks for its turn every 100 µs. It returns how long it took.
func working(t *testing.T, g *Gate, name string, work time.Duration, step func(worked time.Duration, on bool)) time.Duration {
	var ticket Ticket
	var cost Cost
	begun := time.Now()
	if err := g.Enter(t.Context(), &ticket, g.Customer(name), &cost, begun); err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	const every = 100 * time.Microsecond
	for worked := time.Duration(0); worked < work; worked += every {
		step(worked, true)
		time.Sleep(every)
		step(worked, false)
		if err := ticket.Over(t.Context(), time.Now()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ticket.Made(0, time.Now())
	ticket.Leave(time.Now())
	return time.Since(begun)
}

// TestLongRequestsLeaveAProcessor lets twelve customers ask for what takes 20 ms each, and a thirteenth for what takes 300 µs, and a
// fourteenth for 5 ms.
func TestLongRequestsLeaveAProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Limits{Workers: 2})
		var long, most atomic.Int32
		step := func(worked time.Duration, on bool) {
			switch {
			case worked <= longWork:
			case !on:
				long.Add(-1)
			default:
				if n := long.Add(1); n > most.Load() {
					most.Store(n)
				}
			}
		}
		nothing := func(time.Duration, bool) {}
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() { working(t, g, fmt.Sprint(i), 20*time.Millisecond, step) })
		}
		time.Sleep(10 * time.Millisecond)
		for range 100 {
			if took := working(t, g, "thirteenth", 300*time.Microsecond, nothing); took > 300*time.Microsecond+4*longWork {
				t.Errorf("a short request takes %v", took)
			}
			time.Sleep(time.Millisecond)
		}
		if took := working(t, g, "fourteenth", 5*time.Millisecond, step); took > 13*6*time.Millisecond { // a thirteenth of a processor
			t.Errorf("a request of 5 ms takes %v", took)
		}
		all.Wait()
		if most.Load() != 1 {
			t.Errorf("%d long requests at once", most.Load())
		}
		if len(g.parked) > 0 || g.long > 0 || len(g.active) > 0 || g.running > 0 {
			t.Errorf("%+v", g.Usage())
		}
	})
}

// TestALongRequestWaitsForSomeTime parks requests whose turn does not come.
func TestALongRequestWaitsForSomeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Limits{Workers: 3, Wait: time.Second})
		var tickets [4]Ticket
		enter(t, g, "before", new(Cost), time.Now()).Leave(time.Now())
		gone, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		for i, want := range []error{nil, nil, ErrWait, ErrGone} {
			if err := g.Enter(t.Context(), &tickets[i], g.Customer(fmt.Sprint(i)), new(Cost), time.Now()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * longWork)
			if i == 3 {
				time.AfterFunc(time.Millisecond, hangUp)
			}
			if err := tickets[i].Over(gone, time.Now()); !errors.Is(err, want) {
				t.Errorf("request %d: %v", i, err)
			}
		}
		for i := range tickets {
			tickets[i].Leave(time.Now())
		}
		if u := g.Usage(); u.Requests != 0 || u.Running != 0 || len(g.parked) > 0 || len(g.active) > 0 || g.long != 0 {
			t.Errorf("%+v", u)
		}
	})
}

// TestWorkThatAsksForNoTurns lets twelve customers do what takes 3 ms in one step, again and again, and a thirteenth what takes 200
// and 500 µs.
func TestWorkThatAsksForNoTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Limits{Workers: 2})
		enter(t, g, "before", new(Cost), time.Now()).Leave(time.Now())
		ended := time.Now().Add(200 * time.Millisecond)
		var at, most atomic.Int32
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				for time.Now().Before(ended) {
					ticket := enter(t, g, fmt.Sprint(i), &Cost{Waits: true}, time.Now())
					if err := ticket.Work(t.Context(), time.Now()); err != nil {
						t.Error(err)
					}
					if err := ticket.Long(t.Context(), time.Now()); err != nil {
						t.Error(err)
					}
					if n := at.Add(1); n > most.Load() {
						most.Store(n)
					}
					time.Sleep(3 * time.Millisecond)
					at.Add(-1)
					ticket.Rest(time.Now())
					ticket.Leave(time.Now())
				}
			})
		}
		time.Sleep(10 * time.Millisecond)
		for range 20 {
			for _, work := range []time.Duration{2 * longWork / 3, 2 * longWork} {
				most := work
				if work > longWork {
					most += 3*time.Millisecond + longWork
				}
				if took := working(t, g, "thirteenth", work, func(time.Duration, bool) {}); took > most+longWork {
					t.Errorf("what takes %v took %v", work, took)
				}
				time.Sleep(time.Millisecond)
			}
		}
		all.Wait()
		if most.Load() != 1 {
			t.Errorf("%d at once", most.Load())
		}
		if len(g.parked) > 0 || g.long > 0 || len(g.active) > 0 || g.running > 0 {
			t.Errorf("%+v", g.Usage())
		}
	})
}
