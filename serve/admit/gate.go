// Package admit shares the capacity of a server among those who ask, so that none of them can take what others need.
//
// A Gate admits requests of authenticated customers: it counts what they hold (requests in flight, bytes of answers that
// are made or sent) and lets them work, a few at a time. A Listener admits connections. Both follow one rule: a holder may
// take more while it holds no more than what is unused. One alone takes half at most, two a third each, n of them 1/(n+1)
// each, and as much as one of them has is always there for the next one (Choudhury and Hahne, dynamic thresholds, 1998).
//
// Whether a customer may ask at all, and how often, is not decided here but by package limit.
package admit

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Limits are those of a Gate.
type Limits struct {
	Requests int           // in flight at once: waiting, worked on and sent; 0: DefaultRequests
	Bytes    int64         // of answers that are made or sent, as far as they take memory of their own; 0: DefaultBytes
	Workers  int           // processors; 0: GOMAXPROCS
	Wait     time.Duration // for which a request waits for a processor; 0: DefaultWait
	Work     time.Duration // for which a request may be worked on; 0: DefaultWork
}

// The defaults of Limits.
const (
	DefaultRequests = 1024
	DefaultBytes    = 256 << 20
	DefaultWait     = 2 * time.Second
	DefaultWork     = 2 * time.Second // a hundred times what the slowest kind takes
)

// Why a Gate refuses a request.
var (
	ErrShare = errors.New("the customer has as many requests in flight as it may have")
	ErrBytes = errors.New("the answers of the customer take as much memory as they may take")
	ErrWait  = errors.New("no processor was free in time")
	ErrGone  = errors.New("the caller hung up before there was an answer")
	ErrLate  = errors.New("the work on the answer took too long")
)

const (
	perWorker = 4                // requests of one customer that are worked on at once, by processor: some wait for pages of files
	aloneFor  = 10 * time.Second // without a request of another customer, after which one may use all processors
)

// Gate admits requests. It is made by NewGate and safe for concurrent use.
//
// Work is divided by time: while several customers ask, as many requests are worked on as there are processors; each customer is
// worked for on all processors but one, and so are all requests together that take longer than longWork, so that whoever
// comes next need not wait for longer. Of those that wait the customer that has used the least goes first.
type Gate struct {
	limits    Limits
	customers sync.Map // *Customer by name

	mu       sync.Mutex
	requests int       // in flight
	bytes    int64     // of answers
	running  int       // requests that are worked on
	working  int       // customers that are worked for
	queue    int       // requests that wait
	long     int       // long requests that are worked on
	parked   []*Ticket // long requests that wait for others; if there are any, long is as large as it may be
	waiting  []*Customer
	active   []*Customer   // of whom something is worked on or waits
	used     time.Duration // by the active customer that had used the least when one joined
	last     *Customer     // who asked last
	mixed    time.Time     // when somebody else had asked before

	refused [len(reasons)]atomic.Int64
}

// Customer is what a customer holds. Its fields are those of the gate, and so is their lock.
type Customer struct {
	requests int
	bytes    int64
	running  int
	parked   int
	used     time.Duration // of processors: never less than that of the others when it began to ask
	queue    []*Ticket     // its requests that wait, in their order
}

// Cost is what the requests of one route cost on average: each new one counts for a sixteenth. The zero value is ready.
type Cost struct {
	// Waits is for routes that wait for something else than a processor, such as a body or a store. Their requests are admitted
	// without one, and take one by Work. It is set before use.
	Waits bool

	busy  time.Duration
	bytes int64
}

// Ticket is an admitted request. Its memory can be used again after Leave.
type Ticket struct {
	gate     *Gate
	customer *Customer
	cost     *Cost
	bytes    int64         // held
	busy     time.Duration // that the customer was charged
	begun    time.Time     // of the work
	working  bool
	long     bool          // is counted in Gate.long
	spent    time.Duration // on the work of a long one, when its turn was looked at last
	ready    chan struct{} // has an element when work may begin, of one that had to wait
}

// NewGate makes a gate.
func NewGate(limits Limits) *Gate {
	return &Gate{limits: Limits{
		Requests: cmp.Or(limits.Requests, DefaultRequests), Bytes: cmp.Or(limits.Bytes, DefaultBytes),
		Workers: cmp.Or(limits.Workers, runtime.GOMAXPROCS(0)), Wait: cmp.Or(limits.Wait, DefaultWait),
		Work: cmp.Or(limits.Work, DefaultWork),
	}}
}

// Customer returns the customer of a name.
func (g *Gate) Customer(name string) *Customer {
	if known, ok := g.customers.Load(name); ok {
		return known.(*Customer)
	}
	c, _ := g.customers.LoadOrStore(name, new(Customer))
	return c.(*Customer)
}

// Enter admits a request at the time now, and returns when work on it may begin: at once, unless its customer is worked for
// already on as many processors as it may have. On success the ticket must be given back by Leave.
func (g *Gate) Enter(ctx context.Context, t *Ticket, c *Customer, cost *Cost, now time.Time) error {
	t.gate, t.customer, t.cost = g, c, cost
	g.mu.Lock()
	if err := g.hold(t); err != nil {
		g.mu.Unlock()
		return g.refuse(err)
	}
	if c != g.last {
		if g.last != nil {
			g.mixed = now
		}
		g.last = c
	}
	if cost.Waits {
		t.begun = now
		g.mu.Unlock()
		return nil
	}
	err := t.work(ctx, now)
	if err != nil {
		t.Leave(now)
	}
	return err
}

// Work takes a processor for an admitted request that has none, and returns when it may be used: until Rest or Made.
func (t *Ticket) Work(ctx context.Context, now time.Time) error {
	t.gate.mu.Lock()
	return t.work(ctx, now)
}

// work is Work where the gate is locked. It unlocks it.
func (t *Ticket) work(ctx context.Context, now time.Time) error {
	g, c := t.gate, t.customer
	g.join(c)
	if len(c.queue) == 0 && g.mayWork(c, now) {
		g.begin(t, now)
		g.mu.Unlock()
		return nil
	}
	g.enqueue(t)
	g.mu.Unlock()
	return g.await(ctx, t)
}

// Rest gives the processor of a request back while it waits for something else.
func (t *Ticket) Rest(now time.Time) {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if t.working {
		t.learn(now)
		t.gate.rest(t, now)
	}
}

// Hold counts bytes that a request takes before its answer is made, such as those of its body. It fails if that is more memory
// than the customer may have.
func (t *Ticket) Hold(bytes int64) error {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return t.take(bytes)
}

// hold counts a request and the bytes that its answer probably has.
func (g *Gate) hold(t *Ticket) error {
	c := t.customer
	if c.requests >= g.limits.Requests-g.requests {
		return ErrShare
	}
	t.bytes = t.cost.bytes
	if t.bytes > g.bytesFor(c) {
		return ErrBytes
	}
	g.requests++
	c.requests++
	g.bytes += t.bytes
	c.bytes += t.bytes
	return nil
}

// bytesFor is how many more bytes a customer may hold: with them it has as many as are then unused.
func (g *Gate) bytesFor(c *Customer) int64 { return (g.limits.Bytes - g.bytes - c.bytes) / 2 }

func (g *Gate) mayWork(c *Customer, now time.Time) bool {
	if g.alone(now) {
		return g.running < perWorker*g.limits.Workers
	}
	if c.running+c.parked >= g.fewer() {
		return false
	}
	return g.running < g.limits.Workers || c.running == 0 && g.working < max(2, g.limits.Workers) && g.running < perWorker*g.limits.Workers
}

// begin charges the customer with what the request probably costs.
func (g *Gate) begin(t *Ticket, now time.Time) {
	c := t.customer
	g.on(c)
	t.busy, t.begun, t.working = t.cost.busy, now, true
	c.used += t.busy
}

// on and off count a request of a customer that is worked on.
func (g *Gate) on(c *Customer) {
	if c.running == 0 {
		g.working++
	}
	g.running++
	c.running++
}

func (g *Gate) off(c *Customer) {
	g.running--
	if c.running--; c.running == 0 {
		g.working--
	}
}

// Made says that the work on a request has ended, and that its answer takes the given bytes until Leave. It fails if that
// is more memory than the customer may have.
func (t *Ticket) Made(bytes int64, now time.Time) error {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	t.cost.bytes += (bytes - t.cost.bytes) / 16
	if t.working {
		t.learn(now)
		t.gate.rest(t, now)
	}
	return t.take(bytes)
}

// take makes the bytes that a request holds those.
func (t *Ticket) take(bytes int64) error {
	g, c := t.gate, t.customer
	more := bytes - t.bytes
	if more > 0 && more > g.bytesFor(c) {
		return g.refuse(ErrBytes)
	}
	g.bytes += more
	c.bytes += more
	t.bytes = bytes
	return nil
}

// learn makes the time of work that has ended part of what the route costs.
func (t *Ticket) learn(now time.Time) {
	t.cost.busy += (max(0, now.Sub(t.begun)) - t.cost.busy) / 16
}

// rest ends the work on a request, for which its customer is charged, and begins that on others.
func (g *Gate) rest(t *Ticket, now time.Time) {
	t.customer.used += max(0, now.Sub(t.begun)) - t.busy
	g.off(t.customer)
	t.working = false
	if t.long {
		t.long = false
		g.long--
		if next := g.least(); next != nil {
			g.long++
			g.resume(next)
		}
	}
	if g.queue > 0 {
		g.beginWaiting(now)
	}
	g.part(t.customer)
}

// Over is why work on a request should end: nobody waits for it any more, or it takes too long. nil if it need not. It returns
// when it is the turn of the request, if that is long.
func (t *Ticket) Over(ctx context.Context, now time.Time) error {
	switch {
	case ctx.Err() != nil:
		return t.gate.refuse(ErrGone)
	case now.Sub(t.begun) > t.gate.limits.Work:
		return t.gate.refuse(ErrLate)
	case t.working && now.Sub(t.begun) > longWork:
		return t.gate.turn(ctx, t, now.Sub(t.begun), now)
	}
	return nil
}

// Leave ends a request: what it holds is free.
func (t *Ticket) Leave(now time.Time) {
	g, c := t.gate, t.customer
	g.mu.Lock()
	if t.working { // it failed
		g.rest(t, now)
	}
	g.requests--
	c.requests--
	g.bytes -= t.bytes
	c.bytes -= t.bytes
	g.mu.Unlock()
	t.gate, t.customer, t.cost, t.bytes = nil, nil, nil, 0
}
