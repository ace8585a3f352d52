package serve_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"quartier/serve"
)

// withTiles gives a server a release with the tiles of writeTiles.
func withTiles(t testing.TB) func(*serve.Options) {
	dir := filepath.Join(t.TempDir(), "places")
	writeTiles(t, dir)
	holder, err := holdTiles(t, dir)
	must(t, err)
	return func(o *serve.Options) { o.Releases = holder }
}

// TestTiles answers with tiles by token and by key, to agreements that may have all that is in them.
func TestTiles(t *testing.T) {
	change := withTiles(t)
	var o serve.Options
	change(&o)
	k, digest := newKeyedAPI(t, change), o.Releases.Status().Digest
	for path, want := range map[string]int{
		"map/0/0/0": 200, "map/1/1/0": 200, "map/1/0/0": 204, "map/2/3/3": 204, "heat/10/300/300": 200, "heat/14/0/0": 204,
		"map/3/0/0": 404, "heat/9/0/0": 404, "map/1/2/0": 404, "map/31/0/0": 404, "map/00/0/0": 404, "map/0/-1/0": 404, "map/0/0": 404,
		"map/0/0/0/0": 404, "roads/0/0/0": 404, "": 404, "../places/0/0/0": 404, "map/1/4294967297/0": 404,
	} {
		target := "/v3/tiles/" + path + ".mvt"
		got := k.get("full", target, "Accept-Encoding: gzip")
		byKey := k.get("", target+"?key="+k.keys["full"], fromPortal, "Accept-Encoding: gzip", "Accept: image/*")
		if got.status != want || byKey.status != want || byKey.body != got.body {
			t.Errorf("%s: %d, by a key %d, want %d: %.200s", path, got.status, byKey.status, want, byKey.body)
		}
		if want != http.StatusOK {
			continue
		}
		r, err := gzip.NewReader(strings.NewReader(got.body))
		must(t, err)
		plain, err := io.ReadAll(r)
		must(t, err)
		other := k.get("full", target, "Accept-Encoding: br")
		if other.body != string(plain) || other.header.Get("Etag") == got.header.Get("Etag") || other.header.Get("Content-Encoding") != "" ||
			got.header.Get("Content-Encoding") != "gzip" || got.header.Get("Content-Type") != "application/vnd.mapbox-vector-tile" {
			t.Errorf("%s: %q %v, without gzip %q %v", path, plain, got.header, other.body, other.header)
		}
		if again := k.get("full", target, "Accept-Encoding: gzip", "If-None-Match: "+got.header.Get("Etag")); again.status != 304 {
			t.Errorf("%s: %d with its ETag", path, again.status)
		}
		for release, kept := range map[string]bool{digest: true, "another": false} {
			cached := k.get("full", target+"?release="+url.QueryEscape(release)).header.Get("Cache-Control")
			if strings.Contains(cached, "immutable") != kept || !strings.Contains(cached, "private") {
				t.Errorf("%s of release %s: %s", path, release, cached)
			}
		}
	}
	for _, who := range []string{"quebec", "quiet", "pois"} {
		for _, path := range []string{"/v3/tiles/map/0/0/0.mvt", "/v3/tiles/heat/10/300/300.mvt"} {
			if got := k.get(who, path).status; got != http.StatusForbidden {
				t.Errorf("%s as %s: %d", path, who, got)
			}
			if got := k.get("", path+"?key="+k.keys[who], fromPortal).status; got != http.StatusForbidden {
				t.Errorf("%s by the key of %s: %d", path, who, got)
			}
		}
	}
}
