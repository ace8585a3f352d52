// Package serve answers the Location Insights API v3 over HTTP from an open release, issues tokens, and describes
// itself at /, /docs, /openapi.json, /healthz, /readyz and /metrics.
//
// Input: a release.Holder, an Authority over the accounts, and Options. Output: an http.Handler.
//
// This package is the frame: order of checks, errors, headers, compression, metrics. The endpoints are packages under
// product, listed in routes.go; errors.go has the status and body of every error; package scope decides what a client
// may see.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/explore"
	"quartier/serve/limit"
	"quartier/serve/release"
	"quartier/serve/state"
	"quartier/serve/token"
)

// Authority knows the accounts and their tokens; token.Authority is one.
type Authority interface {
	// Recall returns the account of an Authorization header that was verified before; nil for any other.
	Recall(authorization string, now time.Time) *account.Client
	// Authenticate returns the account of an Authorization header.
	Authenticate(ctx context.Context, authorization string) (*account.Client, error)
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
	releases  *release.Holder
	authority Authority
	state     *state.Store
	accounts  *account.Live
	limiter   limit.Limiter
	proxies   []netip.Prefix
	log       *slog.Logger
	now       func() time.Time
	later     func(start time.Time) time.Time // now, of a request that began at start
	access    io.Writer
	clock     clock

	table           *table
	clients         clients
	requests        sync.Pool // of *request, whose memory is reused
	compressors     compressors
	metrics         *metrics
	openAPI         documents
	admin           bool
	adminHosts      []explore.Host
	gate            *admit.Gate
	acceptUncovered bool
	next            time.Time     // Options.NextUpdate
	strangers       *limit.Memory // limits what needs no credential, in this process
	refused         refusals
	conns           func() admit.ConnUsage
	draining        atomic.Bool
	explorer        *explore.Explorer

	cacheControl []string
	origins      origins
	varies       []string // Vary of v3 answers
	timed        bool
	sunset       []string
}

// New makes a server.
func New(o Options) (*Server, error) {
	if o.Releases == nil || o.Authority == nil || o.State == nil {
		return nil, errors.New("serve: no releases, no authority or no state")
	}
	s := &Server{releases: o.Releases, authority: o.Authority, state: o.State, accounts: o.Accounts, limiter: o.Limiter, proxies: o.Proxies,
		log: o.Log, now: o.Now, access: o.AccessLog}
	if s.limiter == nil {
		s.limiter = limit.NewMemory()
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.later = func(time.Time) time.Time { return s.now() }
	if s.now == nil {
		s.now = time.Now
		s.later = func(start time.Time) time.Time { return start.Add(time.Since(start)) } // reads one clock, Now reads two
	}
	if o.MaxAge == 0 {
		o.MaxAge = DefaultMaxAge
	}
	s.gate, s.strangers, s.conns = admit.NewGate(o.Admission), limit.NewMemory(), o.Conns
	s.cacheControl = cacheControl(o.MaxAge)
	if err := s.setHeaders(o); err != nil {
		return nil, err
	}
	pages, err := s.pages()
	if err != nil {
		return nil, err
	}
	s.adminHosts = o.AdminHosts
	if s.admin = o.Admin; !s.admin {
		pages = append(pages, service("getMetrics", "/metrics", "Metrics in the format of Prometheus", nil, s.answerMetrics))
	}
	s.acceptUncovered, s.next = o.AcceptUncovered, o.NextUpdate
	s.table = newTable(append(s.routes(), pages...))
	if s.explorer = o.Explorer; s.explorer != nil {
		s.table.explore()
	}
	s.metrics = newMetrics(s)
	_, err = Document()
	return s, err
}

// setHeaders prepares what the options say about headers.
func (s *Server) setHeaders(o Options) (err error) {
	if s.origins, err = newOrigins(o.Origins); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	s.varies, s.timed, s.sunset = varies, o.ServerTiming, sunsetHeader(o.Sunset)
	if s.origins != nil {
		s.varies = originVaries
	}
	return nil
}

// nextUpdate is the day of the next general update, in UTC; "" where none was announced, and after that day.
func (s *Server) nextUpdate() string {
	if s.next.IsZero() || !s.now().Before(s.next.AddDate(0, 0, 1)) {
		return ""
	}
	return s.next.Format(time.DateOnly)
}

// Drain makes /readyz answer 503, so that a load balancer sends no more requests. Requests that still arrive are
// answered, each as the last of its connection.
func (s *Server) Drain() { s.draining.Store(true) }
