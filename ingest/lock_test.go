package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// regionWith writes a region file with one source for each of the texts.
func regionWith(t *testing.T, sources ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "region.yaml")
	text := "region: x\ntitle: X\nsources:\n"
	for _, s := range sources {
		text += "  - {kind: places, as_of: 2024-01-01, licence: CC0-1.0, attribution: A, " + s + "}\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func noVariables(string) (string, bool) { return "", false }

var sumA, sumB = strings.Repeat("a", 64), strings.Repeat("b", 64)

func TestLockIsObeyed(t *testing.T) {
	file := regionWith(t, `id: b, url: "https://me:s3cret@h/b.csv?key=s3cret&y=1"`, `id: a, url: "https://h/get.cfm?y=1"`,
		"id: own, url: https://h/own.csv, sha256: "+sumB)
	_, err := ReadRegion(file, noVariables, "cache")
	if !errors.Is(err, ErrUnpinned) || strings.Count(err.Error(), "fetch --pin") != 2 {
		t.Fatalf("error %v", err)
	}
	for _, pin := range []Pin{
		{ID: "b", URL: "https://h/b.csv?key=hidden&y=1", SHA256: sumA, Bytes: 7, Date: "2026-01-02T03:04:05Z", ETag: `"x: y"`},
		{ID: "own", URL: "https://h/own.csv", SHA256: sumA, Bytes: 7},
		{ID: "a", URL: "https://h/get.cfm?y=1", File: "profile.csv", SHA256: sumB, Bytes: 8},
	} {
		if err := WritePin(file, pin); err != nil {
			t.Fatal(err)
		}
	}
	region, err := ReadRegion(file, noVariables, "cache")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"cache/" + sumA[:16] + "-b.csv", "cache/" + sumB[:16] + "-profile.csv",
		"cache/" + sumB[:16] + "-own.csv"} {
		if s := region.Sources[i]; s.Path != want || (s.Pin == nil) != (s.ID == "own") {
			t.Errorf("source %s: path %s, want %s; pin %v", s.ID, s.Path, want, s.Pin)
		}
	}
	if pin := region.Sources[0].Pin; pin.Date != "2026-01-02T03:04:05Z" || pin.ETag != `"x: y"` {
		t.Errorf("read %+v", pin)
	}
	text, err := os.ReadFile(LockFile(file))
	if err != nil || strings.Contains(string(text), "s3cret") || strings.Index(string(text), "id: a") > strings.Index(string(text),
		"id: b") {
		t.Errorf("the lock is\n%s%v", text, err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(readFile(t, file), "y=1", "y=2")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err = ReadRegion(file, noVariables, "cache"); !errors.Is(err, ErrUnpinned) {
		t.Errorf("the pin of another url is taken: %v", err)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBadLocks(t *testing.T) {
	file := regionWith(t, "id: a, url: https://h/a.csv")
	entry := "  - {id: a, url: https://h/a.csv, bytes: 1, sha256: " + sumA
	for text, want := range map[string]string{
		"sources: [": "yaml",
		"sources:\n" + entry + "}\n" + entry + "}\n":     "twice",
		"sources:\n" + entry + "bb}\n":                   "right name",
		"sources:\n" + entry + ", file: ../../../x}\n":   "right name",
		"sources:\n" + entry + ", colour: blue}\n":       "colour",
		"sources:\n  - {id: a, url: https://h/a.csv}\n":  "sha256",
		"sources:\n  - {id: a, sha256: " + sumA + " }\n": "no url",
	} {
		if err := os.WriteFile(LockFile(file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadRegion(file, noVariables, "cache")
		if !errors.Is(err, ErrBadRegion) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "region.yaml.lock") {
			t.Errorf("%s\nerror %v, want %q", text, err, want)
		}
	}
}

// TestLockWrittenByMany loses no pin where many are written at a time.
func TestLockWrittenByMany(t *testing.T) {
	file := regionWith(t, "id: a, url: https://h/a.csv")
	var group sync.WaitGroup
	for i := range 30 {
		group.Go(func() {
			if err := WritePin(file, Pin{ID: fmt.Sprint("s", i%20), URL: "https://h/x", SHA256: sumA}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	pins, err := ReadPins(file)
	if err != nil || len(pins) != 20 {
		t.Errorf("%d pins, %v", len(pins), err)
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(names) > 0 {
		t.Errorf("%v is left", names)
	}
}

func TestFileNames(t *testing.T) {
	for url, want := range map[string]string{
		"https://h/a/tl_2025_10_place.zip":             "tl_2025_10_place.zip",
		"https://h/comp/GetFile.cfm?Lang=E&GEONO=013":  "GetFile.cfm",
		"https://h/a%20b.csv":                          "a b.csv",
		"https://h/..%2f..%2fetc":                      "etc",
		"https://h/a%5cb.csv":                          "a_b.csv",
		"https://h/.profile":                           "profile",
		"https://h/o/us-gtfs-1.zip?alt=media&key=1234": "us-gtfs-1.zip",
	} {
		if got := (&Source{URL: url}).FileName(); got != want {
			t.Errorf("%s gives %q, want %q", url, got, want)
		}
	}
	for line, right := range map[string]bool{
		"file: x.csv": true, "file: ../x.csv": false, "file: .x": false, `file: "a\nb"`: false, "page: https://h/p": true, "page: h/p": false,
	} {
		_, err := ReadRegion(regionWith(t, "id: a, path: a.csv, "+line), noVariables, "cache")
		if (err == nil) != right {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestUnpin removes what a newer vintage makes wrong, and nothing where there is no lock.
func TestUnpin(t *testing.T) {
	file := regionWith(t, "id: a, url: https://h/a.csv", "id: b, url: https://h/b.csv")
	if err := Unpin(file, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(LockFile(file)); err == nil {
		t.Error("there is a lock of nothing")
	}
	for _, id := range []string{"a", "b"} {
		if err := WritePin(file, Pin{ID: id, URL: "https://h/" + id + ".csv", SHA256: sumA, Bytes: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := Unpin(file, "a", "c"); err != nil {
		t.Fatal(err)
	}
	if pins, err := ReadPins(file); err != nil || len(pins) != 1 || pins[0].ID != "b" {
		t.Errorf("%+v %v", pins, err)
	}
}
