package admit

import (
	"context"
	"slices"
	"time"
)

// longWork is the work after which a request is long, and by which a long one may be ahead of one that waits.
const longWork = 250 * time.Microsecond

// turn is asked by a long request that is worked on, again and again. While several customers ask, long requests are worked on
// by all processors but one. Of the others that was worked on least goes on when one has ended or is ahead of it: what takes
// little more than longWork does not wait for what takes a hundred times that (least attained service).
func (g *Gate) turn(ctx context.Context, t *Ticket, now time.Time) error {
	g.mu.Lock()
	t.spent = now.Sub(t.begun)
	switch next := g.least(); {
	case g.alone(now), t.long && (next == nil || t.spent < next.spent+longWork):
		g.mu.Unlock()
		return nil
	case t.long:
		t.long = false
		g.resume(next)
	case g.long < g.fewer():
		t.long = true
		g.long++
		g.mu.Unlock()
		return nil
	}
	g.prepare(t)
	g.parked = append(g.parked, t)
	t.customer.parked++
	g.off(t.customer)
	g.beginWaiting(now)
	g.mu.Unlock()
	return g.parkedUntil(ctx, t)
}

// parkedUntil returns when work on a parked request goes on, or why it does not. The time until then is not that of the work.
func (g *Gate) parkedUntil(ctx context.Context, t *Ticket) error {
	begun := time.Now()
	err := g.wait(ctx, t)
	t.begun = t.begun.Add(time.Since(begun))
	if err == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.parked, t) { // its turn came at the same time
		<-t.ready
		return nil
	}
	g.unpark(t)
	t.working = false
	g.part(t.customer)
	return g.refuse(err)
}

// least is the parked request that was worked on least, of equals the one that has waited longer; nil if there is none.
func (g *Gate) least() (next *Ticket) {
	for _, t := range g.parked {
		if next == nil || t.spent < next.spent {
			next = t
		}
	}
	return next
}

// resume lets a parked request go on in the place of a long one.
func (g *Gate) resume(t *Ticket) {
	g.unpark(t)
	g.on(t.customer)
	t.long = true
	t.ready <- struct{}{}
}

func (g *Gate) unpark(t *Ticket) {
	at := slices.Index(g.parked, t)
	g.parked = slices.Delete(g.parked, at, at+1)
	t.customer.parked--
}

// fewer is the number of processors that one customer, or long requests, may take while several ask.
func (g *Gate) fewer() int { return max(1, g.limits.Workers-1) }

// alone reports whether only one customer asks.
func (g *Gate) alone(now time.Time) bool { return g.mixed.IsZero() || now.Sub(g.mixed) > aloneFor }

// join lets a customer begin to ask: it has used as much as the active one that has used the least, so that it need not wait for
// those that are ahead of it, and has nothing left over from when it did not ask.
func (g *Gate) join(c *Customer) {
	if c.asks() {
		return
	}
	for i, other := range g.active {
		if i == 0 || other.used < g.used {
			g.used = other.used
		}
	}
	c.used = max(c.used, g.used)
	g.active = append(g.active, c)
}

// asks reports whether a request of the customer is worked on or waits.
func (c *Customer) asks() bool { return c.running > 0 || c.parked > 0 || len(c.queue) > 0 }

// part ends a customer's asking for now, if nothing of it is worked on or waits.
func (g *Gate) part(c *Customer) {
	if c.asks() {
		return
	}
	at := slices.Index(g.active, c)
	g.active = slices.Delete(g.active, at, at+1)
	if len(g.active) == 0 {
		g.used = max(g.used, c.used)
	}
}
