package serve_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/pmtiles"
	"quartier/schemas"
	"quartier/serve/explore"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// writeTiles writes a release with all archives: ground and map have tiles 0/0/0 and 1/1/0 of zooms 0 to 2, heat 10/300/300.
func writeTiles(t testing.TB, dir string) {
	t.Helper()
	manifest, err := servetest.Write(dir, servetest.Release{})
	must(t, err)
	low := [][3]uint32{{0, 0, 0}, {1, 1, 0}}
	for name, tiles := range map[string][][3]uint32{"ground": low, "map": low, "heat": {{10, 300, 300}}} {
		path := filepath.Join(dir, release.TileArchives[name])
		w, err := pmtiles.Create(path)
		must(t, err)
		for _, tile := range tiles {
			id, _ := pmtiles.TileID(uint8(tile[0]), tile[1], tile[2])
			var packed bytes.Buffer
			zip := gzip.NewWriter(&packed)
			fmt.Fprintf(zip, "%s %v", name, tile)
			must(t, zip.Close())
			must(t, w.Add(id, 1, packed.Bytes()))
		}
		zooms := map[string][2]uint8{"ground": {0, 2}, "map": {0, 2}, "heat": {10, 14}}[name]
		must(t, w.Finish(pmtiles.Description{MinZoom: zooms[0], MaxZoom: zooms[1], Metadata: []byte(`{"wide_zoom":1}`)}))
		must(t, w.Close())
		data, err := os.ReadFile(path)
		must(t, err)
		sum := sha256.Sum256(data)
		manifest.Files = append(manifest.Files, schemas.ReleaseFile{Name: filepath.Base(path), SHA256: hex.EncodeToString(sum[:]),
			Bytes: int64(len(data))})
	}
	slices.SortFunc(manifest.Files, func(a, b schemas.ReleaseFile) int { return strings.Compare(a.Name, b.Name) })
	must(t, servetest.WriteManifest(dir, manifest))
}

// holdTiles opens a release as quartierd does with --explore.
func holdTiles(t testing.TB, dir string) (*release.Holder, error) {
	t.Helper()
	h, err := release.Hold(release.Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Tiles: true})
	if h != nil {
		t.Cleanup(h.Close)
	}
	return h, err
}

// TestExplorerTiles answers with tiles as they are stored, to accounts that may have all that is in them.
func TestExplorerTiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "places")
	writeTiles(t, dir)
	holder, err := holdTiles(t, dir)
	must(t, err)
	withTiles := func(o *explore.Options) { o.Releases = holder }
	x := explorerOf(t, "globex", withTiles)
	if got := x.ask("GET", "/explore/tiles/map/0/0/0.mvt"); got.status != 401 || !strings.Contains(got.body, "session_ended") {
		t.Errorf("without a session: %d %s", got.status, got.body)
	}
	x.enter()
	for path, want := range map[string]int{
		"ground/0/0/0": 200, "ground/1/0/0": 204, "ground/3/0/0": 404,
		"map/0/0/0": 200, "map/1/1/0": 200, "map/1/0/0": 204, "map/2/3/3": 204, "heat/10/300/300": 200, "heat/14/0/0": 204,
		"map/3/0/0": 404, "heat/9/0/0": 404, "map/1/2/0": 404, "map/1/0/2": 404, "map/2/4/0": 404, "map/31/0/0": 404, "map/300/0/0": 404,
		"map/00/0/0": 404,
		"map/0/-1/0": 404, "map/0/+0/0": 404, "map/0/0": 404, "map/0/0/0/0": 404, "roads/0/0/0": 404, "../places/0/0/0": 404,
		"map/1/4294967297/0": 404,
	} {
		got := x.ask("GET", "/explore/tiles/"+path+".mvt", "Accept-Encoding: gzip")
		if got.status != want || got.header.Get("Quartier-Release") != holder.Status().Digest {
			t.Errorf("%s: %d %v, want %d", path, got.status, got.header, want)
		}
		checkGuards(t, "/explore/tiles/"+path, got.header)
		if want == 200 {
			checkTile(t, x, path, got, holder.Status().Digest)
		}
	}
	if got := x.ask("GET", "/explore/tiles/map/0/0/0.png"); got.status != 404 {
		t.Errorf("an image: %d", got.status)
	}
	for customer, want := range map[string][2]int{"quebec": {403, 403}, "pois": {403, 403}, "quiet": {403, 403}, "elsewhere": {403, 403}} {
		x := explorerOf(t, customer, withTiles)
		x.enter()
		if got := x.ask("GET", "/explore/tiles/ground/0/0/0.mvt", "Accept-Encoding: gzip"); got.status != 200 {
			t.Errorf("the ground as %s, which has no product's data: %d %s", customer, got.status, got.body)
		}
		for i, path := range []string{"map/0/0/0", "heat/10/300/300"} {
			if got := x.ask("GET", "/explore/tiles/"+path+".mvt"); got.status != want[i] || !strings.Contains(got.body, "not_in_agreement") {
				t.Errorf("%s as %s: %d %s", path, customer, got.status, got.body)
			}
		}
		if got := x.ask("GET", "/explore/release.json"); decode[explore.ReleaseBody](t, got.body).Reason == "" {
			t.Errorf("%s is not given the reason: %s", customer, got.body)
		}
	}
	body := decode[explore.ReleaseBody](t, x.ask("GET", "/explore/release.json").body)
	if body.Zooms["ground"] != [2]int{0, 2} ||
		body.Zooms["map"] != [2]int{0, 2} || body.Zooms["heat"] != [2]int{10, 14} || body.WideZoom != 1 || body.Reason != "" ||
		body.Bounds == nil || body.Center == nil || body.Account != "globex" {
		t.Errorf("%+v", body)
	}
	none := explorerOf(t, "globex")
	none.enter()
	if got := none.ask("GET", "/explore/tiles/map/0/0/0.mvt"); got.status != 404 || !strings.Contains(got.body, "no_tiles") {
		t.Errorf("a release without tiles: %d %s", got.status, got.body)
	}
	if body := decode[explore.ReleaseBody](t, none.ask("GET", "/explore/release.json").body); len(body.Zooms) != 0 || body.WideZoom != 0 ||
		body.Reason == "" {
		t.Errorf("a release without tiles: %+v", body)
	}
}

// checkTile compares a tile in all forms.
func checkTile(t *testing.T, x *exploring, path string, got answer, digest string) {
	t.Helper()
	want := strings.Replace(path, "/", " [", 1)
	want = strings.ReplaceAll(want, "/", " ") + "]"
	r, err := gzip.NewReader(strings.NewReader(got.body))
	must(t, err)
	plain, err := io.ReadAll(r)
	must(t, err)
	if string(plain) != want || got.header.Get("Content-Encoding") != "gzip" ||
		got.header.Get("Content-Type") != "application/vnd.mapbox-vector-tile" || got.header.Get("Etag") != `"`+digest+`"` {
		t.Errorf("%s: %q %v", path, plain, got.header)
	}
	path = "/explore/tiles/" + path + ".mvt"
	if again := x.ask("GET", path, "Accept-Encoding: gzip", "If-None-Match: "+got.header.Get("Etag")); again.status != 304 ||
		again.body != "" {
		t.Errorf("%s: %d for what the caller has", path, again.status)
	}
	if other := x.ask("GET", path); other.body != want || other.header.Get("Content-Encoding") != "" ||
		other.header.Get("Etag") == got.header.Get("Etag") {
		t.Errorf("%s without gzip: %q %v", path, other.body, other.header)
	}
	if head := x.ask("HEAD", path, "Accept-Encoding: gzip"); head.status != 200 || head.body != "" ||
		head.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
		t.Errorf("HEAD %s: %v", path, head.header)
	}
}

// TestExplorerFindsDamagedTiles before they are served. A server without the explorer does not read them.
func TestExplorerFindsDamagedTiles(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"a tile":      func(data []byte) []byte { data[16384] ^= 1; return data },
		"the header":  func(data []byte) []byte { data[0] ^= 1; return data },
		"a directory": func(data []byte) []byte { data[127+12] ^= 1; return data },
		"its end":     func(data []byte) []byte { return data[:len(data)-1] },
		"all of it":   func([]byte) []byte { return nil },
	} {
		dir := filepath.Join(t.TempDir(), "places")
		writeTiles(t, dir)
		path := filepath.Join(dir, release.TileArchives["heat"])
		data, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, damage(data), 0o644))
		if h, err := holdTiles(t, dir); err == nil || !errors.Is(err, release.ErrRejected) || h.Acquire() != nil {
			t.Errorf("damage of %s is served: %v", name, err)
		}
		without, err := release.NewHolder(dir, slog.New(slog.DiscardHandler))
		must(t, err)
		without.Close()
	}
}

// fakeExplainer explains by saying what it was asked.
type fakeExplainer struct{ open *int }

func (f fakeExplainer) Explain(_ context.Context, lng, lat float64, scores []string, language string,
	mayShow func(lng, lat float64) bool) ([]byte, error) {
	if lat == 45.9 {
		return nil, nil
	}
	return fmt.Appendf(nil, `{"at":"%v,%v","scores":%q,"here":%v,"south":%v,"language":%q}`, lat, lng, scores, mayShow(lng, lat),
		mayShow(-72.5, 44.5), language), nil
}

func (f fakeExplainer) Close() error { *f.open--; return nil }

// withSQLite adds the files that are explained to a release, with any content.
func withSQLite(t *testing.T, dir string) {
	t.Helper()
	manifest, err := schemas.ReadManifest(dir)
	must(t, err)
	sum := sha256.Sum256([]byte("rows"))
	for _, name := range []string{schemas.AccessFile, schemas.POIsFile, schemas.SchoolsFile} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("rows"), 0o644))
		manifest.Files = append(manifest.Files, schemas.ReleaseFile{Name: name, SHA256: hex.EncodeToString(sum[:]), Bytes: 4})
	}
	slices.SortFunc(manifest.Files, func(a, b schemas.ReleaseFile) int { return strings.Compare(a.Name, b.Name) })
	must(t, servetest.WriteManifest(dir, manifest))
}

// explainable writes a release with the files that are explained, in a folder, and holds it.
func explainable(t *testing.T) (dir string, holder *release.Holder) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "places")
	_, err := servetest.Write(dir, servetest.Release{})
	must(t, err)
	withSQLite(t, dir)
	holder, err = release.NewHolder(dir, slog.New(slog.DiscardHandler))
	must(t, err)
	t.Cleanup(func() { holder.Close() })
	return dir, holder
}

// TestExplorerExplains as far as the API answers the account.
func TestExplorerExplains(t *testing.T) {
	dir, holder := explainable(t)
	opened := 0
	explained := func(o *explore.Options) {
		o.Releases = holder
		o.Explainer = func(folder string) (explore.Explainer, error) {
			if folder != dir {
				t.Errorf("%s is opened", folder)
			}
			opened++
			return fakeExplainer{&opened}, nil
		}
	}
	for _, c := range []struct {
		who, query string
		want       int
		part       string
	}{
		{"globex", "lat=45.2&lng=-72.8&score=quiet", 200, `"scores":["quiet"],"here":true,"south":true`},
		{"globex", "lat=45.2&lng=-72.8&score=quiet&score=cafes&language=fr", 200, `["quiet" "cafes"]`},
		{"globex", "lat=45.2&lng=-72.8&score=quiet&language=fr", 200, `"language":"fr"`},
		{"globex", "lat=45.2&lng=-72.8&score=quiet&language=de", 400, "BadRequest"},
		{"globex", "lat=45.2&lng=-72.8", 200, `"language":"en"`},
		{"globex", "lat=45.2&lng=-72.8", 200, `"wellness"`},
		{"globex", "lat=45.9&lng=-72.8", 0, ""},
		{"globex", "lat=45.2&lng=-72.8&score=charm", 400, "BadRequest"},
		{"globex", "lat=45.2", 400, "BadRequest"},
		{"globex", "", 422, "BadRequest"},
		{"globex", "lat=NaN&lng=-72.8", 400, "BadRequest"},
		{"globex", "lat=0&lng=0", 404, "NotFound"},
		{"quebec", south, 401, "Unauthorized"},
		{"quebec", "lat=45.2&lng=-72.8&score=quiet", 200, `"here":true,"south":false`},
		{"quiet", "lat=45.2&lng=-72.8&score=cafes", 403, "Forbidden"},
		{"quiet", "lat=45.2&lng=-72.8&score=quiet", 403, "not_in_agreement"},
		{"pois", "lat=45.2&lng=-72.8", 401, "Unauthorized"},
	} {
		x := explorerOf(t, c.who, explained)
		x.enter()
		got := x.ask("GET", "/explore/explain?"+c.query)
		x.explorer.Close()
		if c.want == 0 && (got.status == 204 || got.status == 404) {
			continue
		}
		if got.status != c.want || !strings.Contains(strings.ReplaceAll(got.body, `","`, `" "`), strings.ReplaceAll(c.part, `","`, `" "`)) {
			t.Errorf("%s as %s: %d %s, want %d %s", c.query, c.who, got.status, got.body, c.want, c.part)
		}
		if id := got.header.Get("X-Request-Id"); len(id) != 32 || strings.Count(x.access.String(), id) < 2 {
			t.Errorf("%s as %s: the id %q is not in both records %s", c.query, c.who, id, x.access)
		}
		if got.header.Get("Ratelimit") == "" && got.status != 401 || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s as %s: %v", c.query, c.who, got.header)
		}
		checkGuards(t, c.query, got.header)
	}
	if opened != 0 {
		t.Errorf("%d explainers are not closed", opened)
	}
	must(t, os.WriteFile(filepath.Join(dir, schemas.POIsFile), []byte("rot!"), 0o644))
	x := explorerOf(t, "globex", explained)
	x.enter()
	if got := x.ask("GET", "/explore/explain?lat=45.2&lng=-72.8"); got.status != 503 || !strings.Contains(got.body, "damaged_files") {
		t.Errorf("of a damaged file: %d %s", got.status, got.body)
	}
	must(t, os.Remove(filepath.Join(dir, schemas.POIsFile)))
	x = explorerOf(t, "globex", explained)
	x.enter()
	if got := x.ask("GET", "/explore/explain?lat=45.2&lng=-72.8"); got.status != 404 || !strings.Contains(got.body, "packs") {
		t.Errorf("without the files: %d %s", got.status, got.body)
	}
}

// TestExplorerCompares two releases as far as the account may see them.
func TestExplorerCompares(t *testing.T) {
	box := func(west, south float64) map[string]any {
		ring := [][2]float64{{west, south}, {west + 0.1, south}, {west + 0.1, south + 0.1}, {west, south}}
		return map[string]any{"type": "MultiPolygon", "coordinates": [][][][2]float64{{ring}}}
	}
	place := func(id string, outline any) []map[string]any {
		return []map[string]any{{"geog_id": id, "name": id, "outline": outline}}
	}
	report, err := json.Marshal(map[string]any{
		"older": map[string]any{"digest": "abc"}, "newer": map[string]any{}, "levels": []int{1, 2}, "brands": []int{3}, "market": []int{4},
		"sources": []int{5}, "surprise": "hush",
		"changed": []any{
			map[string]any{"kind": "redrawn", "level": 10, "older": place("g10_gone", box(-72.85, 45.15)), "newer": []any{}},
			map[string]any{"kind": "redrawn", "level": 30, "older": place("g30_gone", box(-72.5, 44.5)),
				"newer": place(servetest.SouthCity, box(-72.5, 44.5))},
		},
		"scores": []any{map[string]any{"score": "quiet", "label": "Quiet", "older": map[string]any{"known": 9}, "moved": []any{
			map[string]any{"geog_id": servetest.NorthOld, "level": 10, "older": 1, "newer": 2, "bbox": []float64{-72.9, 45.1, -72.7, 45.3},
				"places": []any{"a café abroad"}, "reason": "r"},
			map[string]any{"geog_id": servetest.SouthCity, "level": 30, "older": 1, "newer": 2, "bbox": []float64{-72.6, 44.4, -72.4, 44.6},
				"places": []any{}, "reason": "r"},
		}}, map[string]any{"score": "cafes", "label": "Cafés", "moved": []any{}}},
	})
	must(t, err)
	asked := 0
	compared := func(o *explore.Options) {
		o.Against = &explore.Comparison{Against: explore.Against{Release: "abc", AsOf: "2023-01-01"},
			Compare: func(_ context.Context, places, market string) ([]byte, error) {
				asked++
				if _, err := os.Stat(filepath.Join(places, schemas.ManifestFile)); err != nil || market == "" {
					t.Errorf("compared with %s and %s", places, market)
				}
				return report, nil
			}}
	}
	for _, c := range []struct {
		who, query string
		has, lacks []string
	}{
		{"globex", "", []string{"g10_gone", servetest.SouthCity, `"levels":[1,2]`, `"brands":[3]`, `"sources":[5]`, "a café abroad", `"cafes"`,
			`"digest":"abc"`}, []string{"hush"}},
		{"globex", "?level=30", []string{servetest.SouthCity}, []string{"g10_gone", servetest.NorthOld}},
		{"globex", "?bbox=-72.9,45,-72.7,45.4", []string{"g10_gone", servetest.NorthOld}, []string{servetest.SouthCity}},
		{"quebec", "", []string{"g10_gone", servetest.NorthOld, `"levels":[]`, `"sources":[]`, `"digest":"abc"`},
			[]string{servetest.SouthCity, "a café abroad", "known"}},
		{"quiet", "", []string{servetest.NorthOld, `"changed":[]`, `"market":[]`, `"quiet"`}, []string{"g10_gone", `"cafes"`, "a café abroad"}},
		{"pois", "", []string{`"scores":[]`, `"changed":[]`, `"brands":[3]`}, []string{servetest.NorthOld}},
	} {
		x := explorerOf(t, c.who, compared)
		x.enter()
		got := x.ask("GET", "/explore/changes"+c.query)
		if got.status != 200 || x.ask("GET", "/explore/changes"+c.query).body != got.body {
			t.Errorf("%s: %d %s", c.who, got.status, got.body)
		}
		for _, part := range c.has {
			if !strings.Contains(got.body, part) {
				t.Errorf("%s %s: no %s in %s", c.who, c.query, part, got.body)
			}
		}
		for _, part := range c.lacks {
			if strings.Contains(got.body, part) {
				t.Errorf("%s %s: %s in %s", c.who, c.query, part, got.body)
			}
		}
		if body := decode[explore.ReleaseBody](t, x.ask("GET", "/explore/release.json").body); body.Against == nil ||
			body.Against.AsOf != "2023-01-01" {
			t.Errorf("%+v", body)
		}
		for _, bad := range []string{"?level=x", "?level=11", "?bbox=1", "?bbox=1,2,3,x", "?bbox=3,3,1,1", "?bbox=NaN,1,2,3"} {
			if got := x.ask("GET", "/explore/changes"+bad); got.status != 400 {
				t.Errorf("%s: %d", bad, got.status)
			}
		}
	}
	if asked != 6 {
		t.Errorf("compared %d times for 6 servers", asked)
	}
	x := explorerOf(t, "globex")
	x.enter()
	if got := x.ask("GET", "/explore/changes"); got.status != 404 || !strings.Contains(got.body, "--explore-against") {
		t.Errorf("without another release: %d %s", got.status, got.body)
	}
	x = explorerOf(t, "globex", func(o *explore.Options) {
		o.Against = &explore.Comparison{Compare: func(context.Context, string, string) ([]byte, error) { panic("a bug") }}
	})
	x.enter()
	if got := x.ask("GET", "/explore/changes"); got.status != 500 || bytes.Contains([]byte(got.body), []byte("bug")) {
		t.Errorf("a comparison that panics: %d %s", got.status, got.body)
	}
}
