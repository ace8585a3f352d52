package serve_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quartier/serve/explore/page"
	"quartier/serve/servetest"
)

// TestExplorerHasNoCredential looks for tokens and secrets of accounts in all that the page loads, and at what an answer of the
// API to it has.
func TestExplorerHasNoCredential(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	files, err := page.Files()
	must(t, err)
	paths := []string{
		"/explore/", "/explore/again", "/explore/again.js", "/explore/release.json", "/explore/parents/" + servetest.NorthOld,
		"/explore/api/scores?lat=45.2&lng=-72.8", "/explore/api/geographies?lat=45.2&lng=-72.8", "/explore/api/none",
	}
	for _, f := range files {
		paths = append(paths, "/explore/files/"+f.Name)
	}
	_, session, _ := strings.Cut(x.cookie, "=")
	for _, path := range paths {
		got := x.ask("GET", path)
		if got.status >= 400 && path != "/explore/api/none" {
			t.Errorf("%s: %d", path, got.status)
		}
		all := got.body
		for name, values := range got.header {
			all += name + strings.Join(values, "")
		}
		for _, secret := range []string{session, x.tokens["globex"], x.grants["globex"].ClientSecret, x.grants["globex"].ClientID} {
			if len(secret) < 10 || strings.Contains(all, secret) {
				t.Errorf("%s has %q", path, secret)
			}
		}
		if got.header.Get("Set-Cookie") != "" || got.header.Get("Authorization") != "" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
}

// TestExplorerEndsWithTheProcess: neither the session nor a link of one process is anything to another one.
func TestExplorerEndsWithTheProcess(t *testing.T) {
	before, after := explorerOf(t, "globex"), explorerOf(t, "globex")
	before.enter()
	link := before.explorer.Link(origin)
	after.cookie = before.cookie
	if got := after.ask("GET", "/explore/release.json"); got.status != 401 {
		t.Errorf("a session of another process: %d", got.status)
	}
	if got := after.get("", link); got.status != 401 || got.header.Get("Set-Cookie") != "" {
		t.Errorf("a link of another process: %d", got.status)
	}
	if got := before.ask("GET", "/explore/release.json"); got.status != 200 {
		t.Errorf("its own: %d", got.status)
	}
}

// TestExplorerWrongLinks are taken from an address ten at once and then one a second, whatever others do.
func TestExplorerWrongLinks(t *testing.T) {
	x := explorerOf(t, "globex")
	try := func(address string) answer {
		r := httptest.NewRequest("GET", origin+"/explore/open?key="+strings.Repeat("A", 43), nil)
		r.RemoteAddr = address + ":1234"
		return x.send(r)
	}
	for n := range 10 {
		if got := try("192.0.2.1"); got.status != 401 {
			t.Fatalf("number %d: %d", n+1, got.status)
		}
	}
	if got := try("192.0.2.1"); got.status != 429 || got.header.Get("Retry-After") == "" ||
		!strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
		t.Errorf("number 11: %d %v", got.status, got.header)
	}
	if got := try("192.0.2.2"); got.status != 401 {
		t.Errorf("another address: %d", got.status)
	}
	x.clock = x.clock.Add(time.Second)
	if got := [2]int{try("192.0.2.1").status, try("192.0.2.1").status}; got != [2]int{401, 429} {
		t.Errorf("a second later: %v", got)
	}
}

// TestExplorerLinkIsNotUsedUpAhead: a browser that fetches a link before anybody follows it leaves it as it was.
func TestExplorerLinkIsNotUsedUpAhead(t *testing.T) {
	x := explorerOf(t, "globex")
	link := x.explorer.Link(origin)
	for name, purpose := range map[string]string{"Sec-Purpose": "prefetch;prerender", "Purpose": "prefetch", "X-Moz": "prefetch",
		"X-Purpose": "preview"} {
		r := httptest.NewRequest("GET", link, nil)
		r.Header.Set(name, purpose)
		if got := x.send(r); got.status != 503 || got.header.Get("Set-Cookie") != "" || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
	if got := x.get("", link); got.status != 303 || got.header.Get("Set-Cookie") == "" {
		t.Errorf("followed: %d %v", got.status, got.header)
	}
}
