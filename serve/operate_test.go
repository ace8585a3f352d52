package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/monitor"
	"quartier/serve/servetest"
	"quartier/serve/token"
)

// post sends a body to the token endpoint.
func (a *api) post(contentType, body string) answer {
	a.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/oauth/token", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	return a.send(r)
}

func TestTokenEndpoint(t *testing.T) {
	a := newAPI(t)
	spec := newSpec(t, a)
	credentials := a.grants["full"]
	credentialsJSON, err := json.Marshal(map[string]string{"client_id": credentials.ClientID, "client_secret": credentials.ClientSecret})
	must(t, err)
	got := a.post("application/json", string(credentialsJSON))
	grant := decode[token.Grant](t, got.body)
	if got.status != 200 || grant.TokenType != "Bearer" || grant.ExpiresIn != 3600 || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s %v", got.status, got.body, got.header)
	}
	a.tokens["granted"] = grant.AccessToken
	if got := a.get("granted", "/v3/geographies?"+north); got.status != 200 {
		t.Errorf("a request with the token: %d %s", got.status, got.body)
	}
	reports := decode[token.Grant](t, a.post("application/json",
		strings.Replace(string(credentialsJSON), "{", `{"audience":"reports-api",`, 1)).body)
	a.tokens["reports"] = reports.AccessToken
	if got := a.get("reports", "/v3/geographies?"+north); got.status != 403 {
		t.Errorf("a token for the reports product: %d", got.status)
	}
	for body, want := range map[string]int{
		`{"client_id":"` + credentials.ClientID + `","client_secret":"wrong"}`: 401, `{"client_id":"unknown","client_secret":"x"}`: 401,
		`{}`: 400, ``: 400, `[]`: 400, `{"client_id":"x"}`: 400, strings.Replace(string(credentialsJSON), "{", `{"audience":"other",`, 1): 400,
	} {
		got := a.post("application/json", body)
		if got.status != want {
			t.Errorf("%s: %d, want %d", body, got.status, want)
			continue
		}
		checkRefusal(t, body, got)
		if err := spec.check(http.MethodPost, "/oauth/token", got); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestTokenEndpointChallenges sends wrong credentials by HTTP Basic, where the answer must name the scheme, and as JSON.
func TestTokenEndpointChallenges(t *testing.T) {
	a := newAPI(t)
	for name, c := range map[string]struct{ secret, want string }{"right": {a.grants["full"].ClientSecret, ""},
		"wrong": {"wrong", `Basic realm="quartier"`}} {
		r := httptest.NewRequest(http.MethodPost, "/oauth/token", strings.NewReader("grant_type=client_credentials"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth(a.grants["full"].ClientID, c.secret)
		if got := a.send(r); got.header.Get("WWW-Authenticate") != c.want || (got.status == 401) != (c.want != "") {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
	if got := a.post("application/json", `{"client_id":"unknown","client_secret":"x"}`); got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("without Basic: %v", got.header)
	}
}

func TestReadiness(t *testing.T) {
	a := newAPI(t)
	ready := a.get("", "/readyz")
	if body := decode[monitor.Readiness](t, ready.body); ready.status != 200 || body.Status != "ready" || body.Release != "world" {
		t.Errorf("%d %s", ready.status, ready.body)
	}
	if connection := ready.header.Get("Connection"); connection != "" {
		t.Errorf("Connection: %s", connection)
	}
	a.server.Drain()
	if got := a.get("", "/readyz"); got.status != 503 || decode[monitor.Readiness](t, got.body).Status != "draining" {
		t.Errorf("draining: %d %s", got.status, got.body)
	}
	if got := a.get("full", "/v3/geographies?"+north); got.status != 200 || got.header.Get("Connection") != "close" {
		t.Errorf("a request while draining: %d %v", got.status, got.header)
	}
	a.releases.Close()
	if got := a.get("", "/readyz"); got.status != 503 || decode[monitor.Readiness](t, got.body).Status != "no release" {
		t.Errorf("no release: %d %s", got.status, got.body)
	}
	if got := a.get("full", "/v3/geographies?"+north); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("a request without release: %d %v", got.status, got.header)
	}
	if got := a.get("", "/healthz"); got.status != 200 {
		t.Errorf("healthz without release: %d", got.status)
	}
}

// TestMetrics checks that labels are routes and statuses only, whatever callers send.
func TestMetrics(t *testing.T) {
	a := newPlacesAPI(t)
	a.get("full", "/v3/geographies?"+north)
	a.get("full", "/v3/geographies/"+servetest.NorthCity)
	a.get("full", "/v3/geographies?lat=secret-of-somebody&lng=1")
	a.get("full", "/v3/path-of-somebody")
	a.do("full", "METHOD-OF-SOMEBODY", "/v3/pois")
	must(t, os.Remove(filepath.Join(a.dir, schemas.ManifestFile)))
	for range 2 { // counted once
		a.releases.Reload(t.Context())
	}
	body := a.get("", "/metrics").body
	for _, want := range []string{
		`quartier_requests_total{route="GET /v3/geographies",status="200"} 1`,
		`quartier_requests_total{route="GET /v3/geographies",status="400"} 1`,
		`quartier_requests_total{route="GET /v3/geographies/{geog_id}",status="200"} 1`,
		`quartier_requests_total{route="unknown",status="404"} 1`,
		`quartier_requests_total{route="unknown",status="405"} 1`, `quartier_request_seconds_count{route="GET /v3/geographies"} 2`,
		`quartier_releases_loaded_total 1`, `quartier_releases_refused_total 1`, `quartier_release_refused 1`, `quartier_release_generation 0`,
		`quartier_release_info{as_of="2024-01-01"`, `quartier_release_component_info{as_of="2024-01-01",component="places",`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, secret := range []string{"somebody", "SOMEBODY", a.tokens["full"], a.grants["full"].ClientID, a.grants["full"].ClientSecret} {
		if strings.Contains(body, secret) {
			t.Errorf("the metrics contain %q", secret)
		}
	}
}

func TestAccessLog(t *testing.T) {
	var out bytes.Buffer
	lines := monitor.NewLogWriter(&out)
	a := newAPI(t, func(o *serve.Options) { o.AccessLog = lines })
	a.get("full", "/v3/geographies?"+north+"&access_token=hush", "X-Request-Id: id-1")
	a.get("", "/v3/geographies?"+north, "Authorization: Bearer hush")
	a.get("", "/%0Ahush")
	a.do("full", http.MethodHead, "/v3/geographies?"+north)
	must(t, lines.Close())
	records := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(records) != 4 {
		t.Fatalf("%d records: %s", len(records), &out)
	}
	var first struct {
		RequestID, Client, Route string
		Status, Bytes            int
		US                       *int
	}
	flat := strings.NewReplacer("request_id", "RequestID").Replace(records[0])
	must(t, json.Unmarshal([]byte(flat), &first))
	if first.RequestID != "id-1" || first.Client != a.grants["full"].ClientID || first.Route != "GET /v3/geographies" || first.Status != 200 ||
		first.Bytes == 0 || first.US == nil {
		t.Errorf("%s", records[0])
	}
	if !strings.Contains(records[3], `"bytes":0,`) {
		t.Errorf("HEAD: %s", records[3])
	}
	for _, secret := range []string{"hush", "45.2", "lat", a.tokens["full"], "Bearer"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("the log contains %q: %s", secret, &out)
		}
	}
}

// TestTruncatedPack truncates a pack while it is served. The first request that reads it fails, and from then on the
// server answers 503 until the release is repaired.
func TestTruncatedPack(t *testing.T) {
	a := newAPI(t)
	path := filepath.Join(a.dir, schemas.POIsPack)
	intact, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Truncate(path, 64))
	if got := a.get("full", "/v3/enhanced-pois?"+north); got.status != 500 {
		t.Errorf("%d %s", got.status, got.body)
	}
	a.wantDamaged()
	if err := a.releases.Reload(t.Context()); err == nil {
		t.Error("the truncated release is loaded")
	}
	a.wantDamaged()
	must(t, os.WriteFile(path, intact, 0o644))
	must(t, a.releases.Reload(t.Context()))
	if got := a.get("full", "/v3/enhanced-pois?"+north); got.status != 200 {
		t.Errorf("repaired: %d %s", got.status, got.body)
	}
	if got := a.get("", "/readyz"); got.status != 200 || !*decode[monitor.Readiness](t, got.body).Verified {
		t.Errorf("repaired: %d %s", got.status, got.body)
	}
}

// wantDamaged checks that the server reports a damaged release and answers nothing from it.
func (a *api) wantDamaged() {
	a.t.Helper()
	if got := a.get("", "/readyz"); got.status != 503 || decode[monitor.Readiness](a.t, got.body).Status != "damaged release" {
		a.t.Errorf("readyz: %d %s", got.status, got.body)
	}
	for _, path := range []string{"/v3/geographies?" + north, "/v3/enhanced-pois?" + north, "/v3/enhanced-pois/brands",
		"/v3/geographies/" + servetest.NorthCity} {
		got := a.get("full", path)
		if got.status != 503 || got.body != `{"message":"Service Unavailable"}` || got.header.Get("Retry-After") == "" {
			a.t.Errorf("%s: %d %s %v", path, got.status, got.body, got.header)
		}
	}
}

// TestDamagedAtStartup serves a release with a flipped byte, which is noticed only when it is verified.
func TestDamagedAtStartup(t *testing.T) {
	a := newAPI(t)
	path := filepath.Join(a.dir, schemas.POIsPack)
	intact, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append(append([]byte{}, intact[:len(intact)/2]...),
		append([]byte{^intact[len(intact)/2]}, intact[len(intact)/2+1:]...)...), 0o644))
	ctx, stop := context.WithCancel(t.Context())
	hangups := make(chan os.Signal)
	var following sync.WaitGroup
	following.Go(func() { a.releases.Follow(ctx, 20*time.Millisecond, hangups) })
	defer following.Wait()
	defer stop()
	wait := func(what string, status int) {
		t.Helper()
		testenv.Eventually(t, what, func() bool { return a.get("", "/readyz").status == status })
	}
	wait("the damage is found", 503)
	a.wantDamaged()
	must(t, os.WriteFile(path+".new", intact, 0o644))
	must(t, os.Rename(path+".new", path))
	hangups <- os.Interrupt // any value
	wait("the repaired copy is loaded", 200)
}
