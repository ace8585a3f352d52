package admit

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quartier/serve/limit"
)

// ConnLimits are those of a Listener.
type ConnLimits struct {
	Conns      int            // at once
	Rate       limit.Rate     // of new ones of an address; the zero value is no limit
	Header     int            // bytes of headers beyond which a connection counts as headerCost new ones; 0: none
	Unfinished int            // whose headers take more than one packet and have not arrived as a whole
	Stall      time.Duration  // for which a caller may take less than a Chunk of an answer
	Proxies    []netip.Prefix // which have many callers behind them, and no limit but the total
}

// headerCost is what a connection whose headers are too long takes of the rate of its address: the server reads them up to
// their limit and then waits for half a second, so that its caller reads the refusal.
const headerCost = 10

// Reads of headers after the first packet wait where an address has more than longReads of them: two thousand headers that
// arrive at once are read in seconds, and not instead of what others send.
var longReads = limit.Rate{PerSecond: 2000, Burst: 200}

// longRefused is the rate of longReads if each takes sixty-four, as one of headers that were refused does.
var longRefused = limit.Rate{PerSecond: longReads.PerSecond / 64, Burst: longReads.Burst / 64}

// maxReadPause limits for how long such a read waits.
const maxReadPause = time.Second

const refusedAtOnce = 16 // connections that are closed before others get a turn

// Chunk is what a caller must take of an answer in ConnLimits.Stall, in bytes.
const Chunk = 64 << 10

// Listener admits connections, of an address at a rate. An address, and of IPv6 each of its networks of 64, 56 and 48 bits, may
// have another one while it has no more than what is unused; the connections of one that has more are closed at once. One
// that showed a valid token in the last hour is judged without its neighbours in wider networks.
//
// Where the table is nearly full, silent connections make room. Of connections with unfinished headers the oldest is closed where
// there are too many: those that are served finish within milliseconds.
//
// State and Context must be the ConnState and the ConnContext of the http.Server.
type Listener struct {
	net.Listener
	limits ConnLimits
	rates  *limit.Memory // of new connections

	mu         sync.Mutex
	conns      int
	open       map[*Conn]struct{}
	by         map[netip.Prefix]int
	addresses  int     // the narrowest networks in by
	known      known   // networks
	search     int64   // when silent connections are looked for again, on the clock
	unfinished []*Conn // in the order in which their headers began

	begun                               time.Time
	refused, evicted, silenced, stalled atomic.Int64
}

// NewListener makes a listener over the one that is set as its Listener before it is used.
func NewListener(limits ConnLimits) *Listener {
	return &Listener{limits: limits, rates: limit.NewMemory(), open: map[*Conn]struct{}{}, by: map[netip.Prefix]int{}, known: newKnown(),
		begun: time.Now()}
}

// Accept returns the next connection that is admitted.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(inner); c != nil {
			return c, nil
		}
		refused := l.refused.Add(1)
		inner.Close()
		if refused%refusedAtOnce == 0 {
			time.Sleep(time.Millisecond) // thousands that arrive at once do not take a processor from those that are open
		}
	}
}

// admit returns an accepted connection as one of the listener, nil where it may not be had.
func (l *Listener) admit(inner net.Conn) *Conn {
	address := addressOf(inner.RemoteAddr())
	c := &Conn{Conn: inner, listener: l, networks: limit.Networks(address)}
	c.behind = slices.ContainsFunc(l.limits.Proxies, func(p netip.Prefix) bool { return p.Contains(address.Unmap()) })
	c.since.Store(l.clock())
	if !l.mayTake(c) {
		return nil
	}
	l.evict(c)
	if !l.take(c) {
		return nil
	}
	return c
}

// clock is the time since the listener was made, in nanoseconds.
func (l *Listener) clock() int64 { return int64(time.Since(l.begun)) }

// mayTake reports whether the networks of a connection may have another one now.
func (l *Listener) mayTake(c *Conn) bool {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	c.known = c.behind || l.known.has(c.networks[0], now)
	unused := l.limits.Conns - l.conns
	for _, network := range c.judged() {
		if l.by[network] >= unused {
			return false
		}
	}
	return c.behind || l.limits.Rate.PerSecond == 0 || limit.Within(l.rates, "new", c.judged(), l.limits.Rate, now).Allowed
}

// take counts a connection, unless all are in use.
func (l *Listener) take(c *Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	most := l.limits.Conns
	if !c.known {
		most -= most / keptPart
	}
	if l.conns >= most {
		return false
	}
	l.conns++
	l.open[c] = struct{}{}
	for _, network := range c.networks {
		l.by[network]++
	}
	if l.by[c.networks[0]] == 1 {
		l.addresses++
	}
	return true
}

// charge makes a connection with too long headers count as several.
func (l *Listener) charge(c *Conn) {
	if l.limits.Rate.PerSecond == 0 || c.behind {
		return
	}
	for range headerCost - 1 {
		limit.Within(l.rates, "new", c.networks, l.limits.Rate, time.Now())
	}
}

// pace waits before the next read of long headers.
func (l *Listener) pace(c *Conn) {
	if !c.behind {
		time.Sleep(l.rates.PaceWithin("long", c.networks, longReads, time.Now(), maxReadPause))
	}
}

func (l *Listener) give(c *Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finish(c)
	l.conns--
	delete(l.open, c)
	for i, network := range c.networks {
		if l.by[network]--; l.by[network] > 0 {
			continue
		}
		delete(l.by, network)
		if i == 0 {
			l.addresses--
		}
	}
}

// begin counts a connection as unfinished, and closes the oldest one where there are too many.
func (l *Listener) begin(c *Conn) {
	l.mu.Lock()
	var oldest *Conn
	if !c.unfinished && !c.closed.Load() {
		if len(l.unfinished) >= l.limits.Unfinished {
			oldest = l.unfinished[0]
			l.finish(oldest)
		}
		c.unfinished = true
		l.unfinished = append(l.unfinished, c)
	}
	l.mu.Unlock()
	if oldest != nil {
		l.evicted.Add(1)
		oldest.Close()
	}
}

// finish takes a connection off those that are unfinished.
func (l *Listener) finish(c *Conn) {
	if !c.unfinished {
		return
	}
	c.unfinished = false
	at := slices.Index(l.unfinished, c)
	l.unfinished = slices.Delete(l.unfinished, at, at+1)
}

// State follows the connections of an http.Server.
func (l *Listener) State(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*Conn)
	if !ok {
		return
	}
	switch state {
	case http.StateActive:
		c.active.Store(true)
		c.header.Store(0)
		if c.reads.Swap(0) > 1 {
			l.mu.Lock()
			l.finish(c)
			l.mu.Unlock()
		}
	case http.StateIdle:
		c.since.Store(l.clock())
		c.active.Store(false)
	}
}

// ConnUsage is what is in use at a moment, and what was refused since the start.
type ConnUsage struct {
	Conns, Addresses, Unfinished int
	Refused                      int64 // connections of addresses that had or made too many
	Evicted                      int64 // connections whose headers did not arrive in time for others
	Silent                       int64 // connections that asked for nothing when others needed room
	Stalled                      int64 // connections whose callers did not take their answers
}

// Usage returns what is in use.
func (l *Listener) Usage() ConnUsage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return ConnUsage{l.conns, l.addresses, len(l.unfinished), l.refused.Load(), l.evicted.Load(), l.silenced.Load(), l.stalled.Load()}
}
