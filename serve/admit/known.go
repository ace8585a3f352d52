package admit

import (
	"net/netip"
	"time"
)

const (
	knownFor   = time.Hour
	knownOfOne = 256 // networks of one customer: what it lends its token to does not take the place of others
)

// known are the networks from which valid tokens came in the last hour. Its size is bounded by the number of customers.
type known struct {
	current, previous map[netip.Prefix]time.Time // of the last token
	of                map[string]int             // networks in current, by customer
	begun             time.Time                  // of current
}

func newKnown() known {
	return known{current: map[netip.Prefix]time.Time{}, previous: map[netip.Prefix]time.Time{}, of: map[string]int{}}
}

// note notes a valid token of a customer; false where the customer has too many networks.
func (k *known) note(network netip.Prefix, customer string, now time.Time) bool {
	if now.Sub(k.begun) > knownFor {
		k.current, k.previous = k.previous, k.current
		clear(k.current)
		clear(k.of)
		k.begun = now
	}
	if _, again := k.current[network]; !again {
		if k.of[customer] >= knownOfOne {
			return false
		}
		k.of[customer]++
	}
	k.current[network] = now
	return true
}

func (k *known) has(network netip.Prefix, now time.Time) bool {
	at, ok := k.current[network]
	if !ok {
		at, ok = k.previous[network]
	}
	return ok && now.Sub(at) <= knownFor
}
