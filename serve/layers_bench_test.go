package serve

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/coding"
	"quartier/serve/endpoint"
	"quartier/serve/limit"
	"quartier/serve/monitor"
	"quartier/serve/param"
	"quartier/serve/release"
	"quartier/serve/reply"
	"quartier/serve/servetest"
	"quartier/serve/state"
	"quartier/serve/token"
)

// oneAccount is a directory with one account.
type oneAccount struct {
	client *account.Client
	keys   []account.Key
}

func (d *oneAccount) Client(id string) *account.Client {
	if id != d.client.ID {
		return nil
	}
	return d.client
}
func (d *oneAccount) Find(_ context.Context, id string) *account.Client  { return d.Client(id) }
func (d *oneAccount) Fresh(time.Time) error                              { return nil }
func (d *oneAccount) Access(string) *account.Client                      { return nil }
func (d *oneAccount) FindAccess(context.Context, string) *account.Client { return nil }
func (d *oneAccount) Keys() []account.Key                                { return d.keys }

// BenchmarkLayer times what an answer of every route passes through, each for itself. The headers are those of net/http: it
// copies the map of a handler, sorts it and writes it.
//
//	go test ./serve -run '^$' -bench Layer -benchmem -cpu 1
func BenchmarkLayer(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "release")
	if _, err := servetest.Write(dir, servetest.Release{}); err != nil {
		b.Fatal(err)
	}
	releases, err := release.Hold(release.Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Patience: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	defer releases.Close()
	client, _, err := account.New("bench", account.Agreement{Rate: 1000}, "2024-01-01T00:00:00Z")
	if err != nil {
		b.Fatal(err)
	}
	authority, err := token.NewAuthority(&oneAccount{client, []account.Key{account.NewKey("")}}, token.DefaultLifetime, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	raw, err := authority.Issue(client, "")
	if err != nil {
		b.Fatal(err)
	}
	store, err := state.Open("sqlite:" + filepath.Join(b.TempDir(), "state.sqlite"))
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	s, err := New(Options{Releases: releases, Authority: authority, State: store, AccessLog: io.Discard})
	if err != nil {
		b.Fatal(err)
	}
	limiter, rate := limit.NewMemory(), limit.Rate{PerSecond: 1000, Burst: 1000}
	gate, ticket := admit.NewGate(admit.Limits{}), new(admit.Ticket)
	customer := gate.Customer("bench")
	in := httptest.NewRequest(http.MethodGet, "/v3/scores?lat=45.123456&lng=-72.812345", nil)
	in.Header.Set("Authorization", "Bearer "+raw)
	in.Header.Set("Accept", "application/json")
	if client, err := authority.Authenticate(b.Context(), "Bearer "+raw); err != nil || client == nil {
		b.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := s.begin(w, in)
	found, _ := s.table.find(pathOf(in.URL))
	r.route = found.routes[http.MethodGet]
	if err := s.admit(r); err != nil || !s.openRelease(r) {
		b.Fatal(err)
	}
	type place struct {
		lat, lng param.Value[float64]
		language param.Value[string]
	}
	var p place
	query := param.NewSet(nil, param.Latitude("lat", func(p *place) *param.Value[float64] { return &p.lat }),
		param.Longitude("lng", func(p *place) *param.Value[float64] { return &p.lng }),
		endpoint.Language("", func(p *place) *param.Value[string] { return &p.language }))
	canonical := append(make([]byte, 0, 256), r.route.Path...)
	now := r.Pass.Start
	for _, layer := range []struct {
		name string
		do   func()
	}{
		{"request and its id, begun and freed", func() { s.free(s.begin(w, in)) }},
		{"route", func() { s.table.find(pathOf(in.URL)) }},
		{"token and account", func() { r.Pass.Authenticate(nil) }},
		{"rate of the customer", func() { now = now.Add(time.Millisecond); limiter.Allow("customer bench", rate, now) }},
		{"admission, work ended, left", func() {
			gate.Enter(b.Context(), ticket, customer, &r.route.counts.Cost, now)
			ticket.Made(16<<10, now)
			ticket.Leave(now)
		}},
		{"release opened and closed", func() { s.openRelease(r); r.Release.Unfiltered().Done(); r.Release.Reset() }},
		{"two parameters", func() { p = place{}; query.Parse(in.URL.RawQuery, &p, canonical) }},
		{"ETag", func() { r.Canonical = append(r.Canonical[:0], canonical...); r.Tag(coding.Identity) }},
		{"metrics", func() { r.route.counts.Observe(http.StatusOK, 1000, 10*time.Microsecond) }},
		{"record of the access log", func() { monitor.Record(io.Discard, &r.Exchange, r.route.counts.Name, 10*time.Microsecond) }},
		{"clock, wall and monotonic", func() { s.door.Now() }},
		{"two headers", func() { sendHeader(http.Header{}, 2) }},
		{"eight headers", func() { sendHeader(http.Header{}, 8) }},
	} {
		if layer.name == "ETag" {
			s.openRelease(r)
		}
		b.Run(layer.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				layer.do()
			}
		})
	}
	r.Release.Unfiltered().Done()
}

// answerHeaders are those of an answer, in the order in which they are set.
var answerHeaders = []struct {
	name  string
	value []string
}{
	{"Content-Type", reply.JSON}, {"Content-Length", []string{"1000"}}, {"X-Request-Id", []string{"228a97c3eb21fd217bccd8ff1dbe8799"}},
	{"Vary", []string{"Authorization, Accept, Accept-Encoding"}},
	{"Ratelimit-Policy", []string{`"default";q=1000;w=1`}}, {"Ratelimit", []string{`"default";r=999;t=1`}},
	{"Etag", []string{`"NJonPPKkyViZyOA8TWRALg"`}}, {"Cache-Control", []string{"private, max-age=300"}},
}

// sendHeader sets the first n headers in h and does with them what net/http does.
func sendHeader(h http.Header, n int) {
	for _, header := range answerHeaders[:n] {
		h[header.name] = header.value
	}
	h.Clone().Write(io.Discard)
}
