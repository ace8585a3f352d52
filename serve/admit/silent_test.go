package admit

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"quartier/serve/limit"
)

// arrived is a connection from an address, which sends nothing.
type arrived struct {
	net.Conn
	from   netip.Addr
	closed bool
}

func (a *arrived) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(a.from, 1234))
}

func (a *arrived) Close() error {
	a.closed = true
	return nil
}

// arrive lets a connection from an address arrive; nil where it is refused.
func arrive(l *Listener, from string) *Conn {
	return l.admit(&arrived{from: netip.MustParseAddr(from)})
}

func isClosed(c *Conn) bool { return c.Conn.(*arrived).closed }

// TestSilentConnectionsGiveWay lets ten thousand silent connections arrive, each from another address, while some answers are
// sent: everybody gets a connection, and nobody who is answered or known loses his.
func TestSilentConnectionsGiveWay(t *testing.T) {
	synctest.Test(t, silentConnectionsGiveWay)
}

func silentConnectionsGiveWay(t *testing.T) {
	l := NewListener(ConnLimits{Conns: 100, Proxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	customer, proxy, answered := arrive(l, "198.51.100.1"), arrive(l, "192.0.2.1"), arrive(l, "198.51.100.2")
	customer.Show("acme", time.Now())
	l.State(answered, http.StateActive)
	var silent []*Conn
	for i := range 10_000 {
		time.Sleep(time.Microsecond)
		c := arrive(l, fmt.Sprintf("10.0.%d.%d", i>>8, i&255))
		if c == nil {
			t.Fatalf("connection %d is refused", i)
		}
		silent = append(silent, c)
		if n := l.Usage().Conns; n > 80 {
			t.Fatalf("%d of 100 connections are open", n)
		}
	}
	open := 0
	for i, c := range silent {
		if !isClosed(c) {
			open++
		} else if open > 0 {
			t.Fatalf("connection %d is closed before an older one", i)
		}
	}
	if isClosed(customer) || isClosed(proxy) || isClosed(answered) {
		t.Error("the connection of a customer, of a proxy, or one with a request is closed")
	}
	if u := l.Usage(); u.Conns != open+3 || u.Addresses != open+3 || u.Silent != int64(len(silent)-open) || u.Refused != 0 {
		t.Errorf("%d are open: %+v", open, u)
	}
	l.State(answered, http.StateIdle)
	for i := range 200 { // all at once
		if c := arrive(l, fmt.Sprintf("203.0.113.%d", i)); c != nil {
			c.Show(fmt.Sprintf("customer %d", i), time.Now())
		}
	}
	if isClosed(customer) || !isClosed(answered) || l.Usage().Conns != 90 {
		t.Errorf("silent connections of known networks that are in use give way, %d are open", l.Usage().Conns)
	}
	time.Sleep(restingAt + time.Second)
	if arrive(l, "198.51.100.3") == nil || !isClosed(customer) || isClosed(proxy) {
		t.Error("silent connections of known networks that rest stay")
	}
}

// TestATenthIsForKnownNetworks fills the table with connections that are answered, each of another address.
func TestATenthIsForKnownNetworks(t *testing.T) {
	l := NewListener(ConnLimits{Conns: 100})
	arrive(l, "198.51.100.1").Show("acme", time.Now())
	taken := 1
	for i := range 200 {
		if c := arrive(l, fmt.Sprintf("10.0.0.%d", i)); c != nil {
			l.State(c, http.StateActive)
			taken++
		}
	}
	if taken != 90 {
		t.Errorf("%d connections were taken", taken)
	}
	known := 0
	for range 20 {
		if c := arrive(l, "198.51.100.1"); c != nil {
			l.State(c, http.StateActive)
			known++
		}
	}
	if known != 5 || l.Usage().Conns != 95 { // its share of what is left

		t.Errorf("%d connections of a known address, %d in all", known, l.Usage().Conns)
	}
}

// TestNetworksOfIPv6 connects from every network of 64 bits of one of 48 bits.
func TestNetworksOfIPv6(t *testing.T) {
	l := NewListener(ConnLimits{Conns: 100, Rate: limit.Rate{PerSecond: 1, Burst: 3}})
	neighbour := arrive(l, "2001:db8:1:ffff::1")
	neighbour.Show("acme", time.Now())
	taken := map[int]int{}
	for i := range 1000 {
		for bits, address := range map[int]string{56: fmt.Sprintf("2001:db8:0:%x::1", i&255), 48: fmt.Sprintf("2001:db8:1:%x::1", i*59)} {
			if c := arrive(l, address); c != nil {
				l.State(c, http.StateActive)
				taken[bits]++
			}
		}
	}
	if taken[56] != 12 || taken[48] != 43 { // four times three by the rate; half of what is left by the share
		t.Errorf("%v connections", taken)
	}
	if arrive(l, "2001:db8:1:ffff::2") == nil {
		t.Error("a known network has no connection beside its neighbours")
	}
	if arrive(l, "2001:db8:2::1") == nil {
		t.Error("another network has no connection")
	}
}

func TestKnownNetworks(t *testing.T) {
	k, now := newKnown(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	network := func(i int) netip.Prefix {
		return limit.Networks(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}))[0]
	}
	noted := 0
	for i := range 1000 {
		if k.note(network(i), "acme", now) {
			noted++
		}
	}
	if noted != knownOfOne || !k.has(network(0), now.Add(knownFor)) || k.has(network(999), now) {
		t.Errorf("%d networks of a customer", noted)
	}
	if !k.note(network(999), "globex", now.Add(knownFor/2)) {
		t.Error("another customer")
	}
	k.note(network(1000), "acme", now.Add(knownFor+time.Second))
	if at := now.Add(knownFor + time.Second); k.has(network(0), at) || !k.has(network(999), at) || !k.has(network(1000), at) {
		t.Error("after an hour")
	}
	for i := range 3 {
		k.note(network(0), "acme", now.Add(time.Duration(i+2)*2*knownFor))
	}
	if len(k.current)+len(k.previous) > 2 {
		t.Errorf("%d networks", len(k.current)+len(k.previous))
	}
}
