// Package limit decides whether a client may make a request now. Input: the client, the requests per second that its
// agreement allows, and the time. Output: a Decision. Memory limits the requests of this process; the Limiter interface
// is the place for limits that several servers share.
package limit

import (
	"sync"
	"sync/atomic"
	"time"
)

// Decision is a Limiter's answer to one request.
type Decision struct {
	Allowed   bool
	Remaining int           // further requests that would be allowed right now
	Wait      time.Duration // if not allowed: until one would be
}

// Limiter counts requests by client. It is safe for concurrent use.
type Limiter interface {
	// Allow decides on one request of a client whose agreement allows perSecond (at least 1), on average and in a burst.
	Allow(client string, perSecond int, now time.Time) Decision
}

// Memory is a Limiter in this process. The zero value is ready. It keeps 8 bytes and an id for each client that ever
// called, so that its size is bounded by the number of accounts.
type Memory struct {
	clients sync.Map // id → *atomic.Int64
	start   atomic.Pointer[time.Time]
}

// Allow is the generic cell rate algorithm with a burst of one second's requests: all that is kept of a client is the
// time at which its allowance will be full again. Example at 2 requests per second: each request moves that time ahead
// by 0.5 s, and a request that would move it more than 1 s ahead of now is rejected.
func (m *Memory) Allow(client string, perSecond int, now time.Time) Decision {
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
			return Decision{Wait: time.Duration(ahead - int64(perSecond)*interval)}
		}
		if full.CompareAndSwap(old, next) {
			return Decision{Allowed: true, Remaining: int((clock - next + int64(perSecond)*interval) / interval)}
		}
	}
}

// epoch is an hour before the first request: differences from it are monotonic and positive.
func (m *Memory) epoch(now time.Time) time.Time {
	if start := m.start.Load(); start != nil {
		return *start
	}
	start := now.Add(-time.Hour)
	m.start.CompareAndSwap(nil, &start)
	return *m.start.Load()
}
