package admit

import (
	"context"
	"slices"
	"time"
)

// enqueue adds a request to those that wait.
func (g *Gate) enqueue(t *Ticket) {
	g.prepare(t)
	c := t.customer
	if len(c.queue) == 0 {
		g.waiting = append(g.waiting, c)
	}
	c.queue = append(c.queue, t)
	g.queue++
}

// prepare makes what a request waits for.
func (g *Gate) prepare(t *Ticket) {
	if t.ready == nil {
		t.ready = make(chan struct{}, 1)
	}
}

// wait returns nil when a request is ready, or why it need not wait any longer.
func (g *Gate) wait(ctx context.Context, t *Ticket) error {
	late := time.NewTimer(g.limits.Wait)
	defer late.Stop()
	select {
	case <-t.ready:
		return nil
	case <-late.C:
		return ErrWait
	case <-ctx.Done():
		return ErrGone
	}
}

// await returns when work on a waiting request may begin, or why it will not.
func (g *Gate) await(ctx context.Context, t *Ticket) error {
	err := g.wait(ctx, t)
	if err == nil {
		return nil
	}
	g.mu.Lock()
	at := slices.Index(t.customer.queue, t)
	if at < 0 { // its turn came at the same time
		g.mu.Unlock()
		<-t.ready
		return nil
	}
	g.dequeue(t.customer, at)
	g.part(t.customer)
	g.mu.Unlock()
	return g.refuse(err)
}

// dequeue removes a request of a customer from those that wait.
func (g *Gate) dequeue(c *Customer, at int) *Ticket {
	t := c.queue[at]
	c.queue = slices.Delete(c.queue, at, at+1)
	g.queue--
	if len(c.queue) == 0 {
		at := slices.Index(g.waiting, c)
		g.waiting = slices.Delete(g.waiting, at, at+1)
	}
	return t
}

// beginWaiting begins work on requests that wait while it may: always the first one of the customer that has used the
// least, of equals of the one that has waited longer.
func (g *Gate) beginWaiting(now time.Time) {
	for {
		var next *Customer
		for _, c := range g.waiting {
			if (next == nil || c.used < next.used) && g.mayWork(c, now) {
				next = c
			}
		}
		if next == nil {
			return
		}
		t := g.dequeue(next, 0)
		g.begin(t, now)
		t.ready <- struct{}{}
	}
}

// reasons are the names of refusals in metrics, and their errors.
var reasons = [...]struct {
	name string
	err  error
}{{"requests", ErrShare}, {"bytes", ErrBytes}, {"wait", ErrWait}, {"gone", ErrGone}, {"late", ErrLate}}

// refuse counts a refusal.
func (g *Gate) refuse(err error) error {
	for i, r := range reasons {
		if r.err == err {
			g.refused[i].Add(1)
		}
	}
	return err
}

// Usage is what is in use at a moment.
type Usage struct {
	Requests, Running, Waiting int
	Bytes                      int64
	Refused                    map[string]int64 // since the start, by reason
}

// Usage returns what is in use.
func (g *Gate) Usage() Usage {
	refused := map[string]int64{}
	for i, r := range reasons {
		refused[r.name] = g.refused[i].Load()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return Usage{g.requests, g.running, g.queue, g.bytes, refused}
}
