package drill

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/servetest"
	"quartier/serve/state"
	"quartier/serve/token"
)

// Server is a server in this process, with an account for each kind of agreement.
type Server struct {
	tb        testing.TB
	Handler   http.Handler
	Serve     *serve.Server
	Releases  *release.Holder
	Store     *state.Store
	Live      *account.Live
	Authority *token.Authority
	Tokens    map[string]string              // by agreement
	Grants    map[string]account.Credentials // by agreement
}

// Agreements are those of the accounts of drills. What stands before the first blank is the customer.
var Agreements = map[string]account.Agreement{
	"full":   {CustomGeographies: true, Rate: 100_000_000},
	"quebec": {Regions: []string{"CA_QC"}, Rate: 100_000_000},
	"us":     {Regions: []string{"US"}, Rate: 100_000_000},
	"pois":   {Products: []string{"pois"}, Rate: 100_000_000},
	"acme":   {Rate: 100_000_000}, // has private geographies
}

// Start serves the release at dir, or those that a pointer there names, until the end of the test.
func Start(tb testing.TB, dsn, dir string, log *slog.Logger, agreements map[string]account.Agreement,
	change ...func(*serve.Options)) *Server {
	tb.Helper()
	s := &Server{tb: tb, Tokens: map[string]string{}, Grants: map[string]account.Credentials{}}
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	var err error
	s.Releases, err = release.NewHolder(dir, log)
	must(err)
	tb.Cleanup(s.Releases.Close)
	s.Store, err = state.Open(dsn)
	must(err)
	tb.Cleanup(func() { s.Store.Close() })
	for name, agreement := range agreements {
		customer, _, _ := strings.Cut(name, " ")
		_, s.Grants[name], err = s.Store.Create(customer, agreement)
		must(err)
	}
	s.Live, err = account.Follow(context.Background(), s.Store, log)
	must(err)
	s.Authority, err = token.NewAuthority(s.Live, time.Hour, time.Now)
	must(err)
	for name, grant := range s.Grants {
		s.Tokens[name], err = s.Authority.Issue(s.Live.Client(grant.ClientID), "")
		must(err)
	}
	options := serve.Options{Releases: s.Releases, Authority: s.Authority, State: s.Store, Accounts: s.Live, Log: log}
	for _, c := range change {
		c(&options)
	}
	s.Serve, err = serve.New(options)
	must(err)
	s.Handler = s.Serve
	return s
}

// StartWorld serves all components of the small world of servetest, with a planted fault.
func (r *Run) StartWorld(wrap Wrap, change ...func(*serve.Options)) *Server {
	r.Helper()
	root := r.TempDir()
	r.Must(WriteWorld(root, servetest.Release{}, privatePlaces()))
	change = append(change, trustProxies)
	s := Start(r, "sqlite:"+filepath.Join(r.TempDir(), "state.sqlite"), root, slog.New(slog.DiscardHandler), Agreements, change...)
	s.Handler = wrap.around(s.Serve)
	return s
}

// trustProxies lets every request say from which address it comes: limits by address are not what is tried.
func trustProxies(o *serve.Options) {
	o.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
}

func privatePlaces() []servetest.PrivatePlace { return servetest.PrivatePlaces("acme", "a") }

// Answer is a response with its body.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Get sends a GET request as the account of an agreement, without a token if there is none.
func (s *Server) Get(who, url string, headers ...string) Answer {
	s.tb.Helper()
	return s.Call(who, http.MethodGet, url, "", headers...)
}

// Call sends a request with a body; headers are "Name: value".
func (s *Server) Call(who, method, url, body string, headers ...string) Answer {
	s.tb.Helper()
	r := httptest.NewRequest(method, url, strings.NewReader(body))
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+s.Tokens[who])
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header[http.CanonicalHeaderKey(name)] = append(r.Header[http.CanonicalHeaderKey(name)], value)
	}
	return s.Send(r)
}

// Send sends a request.
func (s *Server) Send(r *http.Request) Answer {
	s.tb.Helper()
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	result := w.Result()
	body, err := io.ReadAll(result.Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	return Answer{w.Code, result.Header, string(body)}
}

// from is the header by which a request comes from a drawn address.
func from(random *rand.Rand) string {
	n := random.Uint32()
	return fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n))
}
