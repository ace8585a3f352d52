package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// content is 300,000 bytes whose period is not that of a buffer.
func content(seed int64) []byte {
	b := make([]byte, 300_000)
	rand.New(rand.NewSource(seed)).Read(b)
	return b
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// quick has the tries of the standard fetcher, without pauses.
func quick() fetcher {
	f := standard
	f.pause = func(int) time.Duration { return 0 }
	f.minGain = 1
	return f
}

// publisher serves one file. Each request has the next behaviour of the list; later ones are served correctly.
type publisher struct {
	body       []byte
	behaviours []http.HandlerFunc
	ranges     []string // Range header of every request
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := len(p.ranges)
	p.ranges = append(p.ranges, r.Header.Get("Range"))
	if n < len(p.behaviours) && p.behaviours[n] != nil {
		p.behaviours[n](w, r)
		return
	}
	w.Header().Set("ETag", `"v1"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.body))
}

// cut sends the header of the entire body and closes the connection after n bytes.
func cut(body []byte, n int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.Write(body[:n])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// partial responds 206 with the given Content-Range and bytes, correct or not.
func partial(contentRange string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", contentRange)
		w.WriteHeader(http.StatusPartialContent)
		w.Write(body)
	}
}

func serve(t *testing.T, p http.Handler) string {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	return server.URL + "/file.bin"
}

// entries lists the files in the folder of dest.
func entries(t *testing.T, dest string) string {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(dest))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestGetArrives(t *testing.T) {
	body, other := content(1), content(2)
	etag := []string{"ETag", `"v1"`}
	tests := []struct {
		name       string
		behaviours []http.HandlerFunc
		ranges     string // joined with |
	}{
		{"at once", nil, ""},
		{"after server errors", []http.HandlerFunc{status(503), status(500), status(429)}, "|||"},
		{"resumed after an interruption", []http.HandlerFunc{cut(body, 1000, etag...)}, "|bytes=1000-"},
		{"resumed twice", []http.HandlerFunc{cut(body, 1000, etag...), partial("bytes 1000-299999/300000", body[1000:5000])},
			"|bytes=1000-|bytes=5000-"},
		{"resumed by date", []http.HandlerFunc{cut(body, 7, "Last-Modified", "Sat, 21 Nov 2015 00:00:00 GMT"),
			partial("bytes 7-299999/300000", body[7:])}, "|bytes=7-"},
		{"started again without validator", []http.HandlerFunc{cut(body, 1000)}, "|"},
		{"started again with a weak validator", []http.HandlerFunc{cut(body, 1000, "ETag", `W/"v1"`)}, "|"},
		{"started again when the file changed", []http.HandlerFunc{cut(other, 1000, "ETag", `"v0"`)}, "|bytes=1000-"},
		{"started again when ranges are ignored", []http.HandlerFunc{cut(body, 1000, etag...), cut(body, 500, etag...)},
			"|bytes=1000-|bytes=500-"},
		{"wrong start of a range", []http.HandlerFunc{cut(body, 1000, etag...),
			partial("bytes 900-299999/300000", body[900:])}, "|bytes=1000-|"},
		{"server sends nonsense as range", []http.HandlerFunc{cut(body, 1000, etag...), partial("bytes x", body)},
			"|bytes=1000-|"},
		{"server sends other bytes as range", []http.HandlerFunc{cut(body, 1000, etag...),
			partial("bytes 1000-299999/300000", other[1000:])}, "|bytes=1000-|"},
		{"range refused", []http.HandlerFunc{cut(body, 1000, etag...), status(416)}, "|bytes=1000-|"},
		{"announced length not reached", []http.HandlerFunc{cut(body, 0, etag...), cut(body, 299_999, etag...)},
			"||bytes=299999-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &publisher{body: body, behaviours: tt.behaviours}
			dest := filepath.Join(t.TempDir(), "cache", "file.bin")
			r := Request{URL: serve(t, p), SHA256: strings.ToUpper(digest(body)), Dest: dest}
			if _, err := quick().get(t.Context(), r, nil); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(dest)
			if err != nil || !bytes.Equal(got, body) {
				t.Fatalf("read %d bytes, %v", len(got), err)
			}
			if names := entries(t, dest); names != "file.bin" {
				t.Errorf("folder holds %s", names)
			}
			if ranges := strings.Join(p.ranges, "|"); ranges != tt.ranges {
				t.Errorf("requested ranges %q, want %q", ranges, tt.ranges)
			}
		})
	}
}

func TestGetFails(t *testing.T) {
	body, other := content(1), content(2)
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if to == "" {
				to = r.URL.Path
			}
			http.Redirect(w, r, to, http.StatusFound)
		}
	}
	onward := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	}
	always := func(h http.HandlerFunc) []http.HandlerFunc {
		many := make([]http.HandlerFunc, 50)
		for i := range many {
			many[i] = h
		}
		return many
	}
	tests := []struct {
		name       string
		behaviours []http.HandlerFunc
		change     func(*Request)
		is         error
		says       []string
		requests   int
	}{
		{name: "wrong digest", change: func(r *Request) { r.SHA256 = digest(other) }, is: ErrDigest,
			says: []string{digest(body), digest(other)}, requests: 1},
		{name: "wrong digest after every resumption",
			behaviours: []http.HandlerFunc{cut(body, 9, "ETag", `"v1"`), nil, cut(body, 9, "ETag", `"v1"`), nil},
			change:     func(r *Request) { r.SHA256 = digest(other) }, is: ErrDigest, requests: 4},
		{name: "not found", behaviours: always(status(404)), says: []string{"404"}, requests: 1},
		{name: "server error for ever", behaviours: always(status(502)), says: []string{"502", "6 tries"}, requests: 6},
		{name: "cut for ever", behaviours: always(cut(body, 10)), says: []string{"unexpected EOF", "tries"}, requests: 6},
		{name: "redirects for ever", behaviours: always(onward), says: []string{"redirect", "more than 5"}, requests: 6},
		{name: "redirect in a circle", behaviours: always(redirect("")), says: []string{"redirect", "a circle", "/file.bin → "}, requests: 1},
		{name: "redirect to a file", behaviours: always(redirect("file:///etc/hostname")), says: []string{"redirect"}, requests: 1},
		{name: "too large as announced", change: func(r *Request) { r.MaxSize = 1000 }, is: ErrTooLarge, requests: 1},
		{name: "too large as sent", behaviours: []http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			w.Write(body)
		}}, change: func(r *Request) { r.MaxSize = 1000 }, is: ErrTooLarge, requests: 1},
		{name: "larger than said", change: func(r *Request) { r.Size = 299_999 }, is: ErrTooLarge, requests: 1},
		{name: "scheme", change: func(r *Request) { r.URL = "ftp://example.org/x" }, says: []string{"ftp://example.org/x"}},
		{name: "no right digest", change: func(r *Request) { r.SHA256 = "abc" }, says: []string{"sha256"}},
		{name: "folder that cannot be", change: func(r *Request) { r.Dest = "/dev/null/nowhere/x" }, says: []string{"nowhere"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &publisher{body: body, behaviours: tt.behaviours}
			dest := filepath.Join(t.TempDir(), "file.bin")
			r := Request{URL: serve(t, p), SHA256: digest(body), Dest: dest}
			if tt.change != nil {
				tt.change(&r)
			}
			_, err := quick().get(t.Context(), r, nil)
			if err == nil || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Fatalf("error %v, want %v", err, tt.is)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("error %q does not say %q", err, s)
				}
			}
			if _, err := os.Stat(dest); !errors.Is(err, os.ErrNotExist) {
				t.Error("there is a file at the destination")
			}
			if len(p.ranges) != tt.requests {
				t.Errorf("%d requests, want %d", len(p.ranges), tt.requests)
			}
		})
	}
}

func TestGetKeepsRightFile(t *testing.T) {
	body := content(1)
	p := &publisher{body: body}
	dest := filepath.Join(t.TempDir(), "file.bin")
	r := Request{URL: serve(t, p), SHA256: digest(body), Dest: dest}
	if err := os.WriteFile(dest, body, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Get(t.Context(), r, nil); err != nil || len(p.ranges) != 0 {
		t.Fatalf("%d requests for a file that is there, %v", len(p.ranges), err)
	}
	if err := os.WriteFile(dest, body[:1000], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Get(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(dest); !bytes.Equal(got, body) {
		t.Error("a wrong file was not replaced")
	}
}

func TestGetKeepsOldFileOnFailure(t *testing.T) {
	p := &publisher{body: content(2)}
	dest := filepath.Join(t.TempDir(), "file.bin")
	if err := os.WriteFile(dest, []byte("last year's"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := Request{URL: serve(t, p), SHA256: digest(content(1)), Dest: dest}
	if err := Get(t.Context(), r, nil); !errors.Is(err, ErrDigest) {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(dest); string(got) != "last year's" {
		t.Errorf("the old file became %.20q", got)
	}
}

// A cancelled download leaves a part, and the next call requests only the rest.
func TestGetCancelThenResume(t *testing.T) {
	body := content(1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	p := &publisher{body: body, behaviours: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.Write(body[:1000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}}}
	dest := filepath.Join(t.TempDir(), "file.bin")
	r := Request{URL: serve(t, p), SHA256: digest(body), Dest: dest}
	err := Get(ctx, r, func(done, total int64) {
		if total != int64(len(body)) {
			t.Errorf("progress says %d in total", total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-gone
	if names := entries(t, dest); names != "file.bin.part file.bin.part.json" {
		t.Fatalf("folder holds %s", names)
	}
	if err := Get(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if p.ranges[1] != "bytes=1000-" {
		t.Errorf("requested %q", p.ranges[1])
	}
}

// A part of another request is not resumed.
func TestGetForgetsForeignPart(t *testing.T) {
	body := content(1)
	p := &publisher{body: body, behaviours: []http.HandlerFunc{cut(content(2), 1000, "ETag", `"v0"`), status(404)}}
	dest := filepath.Join(t.TempDir(), "file.bin")
	r := Request{URL: serve(t, p), SHA256: digest(content(2)), Dest: dest}
	if _, err := quick().get(t.Context(), r, nil); err == nil {
		t.Fatal("no error")
	}
	r.SHA256 = digest(body)
	if _, err := quick().get(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
	if p.ranges[2] != "" {
		t.Errorf("continued with %q", p.ranges[2])
	}
}

func TestGetStalled(t *testing.T) {
	body := content(1)
	p := &publisher{body: body, behaviours: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Write(body[:1000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}}}
	f := quick()
	f.stall, f.tries = 200*time.Millisecond, 1000 // on a busy machine good answers seem to stall too
	dest := filepath.Join(t.TempDir(), "file.bin")
	if _, err := f.get(t.Context(), Request{URL: serve(t, p), SHA256: digest(body), Dest: dest}, nil); err != nil {
		t.Fatal(err)
	}
	if len(p.ranges) < 2 {
		t.Error("the stalled connection was not given up")
	}
}

func TestGetBusy(t *testing.T) {
	dest := filepath.Join(t.TempDir(), "file.bin")
	r := Request{URL: "http://127.0.0.1:1/", SHA256: digest(nil), Dest: dest}
	first, err := openPart(r)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	if err := Get(t.Context(), r, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
}

func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 5-9/10", "bytes */10", "bytes 0-0/*", "bytes -1-2/3", "", "bytes 9-5/10"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		start, total, ok := contentRange(s)
		if ok && (start < -1 || total < -1 || (total >= 0 && start >= total)) {
			t.Errorf("%q gives %d of %d", s, start, total)
		}
	})
}
