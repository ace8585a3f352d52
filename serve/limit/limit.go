// Package limit says whether a client may call now. In: who calls, how many requests a second its agreement allows,
// and the time. Out: a Verdict. The Limiter interface is the seam for limits that several servers share; Memory keeps
// them in this process.
package limit

import (
	"sync"
	"sync/atomic"
	"time"
)

// Verdict is what a Limiter says to one request.
type Verdict struct {
	Allowed   bool
	Remaining int           // requests that would be allowed right now, this one taken off
	Wait      time.Duration // where not allowed: until one would be
}

// Limiter counts requests by client. It is safe for many goroutines.
type Limiter interface {
	// Take asks for one request of a client whose agreement allows perSecond (at least 1) on average and in a burst.
	Take(client string, perSecond int, now time.Time) Verdict
}

// Memory is a Limiter in this process. The zero value is ready. It holds 8 bytes and an id for each client that ever
// called, so it is bounded by the number of accounts.
type Memory struct {
	clients sync.Map // id → *atomic.Int64
	start   atomic.Pointer[time.Time]
}

// Take lets requests through at an even rate, with a second's worth of burst (the generic cell rate algorithm): all
// that is kept of a client is when its allowance would be full again.
func (m *Memory) Take(client string, perSecond int, now time.Time) Verdict {
	state, ok := m.clients.Load(client)
	if !ok {
		state, _ = m.clients.LoadOrStore(client, new(atomic.Int64))
	}
	full := state.(*atomic.Int64)
	clock := int64(now.Sub(m.epoch(now)))
	interval := int64(time.Second) / int64(perSecond)
	for {
		old := full.Load()
		next := max(old, clock) + interval
		if ahead := next - clock; ahead > int64(perSecond)*interval {
			return Verdict{Wait: time.Duration(ahead - int64(perSecond)*interval)}
		}
		if full.CompareAndSwap(old, next) {
			return Verdict{Allowed: true, Remaining: int((clock - next + int64(perSecond)*interval) / interval)}
		}
	}
}

// epoch is the time of the first request: differences to it are monotonic and start above zero.
func (m *Memory) epoch(now time.Time) time.Time {
	if start := m.start.Load(); start != nil {
		return *start
	}
	start := now.Add(-time.Hour)
	m.start.CompareAndSwap(nil, &start)
	return *m.start.Load()
}
