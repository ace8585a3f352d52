package fetch

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/testenv"
)

// rawMirror answers as a mirror with recorded bytes, by host and path; the connection is closed after each answer.
type rawMirror struct {
	url string

	mu     sync.Mutex
	asked  []string // method, path and agent
	agents []string
}

func newRawMirror(t *testing.T, answers map[string][]byte) *rawMirror {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	m := &rawMirror{url: "http://" + listener.Addr().String()}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go m.answer(conn, answers)
		}
	}()
	return m
}

func (m *rawMirror) answer(conn net.Conn, answers map[string][]byte) {
	defer conn.Close()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	m.mu.Lock()
	m.asked, m.agents = append(m.asked, req.Method+" "+req.URL.Path), append(m.agents, req.UserAgent())
	m.mu.Unlock()
	body, known := answers[req.URL.Path]
	if !known {
		body = []byte("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
	}
	conn.Write(body)
}

// openTest opens a session that does not wait, with the pauses that it would have made.
func openTest(t *testing.T, o Options) (*Session, *[]time.Duration) {
	t.Helper()
	if o.Cache == "" {
		o.Cache = filepath.Join(t.TempDir(), "cache")
	}
	if o.Drop == "" {
		o.Drop = filepath.Join(o.Cache, "drop")
	}
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var mu sync.Mutex
	var waits []time.Duration
	s.now = func() time.Time { return time.Date(2026, 10, 21, 7, 26, 30, 0, time.UTC) }
	s.pause, s.busy, s.minGain = func(int) time.Duration { return 0 }, time.Millisecond, 1
	s.sleep = func(_ context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		waits = append(waits, d)
		return nil
	}
	return s, &waits
}

// fileOf is a source's file, of an address.
func fileOf(address string) File {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return File{ID: "src-1", URL: address, Page: "https://publisher.example/page", Name: filepath.Base(u.Path)}
}

// files lists what is in a folder and below.
func files(t *testing.T, folder string) (list []string) {
	t.Helper()
	filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return nil
	})
	return list
}

const (
	statcan = "https://www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/lda_000b21a_e.zip"
	getFile = "https://www12.statcan.gc.ca/census-recensement/2021/dp-pd/prof/details/download-telecharger/comp/GetFile.cfm" +
		"?Lang=E&FILETYPE=CSV&GEONO=013"
	tiger    = "https://www2.census.gov/geo/tiger/TIGER2025/PLACE/tl_2025_10_place.zip"
	acs      = "https://www2.census.gov/programs-surveys/acs/summary_file/2024/table-based-SF/data/5YRData/acsdt5y2024-b01001.dat"
	hpms     = "https://geo.dot.gov/server/rest/services/Hosted/HPMS_FULL_PR_2022/FeatureServer/0/query?where=1%3D1&f=geojson"
	overpass = "https://overpass-api.de/api/interpreter?data=node(1);out;"
	places   = "https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com/release/2026-03-18.0/theme=places/type=place/part-00000.zstd.parquet"
)

// refusals are the recorded answers of publishers, with what is said of each.
var refusals = []struct {
	files  string // the recorded answers: the first to what is asked for, the next to where it leads
	url    string
	reason Reason // "": an error that is no refusal
	says   []string
	next   string
	tries  int
	wait   time.Duration // before each other try
}{
	{files: "statcan-403-challenge", url: statcan, reason: Challenge, says: []string{"a challenge that only browsers pass",
		"403 Forbidden"},
		next: "put lda_000b21a_e.zip here: ", tries: 1},
	{files: "statcan-302-missing statcan-200-soft404", url: statcan, reason: Moved,
		says: []string{"a redirect to a web page in place of a zip archive", "Census geography", "index-eng.cfm"},
		next: "for its newest name", tries: 2},
	{files: "statcan-200-soft404", url: statcan, reason: Page, says: []string{"a web page in place of a zip archive", `"Census geography`},
		next: "put lda_000b21a_e.zip here: ", tries: 1},
	{files: "statcan-head-getfile", url: getFile, reason: Empty, says: []string{"an empty answer (0 bytes) in place of"},
		next: "put GetFile.cfm here: ", tries: 1},
	{files: "statcan-206-archive", url: statcan, says: []string{"requested bytes from 0", "bytes 0-0/262144000"},
		next:  "run this again later",
		tries: 6},
	{files: "census-403-apache", url: tiger, reason: Forbidden, says: []string{"a refusal (403 Forbidden)"},
		next:  "put tl_2025_10_place.zip here: ",
		tries: 1},
	{files: "census-403-blocked", url: tiger, reason: Blocked, says: []string{`"you have been blocked"`, "403"},
		next: "put tl_2025_10_place.zip here: ", tries: 1},
	{files: "census-200-akamai-error", url: tiger, reason: ErrorPage, says: []string{"an error page of the publisher's network"},
		next: "put tl_2025_10_place.zip here: ", tries: 6},
	{files: "census-429", url: tiger, reason: TooMany, says: []string{"too many requests (429"}, next: "run this again later", tries: 6,
		wait: 2 * time.Minute},
	{files: "census-429-date", url: tiger, reason: TooMany, says: []string{"too many requests (429"}, next: "run this again later",
		tries: 6,
		wait:  90 * time.Second},
	{files: "census-api-302-missing-key census-api-200-invalid-key", url: acs, reason: NeedsKey, says: []string{"asks for a key",
		"missing_key.html"},
		next: "needs no key", tries: 2},
	{files: "census-api-200-invalid-key", url: acs, reason: NeedsKey, says: []string{"the key is not valid"}, next: "needs no key",
		tries: 1},
	{files: "fhwa-200-empty", url: hpms, reason: NoRows, says: []string{"without an error and without a row"},
		next: "correct the url", tries: 1},
	{files: "overpass-200-busy", url: overpass, reason: Busy, says: []string{"the server is too busy"},
		next: "run this again later", tries: 6},
	{files: "overpass-504-busy", url: overpass, reason: Busy, says: []string{"the server is too busy", "504"}, next: "run this again later",
		tries: 6},
	{files: "overpass-429-rate", url: overpass, reason: TooMany, says: []string{"rate_limited", "429"},
		next: "run this again later", tries: 6},
	{files: "overture-404-old-release", url: places, reason: Missing, says: []string{"no such file (NoSuchKey)", "404"},
		next:  "for its newest name",
		tries: 1},
	{files: "loop-302-a loop-302-b", url: "https://host.example/a", says: []string{"redirect refused", "a circle", "/a → ", "/b → "},
		next: "correct the url", tries: 2},
}

func TestEveryRefusalIsToldAsWhatItIs(t *testing.T) {
	folder := testenv.Data("formats/refusals")
	recorded, err := filepath.Glob(filepath.Join(folder, "*.http"))
	if err != nil || len(recorded) == 0 {
		t.Skip("no recorded answers of publishers in " + folder)
	}
	var replayed []string
	for _, tt := range refusals {
		names := strings.Fields(tt.files)
		replayed = append(replayed, names...)
		t.Run(names[0], func(t *testing.T) {
			s, waits, m := replay(t, folder, names, tt.url)
			file := fileOf(tt.url)
			_, err := s.Get(t.Context(), file, nil)
			var failure *Failure
			var refusal *Refusal
			if !errors.As(err, &failure) || errors.Is(err, ErrDigest) || errors.As(err, &refusal) != (tt.reason != "") ||
				refusal != nil && refusal.Reason != tt.reason {
				t.Fatalf("error %v", err)
			}
			t.Log(err)
			address, _ := url.Parse(tt.url)
			for _, text := range append(tt.says, "src-1", address.Host, tt.url, file.Name, file.Page, tt.next, s.options.Drop) {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the error does not say %q", text)
				}
			}
			if left := files(t, s.options.Cache); len(left) > 0 || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v is left; %q", left, err)
			}
			if len(m.asked) != tt.tries || slices.ContainsFunc(*waits, func(d time.Duration) bool { return d != tt.wait }) {
				t.Errorf("asked %v, waits %v", m.asked, *waits)
			}
			for i, asked := range m.asked {
				if !strings.HasPrefix(asked, "GET ") || m.agents[i] != "quartier/1.2 (+https://example.org)" {
					t.Errorf("asked %s as %q", asked, m.agents[i])
				}
			}
		})
	}
	for _, path := range recorded {
		if !slices.Contains(replayed, strings.TrimSuffix(filepath.Base(path), ".http")) {
			t.Errorf("%s is not replayed", path)
		}
	}
}

// replay opens a session whose mirror gives the first recorded answer to an address and the next one to where it leads.
func replay(t *testing.T, folder string, names []string, address string) (*Session, *[]time.Duration, *rawMirror) {
	t.Helper()
	answers := map[string][]byte{}
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		body, err := os.ReadFile(filepath.Join(folder, name+".http"))
		if err != nil {
			t.Fatal(err)
		}
		answers["/"+at.Host+at.Path] = body
		if _, rest, leads := strings.Cut(string(body), "Location: "); leads {
			line, _, _ := strings.Cut(rest, "\r\n")
			if at, err = at.Parse(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	m := newRawMirror(t, answers)
	s, waits := openTest(t, Options{Agent: "quartier/1.2 (+https://example.org)", Mirror: m.url, Waiting: func(d time.Duration, why error) {
		if d == 0 || why == nil {
			t.Errorf("a pause is reported, of %s for %v", d, why)
		}
	}})
	return s, waits, m
}

// A server that asks for hours is not waited for, and reported.
func TestLongRetryAfter(t *testing.T) {
	m := newRawMirror(t, map[string][]byte{"/h.example/x.zip": []byte("HTTP/1.1 503 Busy\r\nRetry-After: 7200\r\nContent-Length: 0\r\n\r\n")})
	s, waits := openTest(t, Options{Mirror: m.url})
	_, err := s.Get(t.Context(), fileOf("https://h.example/x.zip"), nil)
	if err == nil || !strings.Contains(err.Error(), "2h0m0s") || len(*waits) > 0 || len(m.asked) != 1 {
		t.Errorf("error %v, waits %v, asked %v", err, *waits, m.asked)
	}
}
