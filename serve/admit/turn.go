package admit

import (
	"context"
	"slices"
	"time"
)

// longWork is the work after which a request is long, and by which a long one may be ahead of one that waits.
const longWork = 250 * time.Microsecond

// longStep is about what work takes that does not ask for its turn.
const longStep = 2 * time.Millisecond

// turn is asked by a long request that is worked on, again and again. While several customers ask, long requests are worked on
// by all processors but one. Of the others the first goes on when one has ended or is ahead of it: what takes little more than
// longWork does not wait for what takes a hundred times that.
func (g *Gate) turn(ctx context.Context, t *Ticket, spent time.Duration, now time.Time) error {
	g.mu.Lock()
	t.spent = spent
	switch next := g.least(); {
	case g.alone(now), t.long && (next == nil || !next.before(t, longWork)):
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

// Long says that the work which follows takes long and does not ask Over. It returns when it may begin, after what was worked on
// for less than such work takes.
func (t *Ticket) Long(ctx context.Context, now time.Time) error {
	if !t.working {
		return nil
	}
	return t.gate.turn(ctx, t, now.Sub(t.begun)+longStep, now)
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

// used is what the customer of a long request has used of processors, with the work on it until now.
func (t *Ticket) used() time.Duration { return t.customer.used - t.busy + t.spent }

// before reports whether a long request goes before another one, whose work is ahead by more than lead: what was worked on for
// less than half a longStep does, and of the others that of the customer that has used less.
func (t *Ticket) before(other *Ticket, lead time.Duration) bool {
	short := t.spent < longStep/2
	switch otherShort := other.spent < longStep/2; {
	case short != otherShort:
		return short
	case short:
		return t.spent+lead < other.spent
	}
	return t.used()+lead < other.used()
}

// least is the parked request that goes before the others, of equals the one that has waited longer; nil if there is none.
func (g *Gate) least() (next *Ticket) {
	for _, t := range g.parked {
		if next == nil || t.before(next, 0) {
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
