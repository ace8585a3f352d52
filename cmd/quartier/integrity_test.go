package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quartier/cmd/quartier/pipeline"
	"quartier/ingest"
	"quartier/schemas"
)

// onOutput calls do once, when a text that contains all of says is written.
type onOutput struct {
	bytes.Buffer
	says []string
	do   func()
	once sync.Once
}

func (w *onOutput) Write(text []byte) (int, error) {
	found := true
	for _, says := range w.says {
		found = found && bytes.Contains(text, []byte(says))
	}
	if found {
		w.once.Do(w.do)
	}
	return w.Buffer.Write(text)
}

// TestInputThatChangesDuringTheBuild appends to a file between the plan and its reader. What was read then is of no use,
// but the work folder is: the next run reads the file as it is now and makes what a new work folder would.
func TestInputThatChangesDuringTheBuild(t *testing.T) {
	t.Parallel()
	sources, dir := worldCopy(t), t.TempDir()
	undeclare(t, sources)
	file, out, work := filepath.Join(sources, "osm", "port-hollis.osm"), filepath.Join(dir, "r"), filepath.Join(dir, "work")
	args := []string{"quartier", "build", "--region", filepath.Join(sources, "regions", "us-port-hollis.yaml"), "--out", out, "--work", work}
	screen := &onOutput{says: []string{"reading", "source=osm "}, do: func() { appendText(t, file, "<!-- more -->\n") }}
	code := run(context.Background(), args, &bytes.Buffer{}, screen)
	if said := lastError(screen.String()); code != exitInputChanged || !strings.Contains(said, "changed during the build") ||
		!strings.Contains(said, "port-hollis.osm") {
		t.Fatalf("exit code %d\n%s", code, screen.String())
	}
	for _, path := range []string{out, filepath.Join(work, "us-port-hollis.staged.duckdb"),
		filepath.Join(work, "us-port-hollis.staged.duckdb.stamp")} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was kept: %v", path, err)
		}
	}
	mustRun(t, args[1:]...)
	fresh := filepath.Join(dir, "fresh")
	mustRun(t, "build", "--region", args[3], "--out", fresh)
	if got, want := digestOf(t, out), digestOf(t, fresh); got != want {
		t.Errorf("release %s from the old work folder, %s from a new one", got, want)
	}
	mustRun(t, "verify", out)
	wantStamped(t, out, file)
}

// wantStamped compares the sha256 of a release's source with the file as it is, if the source is a file.
func wantStamped(t *testing.T, release, file string) {
	t.Helper()
	m, err := schemas.ReadManifest(release)
	if err != nil {
		t.Fatal(err)
	}
	sum, _, err := ingest.Digest(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Sources {
		if s.Path == filepath.Base(file) && s.SHA256 != sum {
			t.Errorf("source %s is stamped %s, the file is %s", s.ID, s.SHA256, sum)
		}
	}
}

// TestDamagedWorkFolder damages intermediate databases, which are then built again; nothing else is.
func TestDamagedWorkFolder(t *testing.T) {
	t.Parallel()
	towns := townsDir(t)
	work := filepath.Join(t.TempDir(), "work")
	if err := os.CopyFS(work, os.DirFS(filepath.Join(towns, "work"))); err != nil {
		t.Fatal(err)
	}
	staged, derived := filepath.Join(work, "us-port-hollis.staged.duckdb"), filepath.Join(work, "us-port-hollis.derived.duckdb")
	for _, tt := range []struct {
		name, file, rebuilt string
		damage              func(text string) string
	}{
		{"truncated", staged, "us-port-hollis ingest", half},
		{"one bit", derived, "us-port-hollis transform", func(text string) string {
			return text[:len(text)/2] + string(text[len(text)/2]^1) + text[len(text)/2+1:]
		}},
		{"another region's", derived, "us-port-hollis transform",
			func(string) string { return readText(t, filepath.Join(work, "ca-saint-aubin.derived.duckdb")) }},
		{"stamp cut", staged + ".stamp", "us-port-hollis ingest", half},
	} {
		t.Run(tt.name, func(t *testing.T) {
			replaceFile(t, tt.file, tt.damage)
			out := filepath.Join(t.TempDir(), "r")
			_, errs := mustRun(t, "build", "--release", filepath.Join(towns, "sources", "release.yaml"), "--out", out, "--work", work)
			if got := strings.Join(rebuilt(t, work), ", "); got != tt.rebuilt {
				t.Errorf("built %q again, want %q", got, tt.rebuilt)
			}
			if !strings.Contains(errs, "is damaged and will be built again") {
				t.Errorf("no warning in:\n%s", errs)
			}
			if got, want := digestOf(t, out), digestOf(t, filepath.Join(towns, "first")); got != want {
				t.Errorf("release %s, want %s", got, want)
			}
			mustRun(t, "verify", out)
		})
	}
}

// rebuilt returns the stages of regions that the last run did not reuse.
func rebuilt(t *testing.T, work string) (names []string) {
	t.Helper()
	var report pipeline.Report
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(work, "report.json"))), &report); err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Steps {
		if !s.Reused && !strings.HasPrefix(s.Name, "build: ") {
			names = append(names, s.Name)
		}
	}
	return names
}

func digestOf(t *testing.T, release string) string {
	t.Helper()
	m, err := schemas.ReadManifest(release)
	if err != nil {
		t.Fatal(err)
	}
	return m.Digest
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Error(err)
	}
}

// replaceFile puts another file in the place of one, as programs do that write a file next to its place.
func replaceFile(t *testing.T, path string, change func(string) string) {
	t.Helper()
	part := path + ".new"
	if err := os.WriteFile(part, []byte(change(readText(t, path))), 0o644); err != nil {
		t.Error(err)
	}
	if err := os.Rename(part, path); err != nil {
		t.Error(err)
	}
}
