package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/explore"
	"quartier/serve/servetest"
)

// raw sends a request as it is written, over a connection of its own, and returns the answer; nil where the connection is
// closed without one. %H is the address of the server, %C the cookie.
func (x *exploring) raw(web *httptest.Server, text string) *answer {
	x.t.Helper()
	addr := web.Listener.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	must(x.t, err)
	text = strings.NewReplacer("%H", addr, "%C", strings.Replace(x.cookie, "_8080", "_"+port, 1)).Replace(text)
	conn, err := net.Dial("tcp", addr)
	must(x.t, err)
	defer conn.Close()
	must(x.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, text)
	must(x.t, err)
	method, _, _ := strings.Cut(text, " ")
	got, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return nil
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	must(x.t, err)
	return &answer{got.StatusCode, got.Header, string(body)}
}

// servers serves at the address of customers and at one for operators.
func (x *exploring) servers() map[string]*httptest.Server {
	all := map[string]*httptest.Server{"customers": httptest.NewServer(x.handler), "operators": httptest.NewServer(x.server.Admin())}
	for _, web := range all {
		x.t.Cleanup(web.Close)
	}
	return all
}

// TestExplorerPathsOfTheAPI asks by paths that try to leave the API, or to be another one of its paths. Each is answered as the
// API answers the same path below /v3, at both addresses.
func TestExplorerPathsOfTheAPI(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	servers := x.servers()
	for _, path := range []string{
		"scores?lat=45.2&lng=-72.8", "../oauth/token", "..%2foauth%2ftoken", "%2e%2e/oauth/token", "%2e%2e%2foauth%2ftoken", "../../metrics",
		"%2e%2e/%2e%2e/metrics", "..;/metrics", "..\\metrics", "..%5cmetrics",
		"%252e%252e%252fmetrics", "/scores?lat=45.2&lng=-72.8", "//scores", "./scores?lat=45.2&lng=-72.8", "x/../scores?lat=45.2&lng=-72.8",
		"scores/", "scores//", "scores%2f", "%2fscores", "scores%00", "%00", "scores;a=b?lat=45.2&lng=-72.8",
		"v3/scores?lat=45.2&lng=-72.8", "geographies/custom", "geographies%2Fcustom", "geographies%2fcustom", "geographies/%63ustom",
		"geographies/..%2fcustom", "scores/" + servetest.NorthOld, "scores/%67" + servetest.NorthOld[1:],
		"scores%0d%0aX-Injected:%201", "scores/%0d%0aX-Injected:%201", "%ff%fe", "%e2%80%ae", "scores?%zz", "scores?lat=45.2&lng=-72.8#x",
		"scores?lat=45.2;lng=1&lng=-72.8", "SCORES?lat=45.2&lng=-72.8", "scores%20", "*", "explore/", "%3f", "%23",
	} {
		want := x.raw(servers["customers"], "GET /v3/"+path+" HTTP/1.1\r\nHost: %H\r\nAuthorization: Bearer "+x.tokens["globex"]+"\r\n\r\n")
		for who, web := range servers {
			for _, prefix := range []string{"/explore/api/", "/explore/%61pi/", "/%65xplore/api/"} {
				got := x.raw(web, "GET "+prefix+path+" HTTP/1.1\r\nHost: %H\r\nCookie: %C\r\n\r\n")
				switch {
				case (got == nil) != (want == nil):
					t.Errorf("%s%s to %s: %+v, and the API %+v", prefix, path, who, got, want)
				case got == nil:
				case got.status != want.status || got.body != want.body:
					t.Errorf("%s%s to %s: %d %.200s, and the API %d %.200s", prefix, path, who, got.status, got.body, want.status, want.body)
				case got.header.Get("X-Injected") != "" || got.header.Get("Location") != "" || strings.Contains(got.body, "quartier_http"):
					t.Errorf("%s%s to %s: %v %.200s", prefix, path, who, got.header, got.body)
				case got.status != 400 || got.header.Get("X-Request-Id") != "": // else it is of net/http
					checkGuards(t, prefix+path, got.header)
				}
			}
		}
	}
}

// TestExplorerRequests sends requests whose lines and headers say one thing to this server, and could say another to a proxy or
// a part of it.
func TestExplorerRequests(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	const with, get = "Host: %H\r\nCookie: %C\r\n", "/explore/api/scores?lat=45.2&lng=-72.8"
	post := func(headers, body string) string {
		return "POST /explore/api/geographies/custom HTTP/1.1\r\n" + with + "Origin: http://%H\r\nConnection: close\r\n" + headers + "\r\n" + body
	}
	for name, c := range map[string]struct {
		text string
		want int // 0: no answer
	}{
		"as it should be":           {"GET " + get + " HTTP/1.1\r\n" + with + "\r\n", 200},
		"an absolute URL":           {"GET http://%H" + get + " HTTP/1.1\r\n" + with + "\r\n", 200},
		"an absolute URL of others": {"GET http://evil.example" + get + " HTTP/1.1\r\n" + with + "\r\n", 421},
		"a URL of others by https":  {"GET https://evil.example" + get + " HTTP/1.1\r\n" + with + "\r\n", 421},
		"two hosts":                 {"GET " + get + " HTTP/1.1\r\nHost: %H\r\nHost: evil.example\r\nCookie: %C\r\n\r\n", 400},
		"no host":                   {"GET " + get + " HTTP/1.1\r\nCookie: %C\r\n\r\n", 400},
		"no host in HTTP/1.0":       {"GET " + get + " HTTP/1.0\r\nCookie: %C\r\n\r\n", 421},
		"a user in the host":        {"GET " + get + " HTTP/1.1\r\nHost: evil@%H\r\nCookie: %C\r\n\r\n", 400},
		"a path in the host":        {"GET " + get + " HTTP/1.1\r\nHost: %H/x\r\nCookie: %C\r\n\r\n", 400},
		"a forwarded host": {"GET " + get +
			" HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: %H\r\nForwarded: host=%H\r\nCookie: %C\r\n\r\n", 421},
		"all addresses":          {"GET " + get + " HTTP/1.1\r\nHost: 0.0.0.0\r\nCookie: %C\r\n\r\n", 421},
		"an address as a number": {"GET " + get + " HTTP/1.1\r\nHost: 2130706433\r\nCookie: %C\r\n\r\n", 421},
		"a short address":        {"GET " + get + " HTTP/1.1\r\nHost: 127.1\r\nCookie: %C\r\n\r\n", 421},
		"a name that begins so":  {"GET " + get + " HTTP/1.1\r\nHost: localhost.\r\nCookie: %C\r\n\r\n", 421},
		"a name below":           {"GET " + get + " HTTP/1.1\r\nHost: evil.localhost\r\nCookie: %C\r\n\r\n", 421},
		"a name by an address":   {"GET " + get + " HTTP/1.1\r\nHost: 127.0.0.1.nip.io\r\nCookie: %C\r\n\r\n", 421},
		"a method in a header": {"GET /explore/api/geographies/custom HTTP/1.1\r\n" + with +
			"X-HTTP-Method-Override: POST\r\nX-Method-Override: POST\r\n\r\n", 200},
		"a method in the query": {"GET /explore/api/geographies/custom?_method=POST HTTP/1.1\r\n" + with + "\r\n", 200},
		"a path in a header": {"GET /explore/api/none HTTP/1.1\r\n" + with +
			"X-Original-URL: /metrics\r\nX-Rewrite-URL: /metrics\r\n\r\n", 404},
		"OPTIONS":                   {"OPTIONS " + get + " HTTP/1.1\r\n" + with + "\r\n", 403},
		"OPTIONS of this origin":    {"OPTIONS " + get + " HTTP/1.1\r\n" + with + "Origin: http://%H\r\n\r\n", 405},
		"TRACE":                     {"TRACE " + get + " HTTP/1.1\r\n" + with + "Origin: http://%H\r\n\r\n", 405},
		"TRACE of the page":         {"TRACE /explore/ HTTP/1.1\r\n" + with + "Origin: http://%H\r\n\r\n", 405},
		"CONNECT":                   {"CONNECT " + get + " HTTP/1.1\r\n" + with + "Origin: http://%H\r\n\r\n", 405},
		"CONNECT to a host":         {"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nCookie: %C\r\n\r\n", 404},
		"a method of its own":       {"LOOK " + get + " HTTP/1.1\r\n" + with + "Origin: http://%H\r\n\r\n", 405},
		"a method in small letters": {"get " + get + " HTTP/1.1\r\n" + with + "Origin: http://%H\r\n\r\n", 405},
		"a header over two lines":   {"GET " + get + " HTTP/1.1\r\n" + with + "X-A: b\r\n Sec-Fetch-Site: cross-site\r\n\r\n", 200},
		"a blank before the colon":  {"GET " + get + " HTTP/1.1\r\n" + with + "Origin : http://evil.example\r\n\r\n", 400},
		"a line break in a header":  {"GET " + get + " HTTP/1.1\r\n" + with + "X-Request-Id: a\rX-Injected: 1\r\n\r\n", 400},
		"NUL in a header":           {"GET " + get + " HTTP/1.1\r\n" + with + "X-Request-Id: a\x00b\r\n\r\n", 400},
		"an id that is none":        {"GET " + get + " HTTP/1.1\r\n" + with + "X-Request-Id: <script>\r\n\r\n", 200},
		"sites in capitals":         {"GET " + get + " HTTP/1.1\r\n" + with + "sec-fetch-site: Cross-Site\r\n\r\n", 403},
		"an empty site":             {"GET " + get + " HTTP/1.1\r\n" + with + "Sec-Fetch-Site:\r\n\r\n", 403},
		"an empty origin":           {"GET " + get + " HTTP/1.1\r\n" + with + "Origin:\r\n\r\n", 403},
		"a list of sites":           {"GET " + get + " HTTP/1.1\r\n" + with + "Sec-Fetch-Site: same-origin, cross-site\r\n\r\n", 403},
		"an origin with a path":     {"GET " + get + " HTTP/1.1\r\n" + with + "Origin: http://%H/\r\n\r\n", 403},
		"a token of the operators":  {"GET /v3/scores?lat=45.2&lng=-72.8 HTTP/1.1\r\n" + with + "\r\n", 403},
		"JSON":                      {post("Content-Type: application/json\r\nContent-Length: 2\r\n", "{}"), 400},
		"JSON with a charset":       {post("Content-Type: Application/JSON; charset=utf-8\r\nContent-Length: 2\r\n", "{}"), 400},
		"text":                      {post("Content-Type: text/plain\r\nContent-Length: 2\r\n", "{}"), 415},
		"text that says it is JSON": {post("Content-Type: text/plain; application/json\r\nContent-Length: 2\r\n", "{}"), 415},
		"text in a list":            {post("Content-Type: application/json, text/plain\r\nContent-Length: 2\r\n", "{}"), 415},
		"two types": {post("Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n", "{}"),
			415},
		"parts of a form":              {post("Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 2\r\n", "{}"), 415},
		"a form":                       {post("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n", "{}"), 415},
		"no type":                      {post("Content-Length: 2\r\n", "{}"), 415},
		"an empty type":                {post("Content-Type:\r\nContent-Length: 2\r\n", "{}"), 415},
		"chunks without a type":        {post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), 415},
		"chunks of text":               {post("Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), 415},
		"two lengths":                  {post("Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n", "{}"), 400},
		"chunks of chunks":             {post("Content-Type: application/json\r\nTransfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 501},
		"chunks of an unknown kind":    {post("Content-Type: application/json\r\nTransfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 501},
		"a length below zero":          {post("Content-Type: application/json\r\nContent-Length: -1\r\n", "{}"), 400},
		"a path with a blank":          {"GET /explore/ HTTP/1.1 /x HTTP/1.1\r\n" + with + "\r\n", 400},
		"escapes of the slash":         {"GET /explore%2Fapi%2Fscores?lat=45.2&lng=-72.8 HTTP/1.1\r\n" + with + "\r\n", 404},
		"an escape of the first slash": {"GET /explore%2F HTTP/1.1\r\n" + with + "\r\n", 404},
		"two slashes":                  {"GET /explore// HTTP/1.1\r\n" + with + "\r\n", 404},
		"two slashes before the API":   {"GET /explore//api/scores HTTP/1.1\r\n" + with + "\r\n", 404},
		"a point":                      {"GET /explore/./api/scores HTTP/1.1\r\n" + with + "\r\n", 404},
		"capitals":                     {"GET /EXPLORE/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"a longer name":                {"GET /explorer/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"a slash after a file":         {"GET /explore/release.json/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"a slash after explain":        {"GET /explore/explain/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"no parents":                   {"GET /explore/parents HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents of nothing":           {"GET /explore/parents/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents below parents":        {"GET /explore/parents/" + servetest.NorthOld + "/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents of a path of the API": {"GET /explore/parents/custom HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents of a path above":      {"GET /explore/parents/../api/scores HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents of an escaped path":   {"GET /explore/parents/..%2fscores HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents of an id with NUL":    {"GET /explore/parents/g10_vieuxnord0%00 HTTP/1.1\r\n" + with + "\r\n", 404},
		"parents of a long id":         {"GET /explore/parents/g10_" + strings.Repeat("a", 20_000) + " HTTP/1.1\r\n" + with + "\r\n", 404},
		"a file above":                 {"GET /explore/files/../index.html HTTP/1.1\r\n" + with + "\r\n", 404},
		"a file of Go":                 {"GET /explore/files/..%2fpage.go HTTP/1.1\r\n" + with + "\r\n", 404},
		"a folder":                     {"GET /explore/files/maplibre/ HTTP/1.1\r\n" + with + "\r\n", 404},
		"NUL in a file":                {"GET /explore/files/main.js%00 HTTP/1.1\r\n" + with + "\r\n", 404},
		"the longest number of a tile": {"GET /explore/tiles/map/" + strings.Repeat("9", 20_000) + "/0/0.mvt HTTP/1.1\r\n" + with + "\r\n",
			404},
		"a tile of many parts":           {"GET /explore/tiles/map" + strings.Repeat("/0", 10_000) + ".mvt HTTP/1.1\r\n" + with + "\r\n", 404},
		"a tile beyond 32 bits":          {"GET /explore/tiles/map/0/18446744073709551616/0.mvt HTTP/1.1\r\n" + with + "\r\n", 404},
		"a tile as a number of Go":       {"GET /explore/tiles/map/0x0/0_0/0.mvt HTTP/1.1\r\n" + with + "\r\n", 404},
		"a tile of an archive elsewhere": {"GET /explore/tiles/..%2f..%2fplaces/0/0/0.mvt HTTP/1.1\r\n" + with + "\r\n", 404},
	} {
		for who, web := range x.servers() {
			got := x.raw(web, c.text)
			if who == "operators" && !strings.Contains(c.text, " /explore") && !strings.Contains(c.text, "%H/explore") {
				continue // is not the explorer's
			}
			if got == nil && c.want != 0 || got != nil && got.status != c.want {
				t.Errorf("%s, to %s: %+v, want %d", name, who, got, c.want)
			}
			if got == nil {
				continue
			}
			if got.header.Get("X-Injected") != "" || got.header.Get("Access-Control-Allow-Origin") != "" ||
				strings.Contains(got.body, "quartier_http") || strings.Contains(got.header.Get("X-Request-Id"), "<") {
				t.Errorf("%s, to %s: %+v", name, who, got)
			}
			if got.header.Get("X-Request-Id") != "" && strings.Contains(c.text, "/explore/") {
				checkGuards(t, name+", to "+who, got.header)
			}
		}
	}
}

// TestExplorerOneSession opens a link by many at once, of whom one gets a session.
func TestExplorerOneSession(t *testing.T) {
	x := explorerOf(t, "globex")
	link := x.explorer.Link(origin)
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for i := range 100 {
		all.Go(func() {
			r := httptest.NewRequest("GET", link, nil)
			r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1234", i) // so that none is kept from trying
			w := httptest.NewRecorder()
			x.handler.ServeHTTP(w, r)
			mu.Lock()
			defer mu.Unlock()
			statuses[w.Code]++
			if cookie := w.Header().Get("Set-Cookie"); (cookie != "") != (w.Code == 303) {
				t.Errorf("%d with the cookie %q", w.Code, cookie)
			}
		})
	}
	all.Wait()
	if statuses[303] != 1 || statuses[410] != 99 {
		t.Errorf("statuses %v", statuses)
	}
}

// TestExplorerCookies sends cookies that others may have put into the browser, at another port or below another name.
func TestExplorerCookies(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	own, id := x.cookie, x.cookie[strings.IndexByte(x.cookie, '=')+1:]
	fixed := strings.Repeat("A", len(id))
	for _, c := range []struct {
		cookie string
		want   int
	}{
		{own, 200}, {"quartier_explore_8080=" + fixed + "; " + own, 200}, {own + "; quartier_explore_8080=" + fixed, 200},
		{"quartier_explore_8080=; " + own, 200},
		{strings.Repeat("quartier_explore_8080="+fixed+"; ", 200) + own, 200}, {"theirs=" + strings.Repeat("x", 4000) + "; " + own, 200},
		{"quartier_explore=" + id, 401}, {"quartier_explore_8081=" + id, 401}, {"__Host-quartier_explore_8080=" + id, 401},
		{"Quartier_Explore_8080=" + id, 401},
		{"quartier_explore_8080=" + fixed, 401}, {"quartier_explore_8080=" + strings.ToLower(id), 401}, {"quartier_explore_8080=" + id[:42], 401},
		{"quartier_explore_8080=" + id + "=", 401},
		{"quartier_explore_8080=" + id[:42] + "%" + id[42:], 401}, {"quartier_explore_8080=" + strings.Repeat(id, 1000), 401},
		{"theirs=a, " + own, 401}, {"x" + own, 401},
	} {
		if strings.ToLower(id) == id && c.cookie == "quartier_explore_8080="+id {
			continue
		}
		x.cookie = c.cookie
		if got := x.ask("GET", "/explore/release.json"); got.status != c.want || got.header.Get("Set-Cookie") != "" {
			t.Errorf("the cookie %.80s: %d %v, want %d", c.cookie, got.status, got.header["Set-Cookie"], c.want)
		}
	}
	// A session that was there before the link is opened is not the one that the link begins.
	x.cookie = "quartier_explore_8080=" + fixed
	got := x.ask("GET", strings.TrimPrefix(x.explorer.Link(origin), origin))
	if made := got.header.Get("Set-Cookie"); got.status != 303 || made == "" || strings.Contains(made, fixed) || strings.Contains(made, id) {
		t.Errorf("a session that others chose: %d %q", got.status, made)
	}
	if got := x.ask("GET", "/explore/release.json"); got.status != 401 {
		t.Errorf("a session that others chose: %d", got.status)
	}
}

// TestExplorerRevokedInTime ends sessions when the server notices by itself that the account is revoked.
func TestExplorerRevokedInTime(t *testing.T) {
	done := make(chan struct{})
	x := explorerOf(t, "globex", func(o *explore.Options) {
		live := o.Accounts.(*account.Live)
		go func() { defer close(done); live.Run(t.Context()) }()
	})
	t.Cleanup(func() { <-done })
	x.enter()
	must(t, x.store.Revoke(x.client.ID))
	revoked := time.Now()
	testenv.Eventually(t, "the session ends", func() bool { return x.ask("GET", "/explore/release.json").status == 401 })
	if after := time.Since(revoked); after > 5*time.Second {
		t.Errorf("the session outlives its account by %v", after)
	}
}

// TestExplorerTakesTheRate of the account, as its tokens do: calls by either are taken off the same allowance, and are refused
// in the same words.
func TestExplorerTakesTheRate(t *testing.T) {
	x := explorerOf(t, "slow")
	x.enter()
	const query = "scores?lat=45.2&lng=-72.8"
	byToken := func() answer { return x.get("slow", "/v3/"+query) }
	byPage := func() answer { return x.ask("GET", "/explore/api/"+query) }
	var refused answer
	for n := 0; refused.status != 429; n++ {
		if refused = byPage(); n > 100 {
			t.Fatal("the account's rate is not applied")
		}
	}
	token := byToken()
	for token.status != 429 { // a part of the allowance has come back
		byPage()
		token = byToken()
	}
	if token.body != refused.body {
		t.Errorf("%s, and by a token %s", refused.body, token.body)
	}
	for _, name := range []string{"Ratelimit-Policy", "Retry-After", "Content-Type", "Vary"} {
		if got, want := refused.header.Get(name), token.header.Get(name); got != want || want == "" {
			t.Errorf("%s: %q, and by a token %q", name, got, want)
		}
	}
	if !strings.HasPrefix(refused.header.Get("Ratelimit"), `"default";r=0;`) {
		t.Errorf("RateLimit: %q", refused.header.Get("Ratelimit"))
	}
	for got := byPage(); got.status != 429; got = byPage() {
	}
	if got := x.ask("GET", "/explore/release.json"); got.status != 200 {
		t.Errorf("what is no call of the API: %d %s", got.status, got.body)
	}
}

// TestExplorerHostileQueries sends explain and changes what no page would. explain refuses what the API refuses, in its words.
func TestExplorerHostileQueries(t *testing.T) {
	_, holder := explainable(t)
	opened := 0
	x := explorerOf(t, "globex", func(o *explore.Options) {
		o.Releases = holder
		o.Explainer = func(string) (explore.Explainer, error) { opened++; return strict{fakeExplainer{&opened}}, nil }
		o.Against = &explore.Comparison{Compare: compareNothing}
	})
	x.enter()
	x.ask("GET", "/explore/explain?lat=45.2&lng=-72.8") // prepares
	x.ask("GET", "/explore/changes")
	values := map[string]string{"empty": "", "a number": "45.2", "minus zero": "-0", "with a blank": "+45.2", "quiet": "quiet",
		"twice": "quiet,quiet", "with blanks": "quiet,%20cafes", "capitals": "QUIET", "a comma at the end": "quiet,", "30": "30", "030": "030",
		"a sign": "%2B30"}
	for _, more := range []map[string]string{hostileValues, hugeNumbers} {
		for kind, value := range more {
			values[kind] = value
		}
	}
	var longest time.Duration
	var slowest string
	ask := func(what, path, query string) answer {
		t.Helper()
		r := httptest.NewRequest("GET", origin+path, nil)
		r.URL.RawQuery = query
		r.Header.Set("Cookie", x.cookie)
		begin := time.Now()
		got := x.send(r)
		if spent := time.Since(begin); spent > longest && !strings.HasPrefix(what, "a million") {
			longest, slowest = spent, what
		}
		if got.status >= 400 && !json.Valid([]byte(got.body)) || got.status >= 500 || got.header.Get("X-Injected") != "" {
			t.Errorf("%s: %d %.200s", what, got.status, got.body)
		}
		return got
	}
	for kind, value := range values {
		for name, rest := range map[string]string{"lat": "&lng=-72.8", "lng": "&lat=45.2", "score": "&lat=45.2&lng=-72.8",
			"language": "&lat=45.2&lng=-72.8", "score[]": "&lat=45.2&lng=-72.8", "%00": "&lat=45.2&lng=-72.8"} {
			for times, query := range map[string]string{"": name + "=" + value + rest, "twice": name + "=" + value + "&" + name + "=" + value + rest,
				"then another": name + "=" + value + "&" + name + "=45.2" + rest} {
				what := kind + " as " + name + " " + times
				got := ask(what, "/explore/explain", query)
				api := ask(what+" of the API", "/explore/api/scores", strings.ReplaceAll(strings.ReplaceAll(query, "score[]=", "include[]="), "score=",
					"include="))
				if refused := api.status >= 400; refused && (got.status != api.status || got.body != api.body) || !refused && got.status >= 400 {
					t.Errorf("%s: %d %.200s, and the API %d %.200s", what, got.status, got.body, api.status, api.body)
				}
			}
		}
		for _, query := range []string{"level=" + value, "bbox=" + value, "bbox=" + value + ",1,2,3", "bbox=1,2,3," + value,
			"level=30&level=" + value, "bbox=1,2,3,4&bbox=" + value} {
			if got := ask(kind+" of changes", "/explore/changes", query); got.status != 200 && got.status != 400 {
				t.Errorf("%s: %d %.200s", query, got.status, got.body)
			}
		}
	}
	t.Logf("the longest took %v (%s)", longest, slowest)
}

// TestExplorerLevelsAndBoxes are those that the documentation has, and none else.
func TestExplorerLevelsAndBoxes(t *testing.T) {
	x := explorerOf(t, "globex", func(o *explore.Options) { o.Against = &explore.Comparison{Compare: compareNothing} })
	x.enter()
	for query, want := range map[string]int{
		"": 200, "level=30": 200, "level=": 200, "bbox=": 200, "bbox=-73,45,-72,46": 200, "bbox=-180,-90,180,90": 200, "other=1": 200,
		"level=030": 400, "level=%2B30": 400, "level=30&level=30": 400, "level=0": 400, "level=-30": 400, "bbox=-73,45,-72,91": 400,
		"bbox=-73,-91,-72,46": 400, "bbox=-181,45,-72,46": 400,
		"bbox=1,2,3,4&bbox=1,2,3,4": 400, "bbox=0x1,2,3,4": 400, "bbox=1,2,3,": 400, "bbox=1,2,3,4,5": 400, "bbox=%201,2,3,4": 400,
		"level=%zz": 400, "bbox=1,2,3,4;level=30": 400,
	} {
		if got := x.ask("GET", "/explore/changes?"+query); got.status != want {
			t.Errorf("%s: %d %.200s, want %d", query, got.status, got.body, want)
		}
	}
}

// TestExplorerHosts are names and ports as a browser sends them.
func TestExplorerHosts(t *testing.T) {
	for text, want := range map[string]explore.Host{
		"Maps.example.com": {Name: "maps.example.com"}, "https://maps.example.com:443": {Name: "maps.example.com", HTTPS: true},
		"http://maps.example.com:80":  {Name: "maps.example.com"},
		"https://maps.example.com:80": {Name: "maps.example.com:80", HTTPS: true}, "[2001:DB8::1]:8080": {Name: "[2001:db8::1]:8080"},
		"192.0.2.1:8080": {Name: "192.0.2.1:8080"}, "my_host": {Name: "my_host"},
	} {
		if got, err := explore.ParseHost(text); err != nil || got != want {
			t.Errorf("%s: %+v %v, want %+v", text, got, err, want)
		}
	}
	for _, bad := range []string{"*", "*.example.com", "2001:db8::1", "maps.example.com:", "maps.example.com:0", "maps.example.com:99999",
		"maps.example.com:x", "müller.example", "a,b", "a?b", "a#b", "a%20b", "http://", "[::1", ":8080", "https://a:1:2"} {
		if got, err := explore.ParseHost(bad); err == nil {
			t.Errorf("%q is taken as %+v", bad, got)
		}
	}
	x := explorerOf(t, "globex", func(o *explore.Options) {
		host, err := explore.ParseHost("https://maps.example.com:443")
		must(t, err)
		o.Hosts = []explore.Host{host}
	})
	link := x.explorer.Link(x.explorer.Base("127.0.0.1:8080"))
	if u, err := url.Parse(link); err != nil || u.Host != "maps.example.com" {
		t.Fatalf("the link is %s", link)
	}
	if got := x.get("", link); got.status != 303 || !strings.Contains(got.header.Get("Set-Cookie"), "; Secure") {
		t.Errorf("the link: %d %v", got.status, got.header)
	}
	if got := x.get("", "http://maps.example.com:8080/explore/"); got.status != 421 || !strings.Contains(got.body, "--explore-host") {
		t.Errorf("at another port: %d %s", got.status, got.body)
	}
}

// strict fails for what is no score, as the explainer of quartierd does.
type strict struct{ fakeExplainer }

func (s strict) Explain(ctx context.Context, lng, lat float64, scores []string, language string,
	mayShow func(lng, lat float64) bool) ([]byte, error) {
	for _, name := range scores {
		if _, ok := schemas.ChannelOf(name); !ok {
			return nil, fmt.Errorf("%q is no score", name)
		}
	}
	return s.fakeExplainer.Explain(ctx, lng, lat, scores, language, mayShow)
}

func compareNothing(context.Context, string, string) ([]byte, error) {
	return []byte(`{"changed":[],"scores":[]}`), nil
}
