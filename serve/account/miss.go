package account

import (
	"context"
	"time"
)

const (
	// missEvery is the least interval between looks for accounts that are not known, however many are asked for.
	missEvery = 50 * time.Millisecond
	// missWithin limits how long a caller waits for such a look.
	missWithin = time.Second
	// missedFor is how long a client that was looked for in vain is not looked for again.
	missedFor = lookEvery
	// mostMissed limits the clients and keys of which that is remembered.
	mostMissed = 1000
)

// Find is Client, but looks in the store for a client that is not known: it may have been made a moment ago. All who miss a
// client share the next look, and there are at most 20 a second, so that strangers cannot keep the store busy.
func (l *Live) Find(ctx context.Context, id string) *Client {
	if _, known := l.current.Load().clients[id]; !known && l.firstMiss(id, time.Now()) {
		l.await(ctx, l.nextLook())
	}
	return l.Client(id)
}

// FindAccess is Access, but looks in the store for a key that is not known, as Find does.
func (l *Live) FindAccess(ctx context.Context, key string) *Client {
	if c := l.Access(key); c != nil {
		return c
	}
	if l.firstMiss(AccessID(key), time.Now()) {
		l.await(ctx, l.nextLook())
	}
	return l.Access(key)
}

// firstMiss reports whether a client was not looked for in the last second.
func (l *Live) firstMiss(id string, now time.Time) bool {
	m := &l.misses
	m.Lock()
	defer m.Unlock()
	if last, ok := m.of[id]; ok && now.Sub(last) < missedFor {
		return false
	}
	if len(m.of) >= mostMissed || m.of == nil {
		m.of = map[string]time.Time{}
	}
	m.of[id] = now
	return true
}

// nextLook is closed after a look that begins later.
func (l *Live) nextLook() <-chan struct{} {
	m := &l.misses
	m.Lock()
	defer m.Unlock()
	if m.next == nil {
		m.next = make(chan struct{})
	}
	if !m.running {
		m.running = true
		go l.lookForMissed()
	}
	return m.next
}

// lookForMissed looks as long as somebody waits.
func (l *Live) lookForMissed() {
	m := &l.misses
	for {
		m.Lock()
		waiting := m.next
		m.next, m.running = nil, waiting != nil
		m.Unlock()
		if waiting == nil {
			return
		}
		l.missed.Add(1)
		l.look(context.Background())
		close(waiting)
		time.Sleep(missEvery)
	}
}

func (l *Live) await(ctx context.Context, done <-chan struct{}) {
	timer := time.NewTimer(missWithin)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
}
