package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quartier/ingest/fetch/overture"
	kind "quartier/ingest/kinds/overture"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/arrowfile"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/testenv"
)

// releaseRows makes rows with the columns of places in squares of 20 degrees, sorted by squares of 4, 1, ¼ and 1⁄16 degrees.
const releaseRows = `
SELECT 'id-' || i AS id,
  unhex('010100000000000000008051C00000000000004440') AS geometry,
  {'xmin': x::FLOAT, 'xmax': x::FLOAT, 'ymin': y::FLOAT, 'ymax': y::FLOAT} AS bbox,
  {'primary': 'Place ' || i, 'common': NULL::MAP(VARCHAR, VARCHAR)} AS names,
  {'primary': 'bakery', 'alternate': ['cafe']} AS categories, 0.9::DOUBLE AS confidence,
  [md5((i+1)::VARCHAR) || md5((i+2)::VARCHAR) || md5((i+3)::VARCHAR)] AS websites
FROM (SELECT i, -90 + %d * 20 + 20 * (hash(i) %% 1000000) / 1e6 AS x, 30 + 20 * (hash(i + 7) %% 1000000) / 1e6 AS y FROM range(%d) r(i))
ORDER BY floor(x/4), floor(y/4), floor(x), floor(y), floor(x*4), floor(y*4), floor(x*16), floor(y*16), i`

// releaseFiles are the Parquet files of the release: 196 and 20 row groups.
func releaseFiles(t *testing.T) [2][]byte {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all [2][]byte
	for n, rows := range []int{400_000, 40_000} {
		path := filepath.Join(t.TempDir(), "f.parquet")
		query := fmt.Sprintf(releaseRows, n, rows)
		if _, err := db.Exec("COPY (" + query + ") TO '" + path + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)"); err != nil {
			t.Fatal(err)
		}
		if all[n], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// publisherOfOverture serves the catalogue and files of a release at their own addresses.
type publisherOfOverture struct {
	documents map[string]string // by HOST/PATH
	files     map[string][]byte
	etag      string
	sent      int64
	ranges    []string
	before    func(w http.ResponseWriter, r *http.Request) bool // answers in place of the publisher
}

const bucket = "overturemaps-us-west-2.s3.us-west-2.amazonaws.com/release/2026-08-19.0/theme=places/type=place/"

func newPublisherOfOverture(t *testing.T) *publisherOfOverture {
	const stac = "stac.overturemaps.org/"
	p := &publisherOfOverture{documents: map[string]string{}, files: map[string][]byte{}, etag: `"v1"`}
	put := func(path string, links string, more string) {
		kind := `"Catalog"`
		if more != "" {
			kind = `"Feature"`
		}
		p.documents[stac+path] = `{"type": ` + kind + more + `, "links": [` + links + `]}`
	}
	put("2026-08-19.0/catalog.json", `{"rel": "child", "href": "./base/catalog.json"}, {"rel": "child", "href": "./places/catalog.json"}`, "")
	put("2026-08-19.0/places/catalog.json", `{"rel": "child", "href": "./place/collection.json"}`, "")
	put("2026-08-19.0/places/place/collection.json",
		`{"rel": "item", "href": "./00000/00000.json"}, {"rel": "item", "href": "./00001/00001.json"}, `+
			`{"rel": "item", "href": "./00002/00002.json"}`, "")
	p.documents[stac+"catalog.json"] = `{"type": "Catalog", "latest": "2026-08-19.0", "links": [
		{"rel": "child", "href": "https://stac.overturemaps.org/2026-08-19.0/catalog.json", "latest": true},
		{"rel": "child", "href": "https://stac.overturemaps.org/2026-07-22.0/catalog.json"}]}`
	for n, box := range []string{"-90,30,-70,50", "-70,30,-50,50", "0,0,10,10"} {
		name := fmt.Sprintf("part-%05d.zstd.parquet", n)
		put(fmt.Sprintf("2026-08-19.0/places/place/%05d/%05[1]d.json", n), "", fmt.Sprintf(`, "bbox": [%s], "assets": {"aws": `+
			`{"href": "https://%s", "type": "application/vnd.apache.parquet"}}`, box, bucket+name))
	}
	for n, data := range releaseFiles(t) {
		p.files[fmt.Sprintf(bucket+"part-%05d.zstd.parquet", n)] = data
	}
	return p
}

func (p *publisherOfOverture) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.ranges = append(p.ranges, strings.TrimPrefix(r.URL.Path, "/")+" "+r.Header.Get("Range"))
	if p.before != nil && p.before(w, r) {
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/")
	if text, ok := p.documents[path]; ok {
		io.WriteString(w, text)
		return
	}
	data, ok := p.files[path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", p.etag)
	counted := &countedWriter{ResponseWriter: w}
	http.ServeContent(counted, r, "", time.Time{}, bytes.NewReader(data))
	p.sent += counted.n
}

type countedWriter struct {
	http.ResponseWriter
	n int64
}

func (c *countedWriter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.ResponseWriter.Write(p)
}

// asMirror sends requests to https://HOST/PATH to a server as /HOST/PATH.
type asMirror struct{ to *url.URL }

func (m asMirror) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Path = "/" + r.URL.Host + r.URL.Path
	r.URL.Scheme, r.URL.Host = m.to.Scheme, m.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

// from is a fetcher for which all hosts are a server.
func from(t *testing.T, p http.Handler) fetcher {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	f := quick()
	f.minGain = 1 << 20
	f.client = &http.Client{Transport: asMirror{u}, CheckRedirect: newRoad("", nil).checkRedirect}
	return f
}

const county = "overture://latest/places/place/-75.60,39.70,-75.40,39.90.parquet"

func TestOvertureFetchesABox(t *testing.T) {
	p := newPublisherOfOverture(t)
	f := from(t, p)
	dest := filepath.Join(t.TempDir(), "places.parquet")
	var done, total int64
	if _, err := f.get(t.Context(), Request{URL: county, Dest: dest}, func(d, to int64) { done, total = d, to }); err != nil {
		t.Fatal(err)
	}
	size := int64(len(p.files[bucket+"part-00000.zstd.parquet"]))
	t.Logf("%d of %d bytes, %.2f %%; progress says %d of %d", p.sent, size, 100*float64(p.sent)/float64(size), done, total)
	// of the 256 kB at the end, which are 2.5 % of this small file and 0.04 % of a file of 700 MB, only the description counts
	if groups := p.sent - tailLength; groups > size*2/100 {
		t.Errorf("%d of %d bytes were sent", p.sent, size)
	}
	if done != total {
		t.Errorf("progress ended with %d of %d", done, total)
	}
	if names := entries(t, dest); names != "places.parquet" {
		t.Errorf("the folder has %s", names)
	}
	compareWithWhole(t, p, dest, "bbox.xmin >= -75.6 AND bbox.xmin <= -75.4 AND bbox.ymin >= 39.7 AND bbox.ymin <= 39.9")

	// it is the same file again, of the release by name too, which its digest pins
	first, err := os.ReadFile(dest)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "places.parquet")
	named := strings.Replace(county, "latest", "2026-08-19.0", 1)
	if _, err := f.get(t.Context(), Request{URL: named, Dest: again, SHA256: digest(first)}, nil); err != nil {
		t.Error(err)
	}
	sent := len(p.ranges)
	if _, err := f.get(t.Context(), Request{URL: named, Dest: again, SHA256: digest(first)}, nil); err != nil || len(p.ranges) != sent {
		t.Errorf("%d requests for a file that is there, %v", len(p.ranges)-sent, err)
	}
	_, err = f.get(t.Context(), Request{URL: named, Dest: again, SHA256: digest(nil)}, nil)
	if !errors.Is(err, ErrDigest) {
		t.Errorf("another digest: %v", err)
	}
}

// compareWithWhole compares the rows that meet a condition, and the columns, with those of the publisher's files.
func compareWithWhole(t *testing.T, p *publisherOfOverture, dest, where string) {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	folder := t.TempDir()
	for name, data := range p.files {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var rows, lacking, columns int
	query := `SELECT (SELECT count(*) FROM whole WHERE ` + where + `), (SELECT count(*) FROM (SELECT * FROM whole WHERE ` + where + `
		EXCEPT SELECT * FROM got)), (SELECT count(*) FROM (DESCRIBE whole) w JOIN (DESCRIBE got) g USING (column_name, column_type))`
	for name, path := range map[string]string{"whole": folder + "/*.parquet", "got": dest} {
		if _, err := db.Exec("CREATE VIEW " + name + " AS FROM read_parquet('" + path + "')"); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.QueryRow(query).Scan(&rows, &lacking, &columns); err != nil {
		t.Fatal(err)
	}
	if rows == 0 || lacking != 0 || columns != 7 {
		t.Errorf("of %d rows %d lack, %d columns", rows, lacking, columns)
	}
}

// The kind overture reads what was fetched, of two files.
func TestOvertureIsReadByItsKind(t *testing.T) {
	p := newPublisherOfOverture(t)
	dest := filepath.Join(t.TempDir(), "places.parquet")
	address := "overture://latest/places/place/-70.1,39.9,-69.9,40.1.parquet"
	if _, err := from(t, p).get(t.Context(), Request{URL: address, Dest: dest}, nil); err != nil {
		t.Fatal(err)
	}
	var got sourcetest.Record
	in := source.Input{Source: "test", Path: dest, Options: sourcetest.Options(t, "bbox: [-70.1, 39.9, -69.9, 40.1]")}
	if err := kind.Kind.Stage(t.Context(), in, &got); err != nil {
		t.Fatal(err)
	}
	if got.Count < 4096 || len(got.POIs) < 10 || len(got.POIs)+len(got.Issues) < got.Count {
		t.Errorf("%d rows, %d places, %d issues", got.Count, len(got.POIs), len(got.Issues))
	}
	compareWithWhole(t, p, dest, "bbox.xmin >= -70.1 AND bbox.xmin <= -69.9 AND bbox.ymin >= 39.9 AND bbox.ymin <= 40.1")
}

// A call after an interruption asks only for row groups that lack.
func TestOvertureResumes(t *testing.T) {
	p := newPublisherOfOverture(t)
	f := from(t, p)
	dest := filepath.Join(t.TempDir(), "places.parquet")
	address := "overture://latest/places/place/-76.5,38.0,-74.0,40.5.parquet"
	ctx, cancel := context.WithCancel(t.Context())
	inGroup := map[string]bool{}
	p.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if header := r.Header.Get("Range"); header != "" && !strings.HasPrefix(header, "bytes=-") {
			if inGroup[header] = true; len(inGroup) == 20 {
				cancel()
			}
		}
		return false
	}
	if _, err := f.get(ctx, Request{URL: address, Dest: dest}, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(dest + ".groups/*-*-*")
	if err != nil || len(kept) < 3 {
		t.Fatalf("%d row groups were kept, %v", len(kept), err)
	}
	p.before, p.ranges, cancel = nil, nil, nil
	if _, err := f.get(t.Context(), Request{URL: address, Dest: dest}, nil); err != nil {
		t.Fatal(err)
	}
	repeated := slices.DeleteFunc(slices.Clone(p.ranges), func(r string) bool { return !inGroup[r[strings.Index(r, " ")+1:]] })
	if len(repeated) > 3 { // of the row group that was begun
		t.Errorf("asked again for %v", repeated)
	}
	compareWithWhole(t, p, dest, "bbox.xmin >= -76.5 AND bbox.xmin <= -74 AND bbox.ymin >= 38 AND bbox.ymin <= 40.5")
}

// noSuchKey answers as the publisher does where a file was removed.
func noSuchKey(w http.ResponseWriter) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code></Error>")
	return true
}

func TestOvertureBadServers(t *testing.T) {
	p := newPublisherOfOverture(t)
	isGroup := func(r *http.Request) bool {
		return r.Header.Get("Range") != "" && !strings.HasPrefix(r.Header.Get("Range"), "bytes=-")
	}
	requests := 0
	tests := []struct {
		name, url string
		before    func(w http.ResponseWriter, r *http.Request) bool
		want      error
		says      []string
	}{
		{name: "a release that was removed", url: "overture://2026-03-18.0/places/place/-76,39,-75,40.parquet", want: ErrOvertureGone,
			says: []string{"2026-03-18.0", "newest is 2026-08-19.0", "2026-07-22.0"}},
		{name: "files that were removed", want: ErrOvertureGone, says: []string{"there is no such file", "try again later"},
			before: func(w http.ResponseWriter, r *http.Request) bool {
				return strings.HasSuffix(r.URL.Path, ".parquet") && noSuchKey(w)
			}},
		{name: "files of a release before that were removed", url: "overture://2026-07-22.0/places/place/-76,39,-75,40.parquet",
			want: ErrOvertureGone, says: []string{"2026-07-22.0 (there is no such file); the newest is 2026-08-19.0"},
			before: func(w http.ResponseWriter, r *http.Request) bool {
				r.URL.Path = strings.Replace(r.URL.Path, "2026-07-22.0", "2026-08-19.0", 1) // the same items
				return strings.HasSuffix(r.URL.Path, ".parquet") && noSuchKey(w)
			}},
		{name: "no such type", url: "overture://latest/places/cafe/-76,39,-75,40.parquet", says: []string{"no cafe", "place"}},
		{name: "nothing there", url: "overture://latest/places/place/-76,60,-75,61.parquet", want: ErrNothing},
		{name: "a page", says: []string{"a page (text/html"}, before: func(w http.ResponseWriter, _ *http.Request) bool {
			io.WriteString(w, "<!DOCTYPE html><html>you have been blocked</html>")
			return true
		}},
		{name: "no ranges", want: ErrNoRanges, before: func(w http.ResponseWriter, r *http.Request) bool {
			r.Header.Del("Range")
			return false
		}},
		{name: "changed", want: ErrChanged, before: func(w http.ResponseWriter, r *http.Request) bool {
			if p.etag = `"v1"`; isGroup(r) {
				p.etag = `"v2"`
			}
			return false
		}},
		{name: "other bytes than asked for", says: []string{"6 tries", "bytes 0-9/"}, before: func(w http.ResponseWriter, r *http.Request) bool {
			if isGroup(r) {
				r.Header.Set("Range", "bytes=0-9")
			}
			return false
		}},
		{name: "damaged", says: []string{"its description"}, before: func(w http.ResponseWriter, r *http.Request) bool {
			if !isGroup(r) {
				return false
			}
			var first, last int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
			w.Header().Set("ETag", p.etag)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(p.files[strings.TrimPrefix(r.URL.Path, "/")])))
			w.WriteHeader(http.StatusPartialContent)
			w.Write(bytes.Repeat([]byte{0x5a}, last-first+1))
			return true
		}},
		{name: "busy", says: []string{"6 tries", "503"}, before: func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(503)
			return true
		}},
		{name: "busy, then well", before: func(w http.ResponseWriter, _ *http.Request) bool {
			if requests++; requests%2 == 1 {
				w.WriteHeader(429)
			}
			return requests%2 == 1
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.before, p.etag = tt.before, `"v1"`
			if tt.url == "" {
				tt.url = county
			}
			dest := filepath.Join(t.TempDir(), "places.parquet")
			_, err := from(t, p).get(t.Context(), Request{URL: tt.url, Dest: dest}, nil)
			if tt.want == nil && tt.says == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			t.Log(err)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			for _, text := range tt.says {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%v does not say %q", err, text)
				}
			}
			if _, err := os.Stat(dest); !errors.Is(err, os.ErrNotExist) {
				t.Error("there is a file of that name")
			}
		})
	}
}

// Connections that end early are gone on with where they ended.
func TestOvertureGoesOnAfterACut(t *testing.T) {
	p := newPublisherOfOverture(t)
	cuts := 0
	p.before = func(w http.ResponseWriter, r *http.Request) bool {
		var first, last int
		n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
		if n < 2 || cuts >= 4 || last-first < 20_000 {
			return false
		}
		cuts++
		data := p.files[strings.TrimPrefix(r.URL.Path, "/")]
		w.Header().Set("ETag", p.etag)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(data)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(data[first : first+5000])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	dest := filepath.Join(t.TempDir(), "places.parquet")
	if _, err := from(t, p).get(t.Context(), Request{URL: county, Dest: dest}, nil); err != nil || cuts != 4 {
		t.Fatalf("%d cuts, %v", cuts, err)
	}
	compareWithWhole(t, p, dest, "bbox.xmin >= -75.6 AND bbox.xmin <= -75.4 AND bbox.ymin >= 39.7 AND bbox.ymin <= 39.9")
}

// The publisher's own catalogue.
func TestFindInRealCatalog(t *testing.T) {
	root := testenv.NeedData(t, "formats/overture/stac")
	get := func(_ context.Context, address string) ([]byte, error) {
		path := strings.TrimPrefix(address, "https://stac.overturemaps.org/")
		if path == "catalog.json" {
			path = "catalog-2026-08.json"
		}
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	}
	q, err := overture.Parse(county)
	if err != nil {
		t.Fatal(err)
	}
	r, err := overture.Find(t.Context(), get, overture.Catalog, q)
	if err != nil {
		t.Fatal(err)
	}
	want := "https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com/release/2026-08-19.0/theme=places/type=place/" +
		"part-00000-c7e47654-8483-5b8f-b183-7ba73334f7a5-c000.zstd.parquet"
	there := []string{"2026-08-19.0", "2026-07-22.0"}
	if len(r.Files) != 1 || r.Files[0].URL != want || r.Name != there[0] || !slices.Equal(r.Others, there) {
		t.Errorf("%+v", r)
	}
}

// FuzzBoxed reads descriptions of damaged files.
func FuzzBoxed(f *testing.F) {
	path := testenv.Data("formats/overture/geoparquet/overture_infrastructure-2024-07.parquet")
	if data, err := os.ReadFile(path); err == nil {
		f.Add(data[len(data)-8000:], int64(len(data)))
	}
	f.Add([]byte("PAR1"), int64(12))
	box := [4]float64{-1, -1, 1, 1}
	f.Fuzz(func(t *testing.T, tail []byte, size int64) {
		span, err := arrowfile.FooterSpan(tail, size)
		if err != nil || span.Len() > int64(len(tail)) {
			return
		}
		at := segment{size - int64(len(tail)), tail}
		b, err := arrowfile.ReadBoxed(at, size)
		if err != nil {
			return
		}
		for n := range b.Groups() {
			b.MayMeet(n, box)
			b.Meets(n, at, box)
		}
	})
}

func FuzzRange(f *testing.F) {
	for _, s := range []string{"bytes 5-9/10", "bytes */10", "bytes 0-0/1", "bytes -1-2/3", "", "bytes 9-5/10"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if first, last, total, ok := rangeOf(s); ok && (first < 0 || last < first || total <= last) {
			t.Errorf("%q gives %d to %d of %d", s, first, last, total)
		}
	})
}

func FuzzParseOverture(f *testing.F) {
	f.Add(county)
	f.Add("overture://2026-08-19.0/divisions/division_area/-1,2,3,4.parquet")
	f.Fuzz(func(t *testing.T, address string) {
		q, err := overture.Parse(address)
		if err == nil && (q.Box[0] >= q.Box[2] || q.Type == "") {
			t.Errorf("%+v", q)
		}
	})
}

// FuzzCatalog reads documents of STAC.
func FuzzCatalog(f *testing.F) {
	f.Add(`{"type": "Catalog", "latest": "2026-08-19.0", "links": [{"rel": "child", "href": "./2026-08-19.0/catalog.json"}]}`)
	f.Add(`{"type": "Feature", "bbox": [1, 2, 3, 4], "links": [], "assets": {"aws": {"href": "http://x"}}}`)
	q, err := overture.Parse(county)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		reads := 0
		get := func(context.Context, string) ([]byte, error) {
			if reads++; reads > 50 {
				return nil, errMissing
			}
			return json.RawMessage(text), nil
		}
		r, err := overture.Find(t.Context(), get, overture.Catalog, q)
		if err == nil && r.Name == "" {
			t.Errorf("%+v", r)
		}
	})
}
