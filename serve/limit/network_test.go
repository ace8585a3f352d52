package limit

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

func TestNetworks(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7": "[192.0.2.7/32]", "::ffff:192.0.2.7": "[192.0.2.7/32]",
		"2001:db8:1:2345:3::4": "[2001:db8:1:2345::/64 2001:db8:1:2300::/56 2001:db8:1::/48]", "fe80::1%eth0": "[fe80::/64 fe80::/56 fe80::/48]",
	} {
		if got := fmt.Sprint(Networks(netip.MustParseAddr(text))); got != want {
			t.Errorf("%s is in %s, want %s", text, got, want)
		}
	}
	if n := len(Networks(netip.Addr{})); n != 1 {
		t.Errorf("no address is in %d networks", n)
	}
}

// TestWiderNetworksHaveSeveralAllowances asks from one network of 64 bits, many of one of 56 bits, and many of one of 48 bits.
func TestWiderNetworksHaveSeveralAllowances(t *testing.T) {
	rate := Rate{PerSecond: 1, Burst: 10}
	for _, c := range []struct {
		format          string
		step, of, allow int
	}{{"2001:db8::%x", 1, 1000, 10}, {"2001:db8:0:%x::1", 1, 256, 40}, {"2001:db8:0:%x::1", 61, 65536, 160}} {
		m, now := NewMemory(), time.Now()
		allowed, paced := 0, 0
		for i := range 1000 {
			networks := Networks(netip.MustParseAddr(fmt.Sprintf(c.format, i*c.step%c.of)))
			if d := Within(m, "x", networks, rate, now); d.Allowed {
				allowed++
			}
			if m.PaceWithin("y", networks, rate, now, time.Minute) == 0 {
				paced++
			}
		}
		if allowed != c.allow || paced != c.allow {
			t.Errorf("%s: %d are allowed and %d not put off, want %d", c.format, allowed, paced, c.allow)
		}
	}
	m, now := NewMemory(), time.Now()
	one := Networks(netip.MustParseAddr("2001:db8::1"))
	for range 100 {
		Within(m, "x", one, rate, now)
	}
	if d := Within(m, "x", Networks(netip.MustParseAddr("2001:db8:0:1::1")), rate, now); !d.Allowed || d.Remaining != 9 {
		t.Errorf("a neighbour: %+v", d)
	}
}
