package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"quartier/internal/drill"
	"quartier/internal/testenv"
	"quartier/internal/testenv/inmemory"
	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/servetest"
	"quartier/serve/token"
)

var postgres testenv.Postgres

// tests are those of the package; PostgreSQL is stopped before leaks are looked for.
type tests struct{ *testing.M }

func (m tests) Run() int {
	defer inmemory.Use()()
	defer postgres.Stop()
	return m.M.Run()
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(tests{m}, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

// api is a server over a release of servetest, with an account for each kind of agreement.
type api struct {
	t        testing.TB
	handler  http.Handler
	server   *serve.Server
	releases *release.Holder
	root     string            // folder with a pointer; "": dir is served without
	dir      string            // of its places
	tokens   map[string]string // by agreement
	grants   map[string]account.Credentials
	log      *strings.Builder
	state    string // DSN
}

// agreements are those of the accounts.
var agreements = map[string]account.Agreement{
	"full":       {CustomGeographies: true, Rate: 1_000_000},
	"full again": {CustomGeographies: true, Regions: []string{"CA_QC"}, Rate: 1_000_000},
	"few":        {CustomGeographies: true, OpenRequests: 2, Rate: 1_000_000},
	"globex":     {CustomGeographies: true, Rate: 1_000_000},
	"quebec":     {Regions: []string{"CA_QC"}, Rate: 1_000_000},
	"us":         {Regions: []string{"US"}, Rate: 1_000_000},
	"elsewhere":  {Regions: []string{"US_OR"}, Rate: 1_000_000},
	"pois":       {Products: []string{"pois"}, Rate: 1_000_000},
	"slow":       {Rate: 2},
	"slow again": {Rate: 2}, // of the same customer
	"profiles":   {Products: []string{"profiles"}, Rate: 1_000_000},
	"quiet":      {Products: []string{"scores", "snapshot"}, Scores: []string{"quiet"}, Rate: 1_000_000},

	// Customers with private geographies, and some of their credentials.
	"acme":        {Rate: 1_000_000},
	"acme quebec": {Regions: []string{"CA_QC"}, Rate: 1_000_000},
	"acme pois":   {Products: []string{"pois"}, Rate: 1_000_000},
	"bell":        {CustomGeographies: true, Rate: 1_000_000},
}

// privatePlaces are those of newAPI.
func privatePlaces() []servetest.PrivatePlace {
	return append(servetest.PrivatePlaces("acme", "a"), servetest.PrivatePlaces("bell", "b")...)
}

// newAPI serves a release with all components.
func newAPI(t testing.TB, change ...func(*serve.Options)) *api {
	t.Helper()
	return newAPIOver(t, servetest.Release{}, change...)
}

// newAPIOver is newAPI for another release.
func newAPIOver(t testing.TB, content servetest.Release, change ...func(*serve.Options)) *api {
	t.Helper()
	return newAPIOn(t, "sqlite:"+filepath.Join(t.TempDir(), "state.sqlite"), content, change...)
}

// newAPIOn makes a server whose state is at dsn.
func newAPIOn(t testing.TB, dsn string, content servetest.Release, change ...func(*serve.Options)) *api {
	t.Helper()
	return newAPIWith(t, dsn, content, privatePlaces(), change...)
}

// newAPIWith is newAPIOn with other private geographies; none at all, and no component for them, if there are none.
func newAPIWith(t testing.TB, dsn string, content servetest.Release, places []servetest.PrivatePlace, change ...func(*serve.Options)) *api {
	t.Helper()
	a := &api{t: t, state: dsn, root: t.TempDir()}
	a.dir = filepath.Join(a.root, "places")
	must(t, drill.WriteWorld(a.root, content, places))
	a.serve(a.root, change...)
	return a
}

// newPlacesAPI serves the folder of a component places.
func newPlacesAPI(t testing.TB, change ...func(*serve.Options)) *api {
	t.Helper()
	a := &api{t: t, state: "sqlite:" + filepath.Join(t.TempDir(), "state.sqlite"), dir: filepath.Join(t.TempDir(), "release")}
	_, err := servetest.Write(a.dir, servetest.Release{})
	must(t, err)
	a.serve(a.dir, change...)
	return a
}

// serve starts the server.
func (a *api) serve(dir string, change ...func(*serve.Options)) {
	t := a.t
	t.Helper()
	a.log = new(strings.Builder)
	started := drill.Start(t, a.state, dir, slog.New(slog.NewTextHandler(a.log, nil)), agreements, change...)
	a.handler, a.server, a.releases, a.tokens, a.grants = started.Handler, started.Serve, started.Releases, started.Tokens, started.Grants
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// answer is a response with its body.
type answer struct {
	status int
	header http.Header
	body   string
}

// get sends a GET request as the account of an agreement.
func (a *api) get(who, url string, headers ...string) answer {
	a.t.Helper()
	return a.do(who, http.MethodGet, url, headers...)
}

// do sends a request; headers are "Name: value". If who is empty, it sends no token.
func (a *api) do(who, method, url string, headers ...string) answer {
	a.t.Helper()
	return a.call(who, method, url, "", headers...)
}

// call sends a request with a body.
func (a *api) call(who, method, url, body string, headers ...string) answer {
	a.t.Helper()
	r := httptest.NewRequest(method, url, strings.NewReader(body))
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+a.tokens[who])
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return a.send(r)
}

func (a *api) send(r *http.Request) answer {
	a.t.Helper()
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	must(a.t, err)
	return answer{w.Code, w.Result().Header, string(body)}
}

// decode decodes a JSON body strictly.
func decode[T any](t testing.TB, body string) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	return v
}

// answerOf requests a target and decodes the answer of status 200 strictly.
func answerOf[T any](t testing.TB, a *api, who, target string) T {
	t.Helper()
	got := a.get(who, target)
	if got.status != http.StatusOK {
		t.Fatalf("%s as %s: %d %s", target, who, got.status, got.body)
	}
	return decode[T](t, got.body)
}

// panicking is an Authority with a bug.
type panicking struct{ serve.Authority }

func (panicking) Authenticate(context.Context, string) (*account.Client, error) { panic("a bug") }
func (panicking) Grant(context.Context, token.Request) (token.Grant, error)     { panic("a bug") }
func (panicking) KeySet() token.KeySet                                          { panic("a bug") }

// stale is an Authority whose accounts are too old.
type stale struct{ serve.Authority }

func (stale) Authenticate(context.Context, string) (*account.Client, error) {
	return nil, account.ErrStale
}

func (stale) Grant(context.Context, token.Request) (token.Grant, error) {
	return token.Grant{}, account.ErrStale
}
