package serve_test

import (
	"crypto/sha512"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quartier/serve/docs"
	"quartier/serve/embed"
)

// TestShared asks for what pages of other sites load: the page has the script with its integrity, immutable names are kept for good,
// every origin may read them, and none of it says anything of a place.
func TestShared(t *testing.T) {
	a := newAPI(t)
	page := a.get("", "/embed/v1/", "Accept: text/html")
	if page.status != 200 || page.header.Get("Content-Security-Policy") != docs.Policy || page.header.Get("Set-Cookie") != "" {
		t.Fatalf("%d %v", page.status, page.header)
	}
	const attributes = `script type="module" src="(/embed/v1/quartier-[0-9a-f]{16}\.js)"\s+integrity="(sha384-[^"]+)" crossorigin="anonymous"`
	for _, pattern := range []string{"<" + attributes + ">", "&lt;" + attributes + "&gt;"} {
		found := regexp.MustCompile(pattern).FindStringSubmatch(page.body)
		if found == nil {
			t.Fatalf("the page lacks %s", pattern)
		}
		script := a.get("", found[1])
		sum := sha512.Sum384([]byte(script.body))
		if script.status != 200 || "sha384-"+base64.StdEncoding.EncodeToString(sum[:]) != found[2] {
			t.Errorf("%s: %d, not %s", found[1], script.status, found[2])
		}
		if alias := a.get("", "/embed/v1/quartier.js"); alias.body != script.body || alias.header.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("the alias: %d %v", alias.status, alias.header)
		}
	}
	files, err := embed.Files()
	must(t, err)
	for _, f := range files {
		got := a.get("", embed.Root+f.Name, "Origin: https://portal.example", "Accept-Encoding: gzip")
		want := map[string]string{"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin",
			"X-Content-Type-Options": "nosniff", "Content-Type": f.Type, "Content-Encoding": "gzip", "Vary": "Accept-Encoding",
			"Cache-Control": "public, max-age=300"}
		if f.Immutable {
			want["Cache-Control"] = "public, max-age=31536000, immutable"
		}
		if len(f.Body) < 1400 {
			want["Content-Encoding"] = ""
		}
		for name, value := range want {
			if got.status != 200 || got.header.Get(name) != value {
				t.Errorf("%s: %d, %s: %q", f.Name, got.status, name, got.header.Get(name))
			}
		}
		if want["Content-Encoding"] != "" && unpack(t, "gzip", got.body) != string(f.Body) {
			t.Errorf("%s is another one compressed", f.Name)
		}
		if again := a.get("", embed.Root+f.Name, "Accept-Encoding: gzip", "If-None-Match: "+got.header.Get("Etag")); again.status != 304 {
			t.Errorf("%s: %d for what the caller has", f.Name, again.status)
		}
	}
	const release = embed.Root + "release.json"
	got := a.get("", release, "Origin: https://portal.example")
	body := decode[embed.Release](t, got.body)
	if got.status != 200 || body.AsOf == "" || got.header.Get("Access-Control-Allow-Origin") != "*" || got.header.Get("Etag") == "" {
		t.Errorf("%s: %d %s %v", release, got.status, got.body, got.header)
	}
	for _, path := range []string{"/embed/v1/quartier-0000000000000000.js", "/embed/v1/../v3/scores", "/embed/v1/x%2f",
		"/embed/v1/files/words.js", "/embed/v1/words.js", "/embed/", "/embed/v1/" + strings.Repeat("a", 10_000)} {
		if got := a.get("", path); got.status != 404 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	for _, path := range []string{"/embed/v1/", release, "/embed/v1/quartier.js"} {
		if got := a.do("", http.MethodPost, path); got.status != 405 {
			t.Errorf("POST %s: %d", path, got.status)
		}
		if got := a.do("", http.MethodHead, path); got.status != 200 || got.body != "" {
			t.Errorf("HEAD %s: %d", path, got.status)
		}
	}
}

// TestSharedLimit asks for more than an address may have.
func TestSharedLimit(t *testing.T) {
	a := newAPI(t)
	for range 50 {
		a.get("", "/embed/v1/quartier.js")
	}
	for _, path := range []string{"/embed/v1/", "/embed/v1/quartier.js", "/embed/v1/release.json"} {
		if got := a.get("", path); got.status != 429 || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}
