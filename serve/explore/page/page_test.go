package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/schemas/scoretexts"
)

// TestFiles compares the files with what the page loads: each is there, of a type that browsers take, and nothing is from elsewhere.
func TestFiles(t *testing.T) {
	all, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]File{}
	for _, file := range all {
		byName[file.Name] = file
		r, err := gzip.NewReader(bytes.NewReader(file.Gzip))
		if err != nil {
			t.Fatal(err)
		}
		for coding, r := range map[string]io.Reader{"gzip": r, "br": brotli.NewReader(bytes.NewReader(file.Brotli))} {
			if body, err := io.ReadAll(r); err != nil || !bytes.Equal(body, file.Body) {
				t.Errorf("%s: %v, in %s it is another one", file.Name, err, coding)
			}
		}
	}
	index := string(byName[Index].Body)
	for _, loaded := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(index, -1) {
		name, own := strings.CutPrefix(loaded[1], "files/")
		if _, there := byName[name]; own && !there && (HasMap() || !strings.HasPrefix(name, "maplibre/")) {
			t.Errorf("the page loads %s, which is not there", name)
		} else if !own && loaded[1] != "data:," && !strings.HasPrefix(loaded[1], "#") {
			t.Errorf("the page refers to %s", loaded[1])
		}
	}
	if inline := regexp.MustCompile(`<script>|<style|style=|\son\w+=`).FindString(index); inline != "" {
		t.Errorf("the policy forbids %s", inline)
	}
	imports := regexp.MustCompile(`(?:from |import\()'\./([^']*)'`)
	for _, file := range all {
		if strings.HasPrefix(file.Name, "maplibre/") {
			continue
		}
		for _, imported := range imports.FindAllStringSubmatch(string(file.Body), -1) {
			if _, there := byName[imported[1]]; !there && (HasMap() || !strings.HasPrefix(imported[1], "maplibre/")) {
				t.Errorf("%s imports %s, which is not there", file.Name, imported[1])
			}
		}
		if unsafe := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://[^ ]*`).
			FindString(strings.ReplaceAll(string(file.Body), "http://www.w3.org/2000/svg", "")); unsafe != "" {
			t.Errorf("%s has %s", file.Name, unsafe)
		}
	}
	vocabulary := string(byName["vocabulary.js"].Body)
	for i, score := range schemas.Scores {
		if last := scoretexts.Of(i, 5*schemas.UnitValue).FR; !strings.Contains(vocabulary, `"`+score.ID+`"`) ||
			!strings.Contains(vocabulary, last) {
			t.Errorf("vocabulary.js has no %s with %q", score.ID, last)
		}
	}
}

// TestTransferred adds up what a browser transfers before anybody does anything, all modules of the page included: the map, its
// worker and the style sheets are under 0.6 MB of the megabyte that tiles and answers share with them.
func TestTransferred(t *testing.T) {
	if !HasMap() {
		testenv.NotInstalled(t, "maplibre-gl of serve/explore/page/package-lock.json (make docs)")
	}
	all, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, file := range all {
		if filepath.Ext(file.Name) != ".txt" {
			total += len(file.Gzip)
		}
	}
	if total > 600_000 {
		t.Errorf("%d bytes", total)
	}
}

// TestModules runs the tests of the modules that need no browser.
func TestModules(t *testing.T) {
	testenv.NeedProgram(t, "node")
	if _, err := os.Stat("node_modules/@maplibre/maplibre-gl-style-spec"); err != nil {
		testenv.NotInstalled(t, "a package of serve/explore/page/package-lock.json (make docs)")
	}
	tests, err := filepath.Glob("test/*.test.js")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	if out, err := exec.Command("node", append([]string{"--test"}, tests...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
