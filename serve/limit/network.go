package limit

import (
	"net/netip"
	"time"
)

// wider is how many times what one caller is allowed all of a network are allowed together, by its index in Networks.
// Neighbours of whom one takes all that he may have keep three quarters, or fifteen sixteenths.
var wider = [...]int{1, 4, 16}

// Networks returns what one caller may have to himself where his address is known, from the narrowest: the address, or of
// IPv6 the networks of 64, 56 and 48 bits, which providers give to a link, a home and a site (RFC 6177, RIPE-690). An
// invalid address is in one network with all of these.
func Networks(a netip.Addr) []netip.Prefix {
	a = a.Unmap().WithZone("")
	if !a.Is6() {
		return []netip.Prefix{netip.PrefixFrom(a, a.BitLen())}
	}
	networks := make([]netip.Prefix, 0, len(wider))
	for _, bits := range []int{64, 56, 48} {
		network, _ := a.Prefix(bits) // fails for a length of over 128 bits only
		networks = append(networks, network)
	}
	return networks
}

// Within decides on one request of a caller in some of Networks: each of them has an allowance for key, wider ones several
// times the rate. The Decision is that of the network which has the least left.
func Within(l Limiter, key string, networks []netip.Prefix, rate Rate, now time.Time) (least Decision) {
	for i, network := range networks {
		decision := l.Allow(key+" "+network.String(), rate.times(wider[i]), now)
		if !decision.Allowed {
			return decision
		}
		if i == 0 || decision.Remaining < least.Remaining {
			least = decision
		}
	}
	return least
}

// PaceWithin is Pace for a caller in some of Networks.
func (m *Memory) PaceWithin(key string, networks []netip.Prefix, rate Rate, now time.Time, most time.Duration) (pause time.Duration) {
	for i, network := range networks {
		pause = max(pause, m.Pace(key+" "+network.String(), rate.times(wider[i]), now, most))
	}
	return pause
}

func (r Rate) times(n int) Rate { return Rate{PerSecond: n * r.PerSecond, Burst: n * r.Burst} }
