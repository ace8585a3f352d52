package serve_test

import (
	"net/http"
	"strings"
	"testing"
)

// followed are headers of a browser that follows a link of another site. It withholds the cookie.
var followed = []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-User: ?1"}

// stepped are those of the step that the page of words makes from its own origin.
var stepped = []string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}

// TestExplorerFollowedLinks opens the page by a link of another site, with and without a session.
func TestExplorerFollowedLinks(t *testing.T) {
	x := explorerOf(t, "globex")
	x.enter()
	cookie := x.cookie
	for name, headers := range map[string][]string{"a link": followed, "a browser that does not say where from": nil} {
		x.cookie = "" // withheld
		got := x.ask("GET", "/explore/", headers...)
		if got.status != 401 || !strings.Contains(got.body, `<script src="/explore/again.js"></script>`) ||
			!strings.Contains(got.body, "<noscript>\n<p>There is no session") ||
			!strings.Contains(got.body, `<a href="/explore/again">`) || strings.Contains(got.header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		script := x.ask("GET", "/explore/again.js", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script")
		if script.status != 200 || script.body != "location.replace('/explore/again' + location.hash);\n" ||
			!strings.HasPrefix(script.header.Get("Content-Type"), "text/javascript") {
			t.Errorf("%s: the script: %d %s", name, script.status, script.body)
		}
		checkGuards(t, "the script", script.header)
		if headers != nil {
			headers = stepped
		}
		// Without a session it ends in words, and does not go on.
		if end := x.ask("GET", "/explore/again", headers...); end.status != 401 || strings.Contains(end.body, "again.js") ||
			!strings.Contains(end.body, "USR1") {
			t.Errorf("%s: without a session: %d %s", name, end.status, end.body)
		}
		x.cookie = cookie
		got = x.ask("GET", "/explore/again", headers...)
		if got.status != http.StatusSeeOther || got.header.Get("Location") != "/explore/" || got.body != "" ||
			got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: with a session: %d %v", name, got.status, got.header)
		}
		if got = x.ask("GET", "/explore/", headers...); got.status != 200 || strings.Contains(got.body, "again.js") {
			t.Errorf("%s: the page: %d %s", name, got.status, got.body)
		}
	}
	if french := x.do("", "GET", origin+"/explore/", append(followed, "Accept-Language: fr")...); !strings.Contains(french.body,
		"Ouvrir l&#39;explorateur") {
		t.Errorf("in French: %s", french.body)
	}
	// A link that was opened before leads on, too: who has the session opens it from a mail again.
	used := x.explorer.Link(origin)
	x.get("", used)
	if got := x.get("", used, followed...); got.status != 410 || !strings.Contains(got.body, `<a href="/explore/again">`) ||
		strings.Contains(got.body, "<script") {
		t.Errorf("a link that was opened before: %d %s", got.status, got.body)
	}
}

// TestExplorerEndsInWords answers visits whose session is not withheld: there is none. Nothing goes on by itself.
func TestExplorerEndsInWords(t *testing.T) {
	x := explorerOf(t, "globex")
	for _, site := range []string{"none", "same-site", "same-origin"} {
		got := x.ask("GET", "/explore/", append([]string{"Sec-Fetch-Site: " + site}, followed[1:]...)...)
		if got.status != 401 || strings.Contains(got.body, "<script") || strings.Contains(got.body, "noscript") ||
			!strings.Contains(got.body, "USR1") {
			t.Errorf("%s: %d %s", site, got.status, got.body)
		}
	}
	for _, c := range []struct {
		method, path string
		headers      []string
		want         int
	}{
		{"HEAD", "/explore/again", nil, 401}, {"POST", "/explore/again", nil, 403},
		{"POST", "/explore/again", []string{"Origin: " + origin}, 401},
		{"GET", "/explore/again/", nil, 401}, {"GET", "/explore/again.js/x", nil, 404},
		{"POST", "/explore/again.js", []string{"Origin: " + origin}, 405},
		{"GET", "/explore/again.js", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"}, 403},
		{"GET", "/explore/again.js", followed, 403},
		{"GET", "/explore/again", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, 403},
		{"GET", "/explore/again", followed, 401}, {"GET", "/explore/release.json", nil, 401}, {"GET", "/explore/files/main.js", nil, 401},
	} {
		got := x.ask(c.method, c.path, c.headers...)
		if got.status != c.want || strings.Contains(got.body, "<script") || got.header.Get("Location") != "" {
			t.Errorf("%s %s %v: %d %s, want %d", c.method, c.path, c.headers, got.status, got.body, c.want)
		}
	}
}
