package shared

import (
	"hash/maphash"
	"sync"
	"time"

	"quartier/serve/limit"
)

// allowance is what a server knows of a caller.
type allowance struct {
	mu sync.Mutex // held during a call: further requests of the caller wait for its answer

	stock     int       // requests of the lease that are left
	expires   time.Time // of the lease
	lease     int       // requests that were asked for last
	remaining int       // requests that others and this server could have made after the last call
	ask       time.Time // when the store has requests again

	full time.Time // when the server's share would be full again, had it decided alone; counted always
	owed int       // requests allowed alone that the store does not know of
}

// take uses one request of the lease.
func (a *allowance) take(share share, now time.Time) limit.Decision {
	a.stock--
	a.full = later(a.full, now).Add(share.interval)
	if most := now.Add(share.tolerance); a.full.After(most) {
		a.full = most
	}
	return limit.Decision{Allowed: true, Remaining: a.stock + a.remaining}
}

// missing is the number of requests by which the server's share is not full.
func (a *allowance) missing(share share, now time.Time) int {
	return int((max(0, a.full.Sub(now)) + share.interval - 1) / share.interval)
}

const (
	window  = 2 * time.Minute // longer than the largest share takes to become full again, MaxServers seconds
	maxKeys = 1 << 16
)

// table has the allowances of callers, those of two windows of at most maxKeys each. One that was not used in a window is
// full again.
type table struct {
	seed maphash.Seed // keys are kept as hashes, which callers cannot predict

	mu                sync.Mutex
	current, previous map[uint64]*allowance
	rotated           time.Time
}

func (t *table) init() {
	t.seed = maphash.MakeSeed()
	t.current, t.previous = map[uint64]*allowance{}, map[uint64]*allowance{}
}

// of returns the allowance of a caller.
func (t *table) of(key string, now time.Time) *allowance {
	hash := maphash.String(t.seed, key)
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.rotated) >= window || len(t.current) >= maxKeys {
		t.current, t.previous = t.previous, t.current
		clear(t.current)
		t.rotated = now
	}
	a := t.current[hash]
	if a != nil {
		return a
	}
	if a = t.previous[hash]; a == nil {
		a = new(allowance)
	}
	t.current[hash] = a
	return a
}
