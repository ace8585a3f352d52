package admit

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"os"
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

// maxReadPause limits for how long such a read waits.
const maxReadPause = time.Second

const refusedAtOnce = 16 // connections that are closed before others get a turn

// Chunk is what a caller must take of an answer in ConnLimits.Stall, in bytes.
const Chunk = 64 << 10

// Listener admits connections, of an address at a rate. An address, of IPv6 a network of 64 bits, may have another one while
// it has no more than what is unused; the connections of one that has more are closed at once. Of connections with unfinished headers the oldest is
// closed where there are too many: those that are served finish within milliseconds.
//
// State must be the ConnState of the http.Server.
type Listener struct {
	net.Listener
	limits ConnLimits
	rates  *limit.Memory // of new connections

	mu         sync.Mutex
	conns      int
	by         map[netip.Addr]int
	unfinished []*Conn // in the order in which their headers began

	refused, evicted, stalled atomic.Int64
}

// NewListener makes a listener over the one that is set as its Listener before it is used.
func NewListener(limits ConnLimits) *Listener {
	return &Listener{limits: limits, rates: limit.NewMemory(), by: map[netip.Addr]int{}}
}

// Accept returns the next connection that is admitted.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &Conn{Conn: inner, listener: l, address: Network(addressOf(inner.RemoteAddr()))}
		if l.take(c.address) {
			return c, nil
		}
		refused := l.refused.Add(1)
		inner.Close()
		if refused%refusedAtOnce == 0 {
			time.Sleep(time.Millisecond) // thousands that arrive at once do not take a processor from those that are open
		}
	}
}

func (l *Listener) take(address netip.Addr) bool {
	behind := l.proxy(address)
	if !behind && l.limits.Rate.PerSecond > 0 && !l.rates.Allow(address.String(), l.limits.Rate, time.Now()).Allowed {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	unused := l.limits.Conns - l.conns
	if unused <= 0 || !behind && l.by[address] >= unused {
		return false
	}
	l.conns++
	l.by[address]++
	return true
}

func (l *Listener) proxy(address netip.Addr) bool {
	return slices.ContainsFunc(l.limits.Proxies, func(p netip.Prefix) bool { return p.Contains(address) })
}

// charge makes a connection with too long headers count as several.
func (l *Listener) charge(c *Conn) {
	if l.limits.Rate.PerSecond == 0 || l.proxy(c.address) {
		return
	}
	for range headerCost - 1 {
		l.rates.Allow(c.address.String(), l.limits.Rate, time.Now())
	}
}

// pace waits before the next read of long headers.
func (l *Listener) pace(c *Conn) {
	if !l.proxy(c.address) {
		time.Sleep(l.rates.Pace("long "+c.address.String(), longReads, time.Now(), maxReadPause))
	}
}

func (l *Listener) give(c *Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finish(c)
	l.conns--
	if l.by[c.address]--; l.by[c.address] == 0 {
		delete(l.by, c.address)
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
		c.active.Store(false)
	}
}

// ConnUsage is what is in use at a moment, and what was refused since the start.
type ConnUsage struct {
	Conns, Addresses, Unfinished int
	Refused                      int64 // connections of addresses that had or made too many
	Evicted                      int64 // connections whose headers did not arrive in time for others
	Stalled                      int64 // connections whose callers did not take their answers
}

// Usage returns what is in use.
func (l *Listener) Usage() ConnUsage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return ConnUsage{l.conns, len(l.by), len(l.unfinished), l.refused.Load(), l.evicted.Load(), l.stalled.Load()}
}

// Conn is a connection of a Listener. The deadline of what is written moves with each Chunk that was taken, so that a long
// answer to a slow caller is completed, and a caller that takes nothing is left.
type Conn struct {
	net.Conn
	listener *Listener
	address  netip.Addr
	active   atomic.Bool  // between the headers of a request and the end of its answer
	reads    atomic.Int32 // that brought a part of headers
	header   atomic.Int64 // bytes of headers that were read
	closed   atomic.Bool

	unfinished bool // guarded by the listener
}

// Read reads what has arrived.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 || c.active.Load() {
		return n, err
	}
	switch reads := c.reads.Add(1); {
	case reads == 2:
		c.listener.begin(c)
	case reads > 2:
		c.listener.pace(c)
	}
	before := c.header.Add(int64(n)) - int64(n)
	if most := int64(c.listener.limits.Header); most > 0 && before <= most && before+int64(n) > most {
		c.listener.charge(c)
	}
	return n, err
}

// Write writes all of b, or fails where the caller takes less than a Chunk in time. It is one call where the caller keeps up:
// each call of the system wakes a caller that waits for more.
func (c *Conn) Write(b []byte) (written int, err error) {
	for {
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.listener.limits.Stall)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(b[written:])
		written += n
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
		if n < Chunk {
			c.listener.stalled.Add(1)
			return written, err
		}
	}
}

// Close closes the connection, once.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return net.ErrClosed
	}
	c.listener.give(c)
	return c.Conn.Close()
}

// CloseWrite ends what is sent, as net/http does before it closes a connection whose request it did not read.
func (c *Conn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

func addressOf(a net.Addr) netip.Addr {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr()
	}
	return netip.Addr{} // not of the Internet: all are one
}

// Network is what one caller has to himself: an address, of IPv6 a network of 64 bits.
func Network(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		network, _ := a.Prefix(64) // fails for a length of over 128 bits only
		return network.Addr()
	}
	return a
}
