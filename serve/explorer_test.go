package serve_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/explore"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// origin is that of the explorer in tests.
const origin = "http://127.0.0.1:8080"

// exploring is a server with an explorer, and the browser that looks at it.
type exploring struct {
	*api
	explorer *explore.Explorer
	client   *account.Client
	clock    time.Time
	access   *written
	store    *state.Store
	cookie   string // "name=id"; "": no session
}

// written is text that several write.
type written struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *written) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(text)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// explorerOf serves a release with an explorer for the first account of a customer.
func explorerOf(t testing.TB, customer string, change ...func(*explore.Options)) *exploring {
	t.Helper()
	x := &exploring{clock: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), access: new(written)}
	x.api = newAPI(t, func(o *serve.Options) {
		all, err := o.State.Accounts(t.Context())
		must(t, err)
		at := slices.IndexFunc(all.Clients, func(c *account.Client) bool { // not another account of the customer
			want := agreements[customer]
			return c.Customer == customer && slices.Equal(c.Agreement.Regions, want.Regions) &&
				(want.Products == nil) == (len(c.Agreement.Products) == len(account.Products))
		})
		x.client = all.Clients[at]
		options := explore.Options{Releases: o.Releases, Accounts: o.Accounts, Account: x.client.ID, Log: o.Log,
			Now: func() time.Time { return x.clock }}
		for _, c := range change {
			c(&options)
		}
		x.explorer, err = explore.New(options)
		must(t, err)
		o.Explorer, o.AccessLog, x.store = x.explorer, x.access, o.State
	})
	t.Cleanup(x.explorer.Close)
	return x
}

// enter opens a new link, and has a session.
func (x *exploring) enter() {
	x.t.Helper()
	got := x.get("", x.explorer.Link(origin))
	if got.status != http.StatusSeeOther || got.header.Get("Location") != "/explore/" {
		x.t.Fatalf("the link: %d %s", got.status, got.body)
	}
	x.cookie, _, _ = strings.Cut(got.header.Get("Set-Cookie"), ";")
}

// ask sends a request with the cookie of the session.
func (x *exploring) ask(method, path string, headers ...string) answer {
	x.t.Helper()
	if x.cookie != "" {
		headers = append(headers, "Cookie: "+x.cookie)
	}
	return x.do("", method, origin+path, headers...)
}

// TestExplorerSession opens a link once, and uses the session until it ends.
func TestExplorerSession(t *testing.T) {
	x := explorerOf(t, "globex")
	if got := x.ask("GET", "/explore/"); got.status != 401 || !strings.Contains(got.body, "USR1") ||
		!strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
		t.Errorf("without a session: %d %s", got.status, got.body)
	}
	if got := x.ask("GET", "/explore/", "Accept-Language: fr-CA,fr;q=0.9,en;q=0.8"); !strings.Contains(got.body, `lang="fr"`) ||
		!strings.Contains(got.body, "session") {
		t.Errorf("in French: %s", got.body)
	}
	if got := x.ask("GET", "/explore/api/scores"); got.status != 401 || !strings.Contains(got.body, `"session_ended"`) {
		t.Errorf("the API without a session: %d %s", got.status, got.body)
	}
	link := x.explorer.Link(origin)
	if head := x.do("", "HEAD", link); head.status != 405 || head.header.Get("Allow") != "GET" {
		t.Errorf("HEAD of the link: %d %v", head.status, head.header)
	}
	first := x.get("", link)
	cookie := first.header.Get("Set-Cookie")
	for _, part := range []string{"quartier_explore_8080=", "; HttpOnly", "; SameSite=Strict", "; Path=/explore/", "; Max-Age=43200"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie %q lacks %q", cookie, part)
		}
	}
	if strings.Contains(cookie, "Secure") || first.status != 303 {
		t.Errorf("%d %s", first.status, cookie)
	}
	if again := x.get("", link); again.status != 410 || again.header.Get("Set-Cookie") != "" {
		t.Errorf("the link again: %d %v", again.status, again.header)
	}
	x.cookie, _, _ = strings.Cut(cookie, ";")
	for path, want := range map[string]int{
		"/explore/": 200, "/explore/files/main.js": 200, "/explore/release.json": 200, "/explore/api/geographies?lat=45.2&lng=-72.8": 200,
		"/explore/api/": 404,
		"/explore":      308, "/explore/files/none.js": 404, "/explore/none": 404, "/explore/release.json/x": 404,
		strings.TrimPrefix(link, origin): 303,
	} {
		if got := x.ask("GET", path); got.status != want || got.header.Get("Quartier-Release") != x.digest() {
			t.Errorf("%s: %d %v, want %d", path, got.status, got.header, want)
		}
	}
	if got := x.ask("POST", "/explore/release.json", "Origin: "+origin); got.status != 405 || got.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", got.status, got.header)
	}
	x.clock = x.clock.Add(12*time.Hour - time.Second)
	if got := x.ask("GET", "/explore/"); got.status != 200 {
		t.Errorf("before 12 hours: %d", got.status)
	}
	x.clock = x.clock.Add(time.Second)
	if got := x.ask("GET", "/explore/"); got.status != 401 {
		t.Errorf("after 12 hours: %d", got.status)
	}
}

func (x *exploring) digest() string { return x.releases.Status().Digest }

// TestExplorerLinks end after 15 minutes, are those of this process, and cannot be tried without end.
func TestExplorerLinks(t *testing.T) {
	x := explorerOf(t, "globex")
	link := x.explorer.Link(origin)
	x.clock = x.clock.Add(explore.LinkValid)
	if got := x.get("", link); got.status != 410 || !strings.Contains(got.body, "15 minutes") {
		t.Errorf("an old link: %d %s", got.status, got.body)
	}
	wrong := link[:len(link)-2] + "00"
	for _, url := range []string{wrong, origin + "/explore/open", origin + "/explore/open?key=", link + "x", origin + "/explore/open/x?key="} {
		if got := x.get("", url); got.status != 401 && got.status != 404 || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d", url, got.status)
		}
	}
	limited := func() bool { return x.get("", wrong).status == 429 }
	for range 20 {
		limited()
	}
	if !limited() {
		t.Error("wrong keys are not limited")
	}
	if x.enter(); x.cookie == "" {
		t.Error("a link does not open while others try wrong ones")
	}
	// A 17th session ends the first.
	first := x.cookie
	for range 16 {
		x.enter()
	}
	if got := x.ask("GET", "/explore/"); got.status != 200 {
		t.Errorf("the last session: %d", got.status)
	}
	if x.cookie = first; x.ask("GET", "/explore/").status != 401 {
		t.Error("sessions are not bounded")
	}
}

// TestExplorerIsTheAPI compares answers below /explore/api with those that the same account has with a token.
func TestExplorerIsTheAPI(t *testing.T) {
	own := []string{ // headers of the explorer, or of a moment
		"Cache-Control", "Content-Security-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy",
		"X-Content-Type-Options",
		"X-Frame-Options", "Quartier-Release", "X-Request-Id", "Ratelimit", "Date",
	}
	for _, customer := range []string{"globex", "quebec", "quiet", "elsewhere", "bell"} {
		x := explorerOf(t, customer)
		x.enter()
		for _, c := range []struct{ method, target string }{
			{"GET", "geographies?lat=45.2&lng=-72.8"}, {"GET", "geographies?" + south}, {"HEAD", "geographies?lat=45.2&lng=-72.8"},
			{"GET", "geographies?name=north"},
			{"GET", "scores?lat=45.2&lng=-72.8"}, {"GET", "scores?" + south}, {"GET", "scores?lat=91&lng=0"}, {"GET", "scores?lat=0&lng=0"},
			{"GET", "enhanced-pois?lat=45.2&lng=-72.8&radius=5000"}, {"GET", "geographies/" + servetest.SouthOld},
			{"GET", "scores/" + servetest.NorthOld},
			{"GET", "geographies/custom"}, {"GET", "nothing"}, {"DELETE", "scores"}, {"GET", "market-stats/" + servetest.SouthOld},
			{"GET", "geographies/..%2fcustom"},
		} {
			direct := x.do(customer, c.method, "/v3/"+c.target, "Accept-Encoding: gzip")
			through := x.ask(c.method, "/explore/api/"+c.target, "Accept-Encoding: gzip", "Origin: "+origin,
				"Authorization: Bearer "+x.tokens["full"])
			if through.status != direct.status || through.body != direct.body {
				t.Errorf("%s as %s: %d %.200s, not %d %.200s", c.target, customer, through.status, through.body, direct.status, direct.body)
			}
			for name := range direct.header {
				if !slices.Contains(own, name) && !slices.Equal(direct.header[name], through.header[name]) {
					t.Errorf("%s as %s: %s is %q, not %q", c.target, customer, name, through.header[name], direct.header[name])
				}
			}
			for name := range through.header {
				if !slices.Contains(own, name) && direct.header[name] == nil {
					t.Errorf("%s as %s: %s", c.target, customer, name)
				}
			}
			if tag := through.header.Get("Etag"); tag != "" &&
				x.ask("GET", "/explore/api/"+c.target, "Accept-Encoding: gzip", "If-None-Match: "+tag).status != 304 {
				t.Errorf("%s as %s: no 304", c.target, customer)
			}
			if through.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %v", c.target, through.header)
			}
		}
	}
}

// TestExplorerRevoked ends all sessions at once when the account is revoked.
func TestExplorerRevoked(t *testing.T) {
	var follow func(context.Context) error
	x := explorerOf(t, "globex", func(o *explore.Options) { follow = o.Accounts.(*account.Live).Refresh })
	x.enter()
	link := x.explorer.Link(origin)
	must(t, x.store.Revoke(x.client.ID))
	must(t, follow(t.Context()))
	for _, path := range []string{"/explore/", "/explore/api/scores?lat=45.2&lng=-72.8", "/explore/release.json",
		strings.TrimPrefix(link, origin)} {
		if got := x.ask("GET", path); got.status != 401 || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s after the account was revoked: %d", path, got.status)
		}
	}
}

// TestExplorerAttacks sends what pages of others, and names that lead here, could send with the cookie.
func TestExplorerAttacks(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	const api = "/explore/api/geographies?lat=45.2&lng=-72.8"
	navigate := []string{"Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}
	for name, c := range map[string]struct {
		method, url string
		headers     []string
		body        string
		want        int
	}{
		"the page itself":        {"GET", origin + "/explore/", append([]string{"Sec-Fetch-Site: none"}, navigate...), "", 200},
		"a call of the page":     {"GET", origin + api, []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"}, "", 200},
		"localhost":              {"GET", "http://localhost:8080" + api, nil, "", 200},
		"IPv6":                   {"GET", "http://[::1]:8080" + api, nil, "", 200},
		"a name that leads here": {"GET", "http://evil.example:8080" + api, nil, "", 421},
		"the page by a name":     {"GET", "http://evil.example:8080/explore/", nil, "", 421},
		"a link by a name":       {"GET", x.explorer.Link("http://localhost.evil.example:8080"), nil, "", 421},
		"another address":        {"GET", "http://192.0.2.1:8080" + api, nil, "", 421},
		"no host":                {"GET", origin + api, []string{"drop-host: "}, "", 421},
		"an image of another site": {"GET", origin + api,
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"}, "", 403},
		"a script of another port": {"GET", origin + "/explore/files/main.js",
			[]string{"Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"}, "", 403},
		"fetch of another port": {"GET", origin + api,
			[]string{"Origin: http://127.0.0.1:3000", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors"}, "", 403},
		"another scheme":   {"GET", origin + api, []string{"Origin: https://127.0.0.1:8080"}, "", 403},
		"a sandboxed page": {"GET", origin + api, []string{"Origin: null"}, "", 403},
		"two origins":      {"GET", origin + api, []string{"Origin: " + origin, "Origin: http://evil.example"}, "", 403},
		"two sites":        {"GET", origin + api, []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"}, "", 403},
		"a frame": {"GET", origin + "/explore/",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, "", 403},
		"an object": {"GET", origin + "/explore/",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: object"}, "", 403},
		"a link to data": {"GET", origin + "/explore/release.json", append([]string{"Sec-Fetch-Site: cross-site"}, navigate...),
			"", 403},
		"a link to the page": {"GET", origin + "/explore/", append([]string{"Sec-Fetch-Site: cross-site"}, navigate...), "", 200},
		"a form of another site": {"POST", origin + "/explore/api/geographies/custom",
			append([]string{"Sec-Fetch-Site: cross-site", "Origin: http://evil.example", "Content-Type: text/plain"}, navigate...), "{}", 403},
		"a form of an old browser": {"POST", origin + "/explore/api/geographies/custom", []string{"Content-Type: application/json"},
			"{}", 403},
		"text of the page": {"POST", origin + "/explore/api/geographies/custom",
			[]string{"Origin: " + origin, "Content-Type: text/plain"}, "{}", 415},
		"a form of the page": {"POST", origin + "/explore/api/geographies/custom",
			[]string{"Origin: " + origin, "Content-Type: application/x-www-form-urlencoded"}, "a=b", 415},
		"JSON of the page": {"POST", origin + "/explore/api/geographies/custom",
			[]string{"Origin: " + origin, "Content-Type: application/json"}, "{}", 400},
		"a preflight": {"OPTIONS", origin + api,
			[]string{"Origin: http://evil.example", "Access-Control-Request-Method: GET"}, "", 403},
		"tokens by the API":                {"GET", origin + "/explore/api/../oauth/token", nil, "", 404},
		"metrics by the API":               {"GET", origin + "/explore/api/../../metrics", nil, "", 404},
		"metrics by escapes":               {"GET", origin + "/explore/api/..%2f..%2fmetrics", nil, "", 404},
		"metrics below":                    {"GET", origin + "/explore/metrics", nil, "", 404},
		"the API itself":                   {"GET", origin + "/v3/geographies?lat=45.2&lng=-72.8", nil, "", 403},
		"tokens of the explorer's account": {"POST", origin + "/oauth/token", []string{"Content-Type: application/json"}, "{}", 400},
		"private places of others":         {"GET", origin + "/explore/api/geographies/" + ofBell(x), nil, "", 404},
	} {
		r := httptest.NewRequest(c.method, c.url, strings.NewReader(c.body))
		r.Header.Set("Cookie", x.cookie)
		for _, h := range c.headers {
			key, value, _ := strings.Cut(h, ": ")
			if key == "drop-host" {
				r.Host = ""
				continue
			}
			r.Header.Add(key, value)
		}
		got := x.send(r)
		if got.status != c.want {
			t.Errorf("%s: %d %.200s, want %d", name, got.status, got.body, c.want)
		}
		if got.header.Get("Access-Control-Allow-Origin") != "" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", name, got.header)
		}
		if strings.HasPrefix(r.URL.Path, "/explore") {
			checkGuards(t, name, got.header)
		}
	}
	for _, cookie := range []string{"", "quartier_explore_8080=", "quartier_explore_8080=" + strings.Repeat("A", 43),
		strings.Replace(x.cookie, "_8080", "_8081", 1), x.cookie + "x"} {
		if got := x.do("", "GET", origin+api, "Cookie: "+cookie); got.status != 401 {
			t.Errorf("the cookie %q: %d", cookie, got.status)
		}
	}
}

// ofBell is a private geography of another customer.
func ofBell(x *exploring) string {
	body := x.get("bell", "/v3/geographies?lat=45.2&lng=-72.8").body
	_, rest, found := strings.Cut(body, `"geog_id":"gp`)
	if !found {
		return servetest.PrivatePlaces("bell", "b")[0].ID
	}
	id, _, _ := strings.Cut(rest, `"`)
	return "gp" + id
}

// checkGuards checks the headers that every answer below /explore has, and those of all but tiles.
func checkGuards(t *testing.T, path string, header http.Header) {
	t.Helper()
	want := map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
	if !strings.Contains(path, "/explore/tiles/") {
		want["Referrer-Policy"], want["X-Frame-Options"], want["Cross-Origin-Opener-Policy"] = "no-referrer", "DENY", "same-origin"
		policy := header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'self'", "img-src 'self' data:", "base-uri 'none'", "form-action 'none'",
			"frame-ancestors 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy %q lacks %q", path, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %s", path, policy)
		}
	}
	for key, value := range want {
		if header.Get(key) != value {
			t.Errorf("%s: %s is %q", path, key, header.Get(key))
		}
	}
}

// TestExplorerKeepsSecrets looks for keys and sessions in what the server writes.
func TestExplorerKeepsSecrets(t *testing.T) {
	x := explorerOf(t, "globex")
	links := []string{x.explorer.Link(origin), x.explorer.Link(origin)}
	for _, link := range links {
		got := x.get("", link)
		x.cookie, _, _ = strings.Cut(got.header.Get("Set-Cookie"), ";")
		x.get("", link)
	}
	x.ask("GET", "/explore/api/scores?lat=45.2&lng=-72.8")
	x.ask("GET", "/explore/")
	written := x.access.String() + x.log.String() + x.get("", "/metrics").body
	if !strings.Contains(written, `GET /explore/open`) || !strings.Contains(written, `"route":"GET /v3/scores"`) ||
		!strings.Contains(written, x.client.ID) {
		t.Errorf("the log lacks requests: %s", x.access)
	}
	if n := strings.Count(x.access.String(), "GET /v3/scores") + strings.Count(x.access.String(), "/explore/api"); n != 1 {
		t.Errorf("a call of the API is logged %d times", n)
	}
	for _, secret := range append(links, x.cookie) {
		if secret = secret[strings.LastIndexByte(secret, '=')+1:]; len(secret) != 43 || strings.Contains(written, secret) {
			t.Errorf("%q is written", secret)
		}
	}
	for _, private := range []string{"45.2", "127.0.0.1", "/explore/\"}"} {
		if strings.Contains(x.access.String(), private) {
			t.Errorf("the access log has %q", private)
		}
	}
}

// TestExplorerForOperators is at their address where there is one, and not at the other.
func TestExplorerForOperators(t *testing.T) {
	var explorer *explore.Explorer
	a := newAPI(t, func(o *serve.Options) {
		all, err := o.State.Accounts(t.Context())
		must(t, err)
		client, err := explore.Choose(all.Clients, "globex")
		must(t, err)
		explorer, err = explore.New(explore.Options{Releases: o.Releases, Accounts: o.Accounts, Account: client.ID,
			Hosts: []explore.Host{{Name: "ops.example.com", HTTPS: true}}})
		must(t, err)
		o.Explorer, o.Admin = explorer, true
	})
	defer explorer.Close()
	link := explorer.Link(explorer.Base("10.0.0.1:9090"))
	if !strings.HasPrefix(link, "https://ops.example.com/explore/open?key=") {
		t.Errorf("the link is %s", link)
	}
	if got := a.get("", link); got.status != 404 {
		t.Errorf("the address of customers: %d", got.status)
	}
	a.handler = a.server.Admin()
	got := a.get("", link)
	if cookie := got.header.Get("Set-Cookie"); got.status != 303 || !strings.Contains(cookie, "; Secure") ||
		!strings.HasPrefix(cookie, "quartier_explore=") {
		t.Fatalf("the link: %d %v", got.status, got.header)
	}
	cookie, _, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
	if got := a.get("", "https://ops.example.com/explore/api/scores?lat=45.2&lng=-72.8", "Cookie: "+cookie); got.status != 200 {
		t.Errorf("the API: %d %s", got.status, got.body)
	}
}

// TestExplorerBase is an address that a browser can open.
func TestExplorerBase(t *testing.T) {
	x := explorerOf(t, "globex")
	for at, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://localhost:80", "[::]:8080": "http://localhost:8080",
		"[::1]:8080": "http://[::1]:8080",
	} {
		if got := x.explorer.Base(at); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
	for _, bad := range []string{"", "https://", "ftp://a", "a/b", "https://a/", "a b", "user@a", "*"} {
		if h, err := explore.ParseHost(bad); err == nil {
			t.Errorf("%q is taken as %+v", bad, h)
		}
	}
	if h, err := explore.ParseHost("https://Maps.Example.com:8443"); err != nil ||
		h != (explore.Host{Name: "maps.example.com:8443", HTTPS: true}) {
		t.Errorf("%+v %v", h, err)
	}
}

// TestExplorerAccounts chooses the account of the explorer.
func TestExplorerAccounts(t *testing.T) {
	one, two, gone := &account.Client{ID: "qc_a", Customer: "acme"}, &account.Client{ID: "qc_b", Customer: "acme"},
		&account.Client{ID: "qc_c", Customer: "bell", RevokedAt: "2026-01-01T00:00:00Z"}
	for _, c := range []struct {
		all        []*account.Client
		name, want string // an id, or a part of the error
	}{
		{[]*account.Client{one}, "", "qc_a"}, {[]*account.Client{one, gone}, "", "qc_a"}, {[]*account.Client{one, two, gone}, "qc_b", "qc_b"},
		{[]*account.Client{one, gone}, "acme", "qc_a"},
		{nil, "", "there is none"}, {[]*account.Client{gone}, "", "there is none"}, {[]*account.Client{one, two}, "", "qc_a (acme), qc_b (acme)"},
		{[]*account.Client{one, two}, "acme", "client_id of one"}, {[]*account.Client{one, gone}, "bell", "revoked since 2026"},
		{[]*account.Client{one}, "other", `no "other"`},
	} {
		client, err := explore.Choose(c.all, c.name)
		if client != nil && client.ID == c.want || err != nil && strings.Contains(err.Error(), c.want) {
			continue
		}
		t.Errorf("%q: %+v %v, want %s", c.name, client, err, c.want)
	}
}

// TestExplorerSwap answers from a release that is swapped while somebody looks.
func TestExplorerSwap(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	before := x.digest()
	_, err := servetest.Write(x.root+"/next", servetest.Release{Name: "next", AsOf: "2025-01-01"})
	must(t, err)
	must(t, servetest.Publish(x.root, 1_000_000, "next"))
	must(t, x.releases.Reload(t.Context()))
	for _, path := range []string{"/explore/release.json", "/explore/api/scores?lat=45.2&lng=-72.8", "/explore/"} {
		if got := x.ask("GET", path); got.status != 200 || got.header.Get("Quartier-Release") == before ||
			got.header.Get("Quartier-Release") != x.digest() {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
	x.releases.Close()
	if got := x.ask("GET", "/explore/release.json"); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("without a release: %d %v", got.status, got.header)
	}
}
