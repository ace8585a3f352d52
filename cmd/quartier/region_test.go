package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ran runs the program and returns its exit code and all that it printed.
func ran(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := run(t.Context(), append([]string{"quartier"}, args...), &out, &out)
	return code, out.String()
}

// TestRegionCommands makes a region file without an answer of anybody, says what it gives, bumps it by a mirror and drafts one
// from files.
func TestRegionCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "us-de.yaml")
	code, text := ran(t, "region", "new", "--offline", "--cache", dir, "--as-of", "2026-11-29", "--out", file, "us-de")
	if code != exitOK || !strings.Contains(text, "timetables lack") || !strings.Contains(text, "fetch --region "+file+" --pin") {
		t.Fatalf("new: %d\n%s", code, text)
	}
	before := contentOf(t, file)
	if code, text = ran(t, "region", "new", "--offline", "--out", file, "us-de"); code != exitUsage || !strings.Contains(text, "exists") {
		t.Errorf("new over a file: %d\n%s", code, text)
	}
	if code, text = ran(t, "region", "new", "--offline", "--cache", dir, "--as-of", "2026-11-29", "us-de"); code != exitOK || text != before {
		t.Errorf("new without --out: %d\n%s", code, text)
	}
	again := filepath.Join(dir, "again.yaml")
	if code, text = ran(t, "region", "new", "us-de", "--out", again, "--cache="+dir, "--offline", "--as-of", "2026-11-29"); code != exitOK ||
		contentOf(t, again) != before {
		t.Errorf("new with flags after the place: %d\n%s", code, text)
	}
	if code, text = ran(t, "region", "new", "--offline", "--box", "-75.6,39.7,-75.5,39.8"); code != exitOK ||
		!strings.Contains(text, "region: box-us-de") {
		t.Errorf("new of a box: %d\n%s", code, text)
	}
	if code, text = ran(t, "region", "check", file); code != exitOK || !strings.Contains(text, "sources are not pinned yet") ||
		!strings.Contains(text, "market_stats         lacks") {
		t.Errorf("check: %d\n%s", code, text)
	}
	code, text = ran(t, "build", "--dry-run", "--region", file, "--out", filepath.Join(dir, "out"))
	if code != exitBadInput || strings.Contains(text, "bad options") || !strings.Contains(text, "fetch --pin") {
		t.Errorf("build --dry-run: %d\n%s", code, text)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "/TIGER2026/PLACE/") {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte("PK\x03\x04"))
	}))
	defer server.Close()
	if code, text = ran(t, "region", "bump", "--mirror", server.URL, "--cache", dir, file); code != exitOK ||
		!strings.Contains(text, "municipalities: 2025 becomes 2026") || !strings.Contains(text, "Nothing is changed") ||
		contentOf(t, file) != before {
		t.Errorf("bump: %d\n%s", code, text)
	}
	if code, text = ran(t, "region", "bump", "--mirror", server.URL, "--cache", dir, "--write", file); code != exitOK ||
		strings.Count(contentOf(t, file), "2026/PLACE/tl_2026_10_place.zip") != 1 {
		t.Errorf("bump --write: %d\n%s", code, text)
	}
	draftedByCommand(t, dir)
	for _, args := range [][]string{{"new"}, {"new", "us-de", "us-or"}, {"new", "Columbus"}, {"new", "--box", "1,2,3", "x"},
		{"new", "--box", "1,2,3"}, {"check"}, {"bump"}, {"draft", dir}, {"draft", "--out", filepath.Join(dir, "x.yaml"), file}, {"what"}} {
		if code, text = ran(t, append([]string{"region"}, args...)...); code != exitUsage {
			t.Errorf("region %q: %d\n%s", args, code, text)
		}
	}
}

func draftedByCommand(t *testing.T, dir string) {
	t.Helper()
	files := filepath.Join(dir, "files")
	if err := os.MkdirAll(files, 0o755); err != nil {
		t.Fatal(err)
	}
	const parks = "PARK_ID,NAME,LATITUDE,LONGITUDE\n1,Green,39.74,-75.55\n2,Long,39.75,-75.56\n"
	if err := os.WriteFile(filepath.Join(files, "parks.csv"), []byte(parks), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "mine.yaml")
	code, text := ran(t, "region", "draft", files, "--out", out)
	if code != exitOK || !strings.Contains(contentOf(t, out), "category: parks") || !strings.Contains(contentOf(t, out), "state: 'DE'") {
		t.Errorf("draft: %d\n%s", code, text)
	}
	if code, text = ran(t, "build", "--dry-run", "--region", out, "--out", filepath.Join(dir, "out")); code != exitOK {
		t.Errorf("build --dry-run of the draft: %d\n%s", code, text)
	}
}

func contentOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
