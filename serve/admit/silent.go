package admit

import (
	"cmp"
	"context"
	"net"
	"slices"
	"time"
)

const (
	fullAt      = 0.8              // of a table of connections, from where silent ones make room
	evictedPart = 32               // of a table that makes room at once, so that few have to look for the oldest
	keptPart    = 10               // of a table that is for known networks
	restingAt   = 10 * time.Second // of silence, from which a connection of a known network is not in use
	searchEvery = time.Millisecond // if there is none that can make room
	noteEvery   = time.Minute      // of one connection: when its tokens are noted again
)

// silence is a connection that is silent, in the order in which such give way.
type silence struct {
	conn  *Conn
	known bool
	since int64 // on the listener's clock
}

func (a silence) compare(b silence) int {
	switch {
	case a.known == b.known:
		return cmp.Compare(a.since, b.since)
	case b.known:
		return -1
	}
	return 1
}

// evict closes the silent connections that have waited longest, if the table is nearly full when one arrives: first those of
// networks that showed no valid token, then those of others that rest, and of all others where one that is known would find
// no room. A connection is silent while nothing that it asked for is being answered. Those of proxies stay.
func (l *Listener) evict(arrived *Conn) {
	var all []silence
	now := l.clock()
	resting := now - int64(restingAt)
	l.mu.Lock()
	full := arrived.known && l.conns >= l.limits.Conns
	if full || now >= l.search && float64(l.conns) >= fullAt*float64(l.limits.Conns) {
		for c := range l.open {
			since := c.since.Load()
			if !c.behind && !c.active.Load() && (!c.known || full || since < resting) {
				all = append(all, silence{c, c.known, since})
			}
		}
		if len(all) == 0 {
			l.search = now + int64(searchEvery)
		}
	}
	l.mu.Unlock()
	slices.SortFunc(all, silence.compare)
	for _, s := range all[:min(len(all), max(1, l.limits.Conns/evictedPart))] {
		if !s.conn.active.Load() && s.conn.Close() == nil {
			l.silenced.Add(1)
		}
	}
}

type connKey struct{}

// Context is the ConnContext of the http.Server, so that ConnOf finds the connection of a request.
func (l *Listener) Context(ctx context.Context, conn net.Conn) context.Context {
	if c, ok := conn.(*Conn); ok {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// ConnOf returns the connection of a request by its context; nil if it is not one of a Listener.
func ConnOf(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

// Refused notes that a request was refused for its headers, so that further long ones are read later. At a nil Conn it does nothing.
func (c *Conn) Refused() {
	if c != nil && !c.behind {
		c.listener.rates.PaceWithin("long", c.networks, longRefused, time.Now(), maxReadPause)
	}
}

// Show notes that a valid token of a customer came over the connection. At a nil Conn it does nothing.
func (c *Conn) Show(customer string, now time.Time) {
	if c == nil || c.behind || now.Unix()-c.shown.Load() < int64(noteEvery/time.Second) {
		return
	}
	c.shown.Store(now.Unix())
	l := c.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	c.known = l.known.note(c.networks[0], customer, now) || c.known
}
