// Package serve answers the Location Insights API v3 over HTTP from an open release, issues tokens, and describes
// itself at /, /docs, /openapi.json, /healthz, /readyz and /metrics.
//
// Input: a release.Holder, an Authority over the accounts, and Options. Output: an http.Handler.
//
// This package puts a server together and has the order of checks (handle.go). A request finds its endpoint (routes.go; the endpoints
// are packages under product), is let in (package entry), sees what its client may see (scope), and is answered (reply, which has
// the status and body of every error). What operators see is in package monitor, the document in package document.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/document"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/explore"
	"quartier/serve/limit"
	"quartier/serve/mirror"
	"quartier/serve/monitor"
	"quartier/serve/release"
	"quartier/serve/reply"
	"quartier/serve/state"
	"quartier/serve/token"
)

// Authority knows the accounts and their tokens; token.Authority is one.
type Authority interface {
	entry.Authority
	// Grant answers a token request with a new token, or token.ErrBadRequest or token.ErrWrongClient.
	Grant(context.Context, token.Request) (token.Grant, error)
	// KeySet returns the public keys that tokens are verified with.
	KeySet() token.KeySet
}

// Options configure a server. Releases, Authority and State are required.
type Options struct {
	Releases   *release.Holder
	Authority  Authority
	State      *state.Store     // of requests for custom geographies
	Accounts   *account.Live    // whose health is reported; nil: none
	Store      *mirror.Mirror   // of releases, whose health is reported; nil: none
	Limiter    limit.Limiter    // nil: limit.Memory
	Proxies    []netip.Prefix   // whose X-Forwarded-For is trusted
	Log        *slog.Logger     // of errors; nil: discarded
	AccessLog  io.Writer        // one record per request, a line of JSON; nil: none
	Now        func() time.Time // nil: time.Now
	MaxAge     time.Duration    // how long a caller may cache an answer; 0: DefaultMaxAge
	Admin      bool             // Admin is served at an address of its own: callers get no metrics, and no detail of /readyz
	AdminHosts []explore.Host   // by which operators reach Admin, besides localhost and the server's addresses
	Admission  admit.Limits     // of v3 requests; what is 0 has the default of admit.NewGate

	Conns func() admit.ConnUsage // for the metrics; nil: not known

	Origins      []string          // of pages whose scripts may read answers, such as "https://maps.example.com"; nil: none
	ServerTiming bool              // answers to clients with a token say how long they took
	Explorer     *explore.Explorer // of what is below /explore, at the address of operators if there is one; nil: nothing is

	AcceptUncovered bool // custom geographies may be where the release has no data: it will have some

	NextUpdate time.Time // day of the next general update, which /v3/status says until it is over; zero: not said

	Sunset time.Time // when superseded ids may cease to be answered, as clients were promised; zero: they never do
}

// DefaultMaxAge is that of Options.
const DefaultMaxAge = 5 * time.Minute

// Server answers requests. It is made by New and safe for concurrent use.
type Server struct {
	options   Options
	door      *entry.Door
	answers   *reply.Writer
	table     *table
	requests  sync.Pool // of *request, whose memory is reused
	metrics   http.Handler
	openAPI   document.Current
	endpoints []endpoint.Endpoint // of the document
	draining  atomic.Bool
}

// New makes a server.
func New(o Options) (*Server, error) {
	if o.Releases == nil || o.Authority == nil || o.State == nil {
		return nil, errors.New("serve: no releases, no authority or no state")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{options: o, door: entry.New(entry.Options{Authority: o.Authority, State: o.State, Limiter: o.Limiter, Proxies: o.Proxies,
		Admission: o.Admission, Now: o.Now, Conns: o.Conns})}
	var err error
	if s.answers, err = reply.NewWriter(cmp.Or(o.MaxAge, DefaultMaxAge), o.Origins, o.Sunset, o.Log); err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	api := s.routes()
	s.endpoints = endpointsOf(api)
	pages, err := s.pages(api)
	if err != nil {
		return nil, err
	}
	if !o.Admin {
		pages = append(pages, service("getMetrics", "/metrics", "Metrics in the format of Prometheus", nil, s.answerMetrics))
	}
	s.table = newTable(append(api, pages...), o.Explorer != nil)
	collectors := s.door.Collectors()
	if o.Store != nil {
		collectors = append(collectors, monitor.Store{Mirror: o.Store})
	}
	s.metrics = monitor.Metrics(o.Releases, o.Accounts, s.table.counted, collectors)
	_, err = document.Write(s.endpoints)
	return s, err
}

// Document is the OpenAPI document with the recorded examples.
func Document() ([]byte, error) { return document.Write(endpointsOf(new(Server).routes())) }

// nextUpdate is the day of the next general update, in UTC; "" where none was announced, and after that day.
func (s *Server) nextUpdate() string {
	if s.options.NextUpdate.IsZero() || !s.door.Now().Before(s.options.NextUpdate.AddDate(0, 0, 1)) {
		return ""
	}
	return s.options.NextUpdate.Format(time.DateOnly)
}

// Drain makes /readyz answer 503, so that a load balancer sends no more requests. Requests that still arrive are
// answered, each as the last of its connection.
func (s *Server) Drain() { s.draining.Store(true) }
