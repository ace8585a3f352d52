package main

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/ingest"
)

// publishers is a mirror with the files of several of them.
type publishers struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string]string // by host and path
	date  time.Time
	asked []string
}

func newPublishers(t *testing.T) *publishers {
	p := &publishers{files: map[string]string{}, date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		body, has := p.files[r.URL.Path]
		date := p.date
		p.asked = append(p.asked, r.Method+" "+r.URL.String()+" "+r.UserAgent())
		p.mu.Unlock()
		switch {
		case strings.HasPrefix(r.URL.Path, "/www12.statcan.gc.ca/"):
			w.Header().Set("Cf-Mitigated", "challenge")
			w.WriteHeader(http.StatusForbidden)
		case !has:
			http.NotFound(w, r)
		default:
			http.ServeContent(w, r, "", date, strings.NewReader(body))
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func zipText(t *testing.T, member, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	entry, err := w.Create(member)
	if err == nil {
		_, err = entry.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const fetchedRegion = `region: mine
title: Mine
country: US
state: DE
sources:
  - {id: towns, kind: boundaries, url: "https://www2.census.gov/geo/tl_2025_10_place.zip", page: "https://census.example/tiger", %s}
  - {id: feed, kind: gtfs, url: "https://feeds.example/export?key=s3cret&agency=7", %s}
  - {id: areas, kind: boundaries, url: "https://www12.statcan.gc.ca/lda_000b21a_e.zip", page: "https://statcan.example/outlines", %s}
  - {id: towns-again, kind: boundaries, url: "https://www2.census.gov/geo/tl_2025_10_place.zip", %s}
`

// fetchRegion writes a region file that asks for four files, of which two are the same one and one is refused.
func fetchRegion(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "mine.yaml")
	text := strings.ReplaceAll(fetchedRegion, "%s", "as_of: 2025-01-01, licence: CC0-1.0, attribution: A")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func holds(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not say %q:\n%s", what, want, text)
		}
	}
	if strings.Contains(text, "s3cret") {
		t.Errorf("%s has the secret:\n%s", what, text)
	}
}

// TestFetchPins is the first fetch of a region, with a publisher that refuses, to the day when a file changes.
func TestFetchPins(t *testing.T) {
	p, file := newPublishers(t), fetchRegion(t)
	p.files["/www2.census.gov/geo/tl_2025_10_place.zip"] = zipText(t, "tl_2025_10_place.shp", "old")
	p.files["/feeds.example/export"] = zipText(t, "stops.txt", "stop_id\n")
	cache, drop := filepath.Join(t.TempDir(), "cache"), t.TempDir()
	args := []string{"fetch", "--region", file, "--cache", cache, "--drop", drop, "--mirror", p.URL, "--contact",
		"https://me.example/(data)"}

	code, _, errs := quartier(args...)
	if code != exitBadInput || len(p.asked) > 0 {
		t.Errorf("exit code %d, asked %v", code, p.asked)
	}
	holds(t, "a fetch without pins", errs, "source towns of region mine", "a url needs its sha256", "fetch --region FILE --pin")

	code, out, errs := quartier(append(args, "--pin")...)
	if code != exitBadInput || len(p.asked) != 3 {
		t.Errorf("exit code %d, asked %v", code, p.asked)
	}
	holds(t, "the error", errs, "1 of 4 sources were not fetched", "source areas: www12.statcan.gc.ca: lda_000b21a_e.zip",
		"a challenge that only browsers pass",
		"put lda_000b21a_e.zip here: "+drop+", from https://statcan.example/outlines; then run this again")
	holds(t, "the table", out, "region  source", "mirror  2026-01-02T03:04:05Z  pinned", "lacks: challenge")
	holds(t, "the agent", strings.Join(p.asked, "\n"), "quartier/", "(+https://me.example/data)",
		"/feeds.example/export?key=hidden&agency=7")
	lock := readText(t, ingest.LockFile(file))
	holds(t, "the lock", lock, "id: towns\n", "id: feed\n", "id: towns-again\n", "date: \"2026-01-02T03:04:05Z\"",
		"file: export.zip", "key=hidden")

	code, out, errs = quartier(append(args, "--pin")...)
	if code != exitBadInput || readText(t, ingest.LockFile(file)) != lock || len(p.asked) != 4 {
		t.Errorf("exit code %d, asked %v, lock\n%s\n%s", code, p.asked, readText(t, ingest.LockFile(file)), errs)
	}
	holds(t, "the table", out, "cache", "as pinned")

	if err := os.WriteFile(filepath.Join(drop, "lda_000b21a_e.zip"), []byte(zipText(t, "lda_000b21a_e.shp", "areas")), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ = mustRun(t, append(args, "--pin")...)
	holds(t, "the table", out, "areas", "drop")
	out, _ = mustRun(t, append(args, "--offline")...)
	holds(t, "the table", out, "cache")
	_, _, errs = quartier("plan", "--region", file, "--cache", cache, "--out", t.TempDir())
	if strings.Contains(errs, "sha256") || strings.Contains(errs, "is not downloaded") || !strings.Contains(errs, "-export.zip") {
		t.Errorf("a plan of pinned files:\n%s", errs)
	}

	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.files["/www2.census.gov/geo/tl_2025_10_place.zip"] = zipText(t, "tl_2025_10_place.shp", "new")
	p.date = p.date.AddDate(0, 2, 0)
	p.mu.Unlock()
	code, out, errs = quartier(args...)
	if code != exitInputChanged {
		t.Errorf("exit code %d", code)
	}
	holds(t, "the error", errs, "2 of 4 sources", "the file has changed", "2026-01-02T03:04:05Z", "2026-03-02T03:04:05Z", "the lock")
	holds(t, "the table", out, "changed", "as pinned")
	if names, _ := filepath.Glob(filepath.Join(cache, "*place*")); len(names) > 0 {
		t.Errorf("%v is left", names)
	}
}

// TestBuildObeysTheLock names a file of the cache that is not the pinned one.
func TestBuildObeysTheLock(t *testing.T) {
	p, file, cache := newPublishers(t), fetchRegion(t), t.TempDir()
	p.files["/feeds.example/export"] = zipText(t, "stops.txt", "stop_id\n")
	quartier("fetch", "--region", file, "--cache", cache, "--mirror", p.URL, "--pin")
	names, err := filepath.Glob(filepath.Join(cache, "*-export.zip"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if err := os.WriteFile(names[0], []byte(zipText(t, "stops.txt", "other\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, errs := quartier("plan", "--region", file, "--cache", cache, "--out", t.TempDir())
	if code != exitBadInput {
		t.Errorf("exit code %d", code)
	}
	holds(t, "the plan", errs, "input changed", "-export.zip", "a url needs its sha256")
}

// TestFetchOfAWebAPIByTheMirror takes the pages of a Web API from a folder.
func TestFetchOfAWebAPIByTheMirror(t *testing.T) {
	mirror, file := t.TempDir(), filepath.Join(t.TempDir(), "listings.yaml")
	page := filepath.Join(mirror, "mls.example", "odata", "Property")
	if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(`{"value": [{"ListingKey": "1"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	text := "region: homes\ntitle: Homes\ncountry: US\nsources:\n  - {id: mls, kind: reso, path: pages, " +
		"url: \"https://mls.example/odata/Property\", " +
		"token_env: FETCH_TEST_TOKEN, as_of: 2025-01-01, licence: own, attribution: A}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"fetch", "--region", file, "--mirror", mirror, "--offline", "--cache", t.TempDir()}
	code, _, errs := quartier(args...)
	if code != exitUsage || !strings.Contains(errs, "FETCH_TEST_TOKEN") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	t.Setenv("FETCH_TEST_TOKEN", "s3cret")
	out, _ := mustRun(t, args...)
	holds(t, "the table", out, "web api", "1 pages, 1 records")
	if text := readText(t, filepath.Join(filepath.Dir(file), "pages", "page-00000001.json")); !strings.Contains(text, "ListingKey") {
		t.Errorf("the page is %s", text)
	}
}
