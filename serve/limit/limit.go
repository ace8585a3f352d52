// Package limit decides whether a request may be made now. Input: who makes it, as a key, the rate that it is limited to,
// and the time. Output: a Decision. Memory limits the requests of this process; package shared those of several servers.
package limit

import (
	"hash/maphash"
	"sync"
	"time"
)

// Decision is a Limiter's answer to one request.
type Decision struct {
	Allowed   bool
	Remaining int           // further requests that would be allowed right now
	Wait      time.Duration // if not allowed: until one would be
}

// Rate is a limit of requests. Burst divided by PerSecond is at most a few seconds.
type Rate struct {
	PerSecond int // on average, at least 1
	Burst     int // at once, at least 1
}

// Interval is the time in which one request becomes available again, at least a nanosecond.
func (r Rate) Interval() time.Duration { return max(1, time.Second/time.Duration(r.PerSecond)) }

// Window is the time in which a burst becomes available again, in whole seconds.
func (r Rate) Window() int { return (r.Burst + r.PerSecond - 1) / r.PerSecond }

// Limiter counts requests by key. It is safe for concurrent use.
type Limiter interface {
	// Allow decides on one request. Requests with the same key share an allowance, whatever the rate of each.
	Allow(key string, rate Rate, now time.Time) Decision
}

// Memory is a Limiter in this process. Its size is bounded whatever the keys: it keeps those of two windows of at most
// maxKeys each. A key that was not used in a window has its whole allowance again, so that nothing is lost with it;
// only more than maxKeys in a window make it forget early, and then those that made no further request.
type Memory struct {
	seed maphash.Seed // keys are kept as hashes, which callers cannot predict

	mu                sync.Mutex
	start             time.Time                // of the limiter's clock: the first request
	current, previous map[uint64]time.Duration // when the allowance of a key is full again, on the limiter's clock
	rotated           time.Duration            // when current was begun
}

const (
	window  = 10 * time.Second // longer than any burst takes to become available again
	maxKeys = 1 << 16
)

// NewMemory makes a Memory.
func NewMemory() *Memory {
	return &Memory{seed: maphash.MakeSeed(), current: map[uint64]time.Duration{}, previous: map[uint64]time.Duration{}}
}

// Allow is the generic cell rate algorithm: all that is kept of a key is the time at which its allowance will be full
// again. Example at 2 requests per second and a burst of 2: each request moves that time ahead by 0.5 s, and a request
// that would move it more than 1 s ahead of now is rejected.
func (m *Memory) Allow(key string, rate Rate, now time.Time) Decision {
	hash, interval := m.hash(key), rate.Interval()
	tolerance := time.Duration(rate.Burst) * interval

	m.mu.Lock()
	defer m.mu.Unlock()
	full, clock := m.full(hash, now)
	next := full + interval
	if ahead := next - clock; ahead > tolerance {
		m.current[hash] = full
		return Decision{Wait: ahead - tolerance}
	}
	m.current[hash] = next
	return Decision{Allowed: true, Remaining: int((clock - next + tolerance) / interval)}
}

func (m *Memory) hash(key string) uint64 { return maphash.String(m.seed, key) }

// full returns when the allowance of a key is full again, and the time now, on the limiter's clock.
func (m *Memory) full(hash uint64, now time.Time) (full, clock time.Duration) {
	if m.start.IsZero() {
		m.start = now
	}
	clock = now.Sub(m.start)
	m.rotate(clock)
	full, known := m.current[hash]
	if !known {
		full = m.previous[hash]
	}
	return max(full, clock), clock
}

// rotate begins a new window where the current one is over or full.
func (m *Memory) rotate(clock time.Duration) {
	if clock-m.rotated < window && len(m.current) < maxKeys {
		return
	}
	m.current, m.previous = m.previous, m.current
	clear(m.current)
	m.rotated = clock
}
