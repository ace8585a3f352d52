package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/ingest/fetch/whole"
)

// archive is a zip with a member of some bytes, stored.
func archive(t testing.TB, member string, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	entry, err := w.CreateHeader(&zip.FileHeader{Name: member, Method: zip.Store})
	if err == nil {
		_, err = entry.Write(body)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func place(t testing.TB, seed int64) []byte { return archive(t, "tl_2025_10_place.shp", content(seed)) }

// at serves a body with its date and ETag at any path.
func at(body []byte, date time.Time, etag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", etag)
		http.ServeContent(w, r, "", date, bytes.NewReader(body))
	}
}

var january = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
var march = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func write(t testing.TB, path string, body []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// mirrorOf serves a handler as a mirror.
func mirrorOf(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func TestFirstFetchKnowsTheFileAndTheNextOneObeys(t *testing.T) {
	body := place(t, 1)
	var handler http.HandlerFunc
	asked := 0
	s, _ := openTest(t, Options{Mirror: mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		handler(w, r)
	}))})
	handler = at(body, january, `"v1"`)
	file := fileOf(tiger)
	first, err := s.Get(t.Context(), file, nil)
	want := Version{SHA256: digest(body), Bytes: int64(len(body)), Date: "2026-01-02T03:04:05Z", ETag: `"v1"`}
	if err != nil || first.Version != want || first.From != FromMirror || first.Name != file.Name ||
		first.Path != filepath.Join(s.options.Cache, digest(body)[:16]+"-tl_2025_10_place.zip") || !bytes.Equal(read(t, first.Path), body) {
		t.Fatalf("got %+v, %v", first, err)
	}
	file.Pinned = first.Version
	if again, err := s.Get(t.Context(), file, nil); err != nil || again.From != FromCache || again.Version != want || asked != 1 {
		t.Errorf("got %+v, %v after %d requests", again, err, asked)
	}
	if err := os.Remove(first.Path); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string][]byte{"same length": place(t, 2), "other length": archive(t, "tl_2025_10_place.shp",
		content(3)[:999])} {
		handler = at(other, march, `"v2"`)
		_, err = s.Get(t.Context(), file, nil)
		var changed *Changed
		if !errors.As(err, &changed) || !errors.Is(err, ErrDigest) {
			t.Fatalf("%s: error %v", name, err)
		}
		for _, text := range []string{"the file has changed", "2026-01-02T03:04:05Z", "2026-03-04T05:06:07Z", digest(body), "src-1",
			tiger, "--pin"} {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: the error does not say %q: %v", name, text, err)
			}
		}
		if left := files(t, s.options.Cache); len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}

// What is not the file that its name says is not kept, even if nobody knows its sha256, and however the server ends.
func TestFilesThatAreNotWhatTheirNamesSay(t *testing.T) {
	right := place(t, 1)
	another := archive(t, "tl_2025_11_place.shp", content(1))
	cutGzip := gzipped(t, content(1))
	for name, tt := range map[string]struct {
		file string
		body []byte
		says string
	}{
		"a zip that is cut":          {"x.zip", right[:len(right)-30], "its end is missing"},
		"a zip of another state":     {"tl_2025_10_place.zip", another, "it holds tl_2025_11_place.shp: the file of another place"},
		"a zip that is a bomb":       {"x.zip", bomb(t), "a decompression bomb"},
		"a gzip file that is a bomb": {"x.csv.gz", gzipped(t, make([]byte, whole.BombBytes+1<<20)), "a decompression bomb"},
		"an empty zip": {"x.zip", []byte("PK\x05\x06" + strings.Repeat("\x00", 18)),
			"a zip archive in place of a zip archive"},
		"a PDF for a zip": {"x.zip", []byte("%PDF-1.7\n" + strings.Repeat("x", 900)),
			"a PDF document in place of a zip archive"},
		"a zip for a table":          {"x.csv", right, "a zip archive in place of a table in text"},
		"a zip for a Parquet file":   {"x.parquet", right, "a zip archive in place of a Parquet file"},
		"a Parquet file that is cut": {"x.parquet", []byte("PAR1" + strings.Repeat("x", 900)), "its end is missing"},
		"JSON for a table":           {"x.csv", []byte(`{"error": {"code": 400, "message": "Invalid URL"}}`), "an error of the service"},
		"JSON that is cut":           {"x.geojson", []byte(`{"type":"FeatureCollection","features":[{"type":`), "its end is missing"},
		"an Overpass answer broken off": {"x.json", []byte(`{"elements": [{}], "remark": "runtime error: Query timed out"}`),
			"the server broke off"},
		"no elements": {"x.json", []byte(`{"version": 0.6, "elements": []}`), "without a row"},
		"a page for XML": {"x.osm", []byte("<html><title>Sorry</title>" + strings.Repeat("x", 9999)),
			`a web page in place of XML "Sorry"`},
		"a page for a table": {"x.dat", []byte("\r\n<!DOCTYPE html><h1>Not&nbsp;here</h1>"),
			"a web page in place of a table in text"},
		"text for a TIFF": {"x.tif", []byte("version https://git-lfs.github.com/spec/v1"),
			"text that begins with \"version https"},
		"a gzip file that is cut":    {"x.csv.gz", cutGzip[:len(cutGzip)/2], "its end is missing"},
		"an extract that is cut":     {"x.osm.pbf", pbf(3)[:150], "its end is missing"},
		"text for an extract":        {"x.osm.pbf", []byte("<osm version='0.6'></osm>"), "XML in place of an OpenStreetMap extract"},
		"an SQLite file that is cut": {"x.gpkg", sqlite(4)[:600], "its end is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openTest(t, Options{Mirror: mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/octet-stream")
				w.Write(tt.body)
			}))})
			_, err := s.Get(t.Context(), fileOf("https://h.example/"+tt.file), nil)
			if err == nil || !strings.Contains(err.Error(), tt.says) || errors.Is(err, ErrDigest) {
				t.Errorf("error %v", err)
			}
			if left := files(t, s.options.Cache); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

func TestFilesThatAreRight(t *testing.T) {
	for name, body := range map[string][]byte{
		"x.zip": place(t, 1), "x.csv.gz": gzipped(t, content(1)), "x.osm.pbf": pbf(3), "x.gpkg": sqlite(4), "x.csv": []byte("a,b\n1,2\n"),
		"x.dat": []byte("GEO_ID|B01001_E001\n"), "x.geojson": []byte("\ufeff{\"features\": [{}]}\n"),
		"x.osm":     []byte("<?xml version='1.0'?><osm/>"),
		"x.parquet": []byte("PAR1" + "\x00\x00\x00\x00" + "\x04\x00\x00\x00" + "PAR1"),
		"x.tif":     []byte("II*\x00" + strings.Repeat("\x00", 20)),
		"utf16.csv": []byte("\xff\xfea\x00,\x00b\x00"), "interpreter": []byte(`{"elements": [{}]}`), "x.json": []byte("[]"),
	} {
		s, _ := openTest(t, Options{Mirror: mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html") // servers do not know all types
			w.Write(body)
		}))})
		got, err := s.Get(t.Context(), fileOf("https://h.example/"+name), nil)
		if err != nil || !bytes.Equal(read(t, got.Path), body) || !KnownEnding(got.Name) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestNamesOfFilesWhoseAddressHasNone(t *testing.T) {
	body := place(t, 1)
	for disposition, want := range map[string]string{
		"attachment; filename=98-401-X2021001_eng_CSV.zip": "98-401-X2021001_eng_CSV.zip", "": "GetFile.cfm.zip",
		`attachment; filename="../../x.zip"`: "GetFile.cfm.zip",
	} {
		s, _ := openTest(t, Options{Mirror: mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", disposition)
			w.Write(body)
		}))})
		got, err := s.Get(t.Context(), fileOf(getFile), nil)
		if err != nil || got.Name != want || filepath.Base(got.Path) != digest(body)[:16]+"-"+want {
			t.Errorf("%q: %+v, %v", disposition, got, err)
		}
	}
}

// A file of which nobody knows the sha256 is never mixed of two versions, however the server says it.
func TestFileThatChangesBetweenRanges(t *testing.T) {
	old, body := place(t, 2), place(t, 1)
	total := len(body)
	send := func(contentRange string, body []byte, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			partial(contentRange, body)(w, r)
		}
	}
	span := fmt.Sprintf("bytes 1000-%d/%d", total-1, total)
	for name, second := range map[string]http.HandlerFunc{
		"a whole new file": at(body, march, `"v2"`),
		"another ETag":     send(span, body[1000:], "ETag", `"v2"`),
		"another date":     send(span, body[1000:], "ETag", `"v1"`, "Last-Modified", march.Format(http.TimeFormat)),
		"another length":   send(fmt.Sprintf("bytes 1000-%d/%d", total, total+1), append(body[1000:], 0), "ETag", `"v1"`),
	} {
		t.Run(name, func(t *testing.T) {
			p := &publisher{body: body, behaviours: []http.HandlerFunc{
				cut(old, 1000, "ETag", `"v1"`, "Last-Modified", january.Format(http.TimeFormat)), second}}
			s, _ := openTest(t, Options{Mirror: mirrorOf(t, p)})
			got, err := s.Get(t.Context(), fileOf(tiger), nil)
			if err != nil || !bytes.Equal(read(t, got.Path), body) || p.ranges[1] != "bytes=1000-" {
				t.Errorf("got %+v, %v after %v", got, err, p.ranges)
			}
		})
	}
}

func TestDropFolder(t *testing.T) {
	body := place(t, 1)
	refuses := mirrorOf(t, status(http.StatusForbidden))
	file := fileOf(tiger)
	t.Run("named by the error, then taken", func(t *testing.T) {
		s, _ := openTest(t, Options{Mirror: refuses})
		_, err := s.Get(t.Context(), file, nil)
		want := "put tl_2025_10_place.zip here: " + s.options.Drop + ", from https://publisher.example/page; then run this again"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("error %v", err)
		}
		write(t, filepath.Join(s.options.Drop, file.Name), body)
		got, err := s.Get(t.Context(), file, nil)
		if err != nil || got.From != FromDrop || got.SHA256 != digest(body) || got.Date != "" || !bytes.Equal(read(t, got.Path), body) {
			t.Errorf("got %+v, %v", got, err)
		}
		if !bytes.Equal(read(t, filepath.Join(s.options.Drop, file.Name)), body) {
			t.Error("the file in the drop folder was changed")
		}
	})
	for name, tt := range map[string]struct {
		body   []byte
		pinned string
		says   string
	}{
		"a page":            {[]byte("<html><title>Download</title>"), "", `a web page in place of a zip archive "Download"`},
		"cut":               {body[:len(body)-9], "", "its end is missing"},
		"not the pinned":    {body, digest([]byte("x")), "the file has changed"},
		"an empty file":     {nil, "", "an empty file"},
		"the pinned one":    {body, strings.ToUpper(digest(body)), ""},
		"another state's":   {archive(t, "tl_2025_11_place.shp", nil), "", "another place"},
		"of no known sha":   {body, "", ""},
		"cut and pinned":    {body[:len(body)-9], digest(body), "its end is missing"},
		"a page and pinned": {[]byte("<html>"), digest(body), "a web page"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openTest(t, Options{Mirror: refuses, Offline: true})
			path := filepath.Join(s.options.Drop, file.Name)
			write(t, path, tt.body)
			file := file
			file.Pinned.SHA256 = tt.pinned
			got, err := s.Get(t.Context(), file, nil)
			if (err == nil) != (tt.says == "") || err != nil && (!strings.Contains(err.Error(), tt.says) ||
				!strings.Contains(err.Error(), path)) {
				t.Errorf("got %+v, %v", got, err)
			}
			if left := files(t, s.options.Cache); err != nil && len(left) != 1 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

func TestMirrorFolderAndOffline(t *testing.T) {
	body, folder := place(t, 1), t.TempDir()
	write(t, filepath.Join(folder, "www2.census.gov/geo/tiger/TIGER2025/PLACE/tl_2025_10_place.zip"), body)
	write(t, filepath.Join(folder, "www12.statcan.gc.ca/comp/GetFile.cfm?Lang=E&GEONO=013"), body)
	write(t, filepath.Join(filepath.Dir(folder), "secret.zip"), body)
	s, _ := openTest(t, Options{Mirror: folder, Offline: true})
	for address, right := range map[string]bool{
		tiger: true,
		"https://www12.statcan.gc.ca/comp/GetFile.cfm?Lang=E&GEONO=013": true,
		"https://www12.statcan.gc.ca/comp/GetFile.cfm?Lang=E&GEONO=005": false,
		"https://www12.statcan.gc.ca/comp/":                             false,
		"https://www2.census.gov/../../secret.zip":                      false,
		"https://www2.census.gov/%2e%2e/%2e%2e/secret.zip":              false,
		"https://../secret.zip":                                         false,
	} {
		file := fileOf(address)
		got, err := s.Get(t.Context(), file, nil)
		if (err == nil) != right || right && (!bytes.Equal(read(t, got.Path), body) || got.From != FromMirror || got.Date != "") {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
		if err != nil && !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: the mirror is not named: %v", address, err)
		}
	}
	s, _ = openTest(t, Options{Offline: true})
	if _, err := s.Get(t.Context(), fileOf(tiger), nil); !errors.Is(err, ErrOffline) || !strings.Contains(err.Error(), "--offline") {
		t.Errorf("error %v", err)
	}
	if _, err := s.Pages(t.Context(), Query{URL: "https://h.example/odata", Folder: t.TempDir()}, nil); !errors.Is(err, ErrOffline) {
		t.Errorf("error %v", err)
	}
	for _, bad := range []string{"ftp://h/x", "https://h/x?y", filepath.Join(folder, "nowhere"), "://"} {
		if _, err := Open(Options{Mirror: bad}); err == nil {
			t.Errorf("%s is a mirror", bad)
		}
	}
}

// Secrets of addresses go to their hosts alone: neither to the mirror nor into errors and files.
func TestSecretsStay(t *testing.T) {
	const address = "https://me:s3cret@h.example/x.zip?key=s3cret&y=1"
	var seen string
	s, _ := openTest(t, Options{Mirror: mirrorOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen += r.URL.String() + fmt.Sprint(r.Header)
		cut(place(t, 1), 1000, "ETag", `"v1"`)(w, r)
	}))})
	_, err := s.Get(t.Context(), fileOf(address), nil)
	var text string
	for _, path := range files(t, s.options.Cache) {
		text += path + string(read(t, path))
	}
	if err == nil || strings.Contains(err.Error()+seen+text, "s3cret") || !strings.Contains(seen, "/h.example/x.zip?key=hidden&y=1") {
		t.Errorf("error %v; the mirror saw %s", err, seen)
	}
	for _, bad := range []string{"https://me:s3cret@127.0.0.1:1/x.zip?key=s3cret", "https://me:s3cret@h.example:port/",
		"gopher://me:s3cret@h/x"} {
		s, _ := openTest(t, Options{})
		s.tries = 1
		_, err := s.Get(t.Context(), File{ID: "src-1", URL: bad, Name: "x.zip"}, nil)
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("error %v", err)
		}
	}
}

func TestRedirects(t *testing.T) {
	body := place(t, 1)
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, address, http.StatusFound) }
	}
	for address, says := range map[string]string{
		"http://localhost:1/x.zip":                           "leads to a private address: localhost",
		"http://[::1]:1/x.zip":                               "leads to a private address: ::1",
		"http://10.1.2.3/x.zip":                              "leads to a private address: 10.1.2.3",
		"http://192.168.0.1/x.zip":                           "private address",
		"http://172.20.0.1/x.zip":                            "private address",
		"http://169.254.169.254/latest/meta-data/":           "private address",
		"http://[fd00::1]/x.zip":                             "private address",
		"http://[::ffff:10.0.0.1]/x.zip":                     "private address",
		"http://0.0.0.0/x.zip":                               "private address",
		"http://100.64.0.1/x.zip":                            "private address",
		"file:///etc/passwd":                                 "not an http or https address",
		"https://me:s3cret@10.0.0.1/?X-Amz-Signature=s3cret": "private address",
	} {
		s, _ := openTest(t, Options{})
		_, err := s.Get(t.Context(), fileOf(mirrorOf(t, to(address))+"/x.zip"), nil)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: error %v", address, err)
		}
	}
	// A name that leads to a private address is seen when it is resolved.
	ctx := context.WithValue(t.Context(), tripKey{}, &trip{})
	for address, private := range map[string]bool{"127.0.0.1:80": true, "[fe80::1]:80": true, "93.184.215.14:443": false,
		"[2606:4700::1]:443": false} {
		if err := publicOnly(ctx, "tcp", address, nil); errors.Is(err, ErrPrivate) != private {
			t.Errorf("%s: error %v", address, err)
		}
	}
	// Within a mirror, targets of redirects are its own, relative, or of any host.
	for _, target := range []string{"/other/x.zip", "https://cdn.example/x.zip", "OWN/elsewhere/x.zip"} {
		var server *httptest.Server
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/m/h.example/x.zip":
				to(strings.Replace(target, "OWN", server.URL, 1))(w, r)
			case "/m/h.example/other/x.zip", "/m/cdn.example/x.zip", "/elsewhere/x.zip":
				at(body, january, `"v1"`)(w, r)
			default:
				http.NotFound(w, r)
			}
		}))
		t.Cleanup(server.Close)
		s, _ := openTest(t, Options{Mirror: server.URL + "/m/"})
		if got, err := s.Get(t.Context(), fileOf("https://h.example/x.zip"), nil); err != nil || got.SHA256 != digest(body) {
			t.Errorf("%s: %+v, %v", target, got, err)
		}
	}
}

func TestDowngradeIsRefused(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+"/y.zip", http.StatusFound)
	}))
	defer server.Close()
	s, _ := openTest(t, Options{})
	s.client.Transport = server.Client().Transport
	if _, err := s.Get(t.Context(), fileOf(server.URL+"/x.zip"), nil); err == nil || !strings.Contains(err.Error(), "from https to http") {
		t.Errorf("error %v", err)
	}
}

// Lengths that are not true, and servers that stall.
func TestLyingServers(t *testing.T) {
	body := place(t, 1)
	raw := func(length int, send []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, buffer, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			fmt.Fprintf(buffer, "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: %d\r\n\r\n", length)
			buffer.Write(send)
			buffer.Flush()
		}
	}
	for name, tt := range map[string]struct {
		first http.HandlerFunc
		then  string // range of the next request
	}{
		"shorter than announced": {raw(len(body), body[:5000]), "bytes=5000-"},
		"longer than announced":  {raw(5000, body), ""},
		"absurd":                 {raw(1<<40, body), "none"},
		"negative":               {raw(-5, body), ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := &publisher{body: body, behaviours: []http.HandlerFunc{tt.first}}
			s, _ := openTest(t, Options{Mirror: mirrorOf(t, p)})
			got, err := s.Get(t.Context(), fileOf(tiger), nil)
			if tt.then == "none" {
				if !errors.Is(err, ErrTooLarge) || len(files(t, s.options.Cache)) > 0 {
					t.Errorf("error %v, %v", err, files(t, s.options.Cache))
				}
				return
			}
			if err != nil || !bytes.Equal(read(t, got.Path), body) || len(p.ranges) != 2 || p.ranges[1] != tt.then {
				t.Errorf("got %+v, %v after %q", got, err, p.ranges)
			}
		})
	}
}

// Requests to one host follow each other; those to several go on at the same time.
func TestOneConnectionForEachHost(t *testing.T) {
	body := place(t, 1)
	var mu sync.Mutex
	now, most, connections := 0, 0, 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		at(body, january, `"v1"`)(w, r)
		mu.Lock()
		now--
		mu.Unlock()
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		if state == http.StateNew {
			connections++
		}
	}
	server.Start()
	defer server.Close()
	s, _ := openTest(t, Options{})
	s.stall = 50 * time.Millisecond // waiting for others is no stall
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if _, err := s.Get(t.Context(), fileOf(fmt.Sprintf("%s/%d.zip", server.URL, i)), nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if most != 1 || connections != 1 {
		t.Errorf("%d requests at a time, %d connections", most, connections)
	}
	address, _ := url.Parse(server.URL)
	if way := s.client.Transport.(*road); len(way.hosts) != 1 || way.hosts[address.Host] == nil {
		t.Errorf("hosts %v", way.hosts)
	}
}

// Two that fetch the same file at once get one file each, from one download or two.
func TestTwoFetchesAtOnce(t *testing.T) {
	body := place(t, 1)
	mirror := mirrorOf(t, at(body, january, `"v1"`))
	for _, pinned := range []Version{{}, {SHA256: digest(body)}} {
		cache := filepath.Join(t.TempDir(), "cache")
		var group sync.WaitGroup
		for range 6 {
			s, _ := openTest(t, Options{Mirror: mirror, Cache: cache})
			file := fileOf(tiger)
			file.Pinned = pinned
			group.Go(func() {
				for range 5 {
					got, err := s.Get(t.Context(), file, nil)
					if err != nil || got.SHA256 != digest(body) {
						t.Errorf("got %+v, %v", got, err)
					}
				}
			})
		}
		group.Wait()
		left := files(t, cache)
		if len(left) != 1 || !bytes.Equal(read(t, left[0]), body) {
			t.Errorf("%v is there", left)
		}
	}
}
