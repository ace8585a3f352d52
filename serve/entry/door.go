// Package entry lets requests in: it says who calls, holds callers to their limits, waits until there is capacity, and puts off
// those that are refused again and again.
//
// In: the headers and the address of a request, or the account of a session. Out: a Pass, by which the request has its client and
// its share of the server until its answer is made; the headers about rates; or one of the errors below, to which package reply
// has the status. What is in use and what was refused a Door reports as metrics.
package entry

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/limit"
	"quartier/serve/state"
)

// Why a request is not let in. The texts are shown to callers and in the OpenAPI document.
var (
	ErrForbidden   = errors.New("the token is missing or invalid")
	ErrTooMany     = errors.New("more requests than the agreement of the customer allows")
	ErrHeader      = errors.New("a header field that is a list or a condition is longer than 4096 bytes")
	ErrUnavailable = errors.New("the server is overloaded, the customer has as much in flight as it may have, or there is no data yet")

	ErrTooManyTokens  = errors.New("too many token requests of this client_id or from this address")
	ErrTooManyUnknown = errors.New("too many requests with tokens that were not seen before, from this address")
	ErrTooManyCopies  = errors.New("too many requests for this document from this address")
)

// Authority knows the accounts by their tokens and keys.
type Authority interface {
	// Recall returns the account of an Authorization header that was verified before; nil for any other.
	Recall(authorization string, now time.Time) *account.Client
	// Authenticate returns the account of an Authorization header.
	Authenticate(ctx context.Context, authorization string) (*account.Client, error)
	// Access returns the account of an access key as the key may use it; nil for one that cannot be used.
	Access(key string, now time.Time) (*account.Client, error)
	// FindAccess is Access, but looks for a key that was made a moment ago.
	FindAccess(ctx context.Context, key string) *account.Client
}

// Options are those of a Door. Authority and State are required.
type Options struct {
	Authority Authority
	State     *state.Store
	Limiter   limit.Limiter  // nil: limit.Memory
	Proxies   []netip.Prefix // whose X-Forwarded-For is trusted
	Admission admit.Limits
	Now       func() time.Time       // nil: time.Now
	Conns     func() admit.ConnUsage // for the metrics; nil: not known
}

// Door lets the requests of a server in. It is made by New and safe for concurrent use.
type Door struct {
	Options
	later     func(start time.Time) time.Time // Now, of a request that began at start
	gate      *admit.Gate
	clients   sync.Map      // *Client by id, of every one that called
	strangers *limit.Memory // limits what needs no credential, in this process
	refused   refusals
	admitted  admissions
}

// New makes a door.
func New(o Options) *Door {
	d := &Door{Options: o, gate: admit.NewGate(o.Admission), strangers: limit.NewMemory()}
	if d.Limiter == nil {
		d.Limiter = limit.NewMemory()
	}
	d.later = func(time.Time) time.Time { return d.Now() }
	if d.Now == nil {
		d.Now = time.Now
		d.later = func(start time.Time) time.Time { return start.Add(time.Since(start)) } // reads one clock, Now reads two
	}
	return d
}

// Collectors have the metrics of the door.
func (d *Door) Collectors() []prometheus.Collector {
	if own, ok := d.Limiter.(prometheus.Collector); ok {
		return []prometheus.Collector{collector{d}, own}
	}
	return []prometheus.Collector{collector{d}}
}
