package ingest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/internal/spatialite/spatialitetest"
)

// hook is a context that calls do at the nth look at its state: readers look at it between rows.
type hook struct {
	context.Context
	n  int
	do func()
}

func (h *hook) Err() error {
	if h.n--; h.n == 0 {
		h.do()
	}
	return h.Context.Err()
}

// listed is a region with one source: 200 zones in a file in dir.
func listed(t *testing.T, dir string) *Region {
	t.Helper()
	var text strings.Builder
	text.WriteString(`{"type":"FeatureCollection","features":[`)
	for i := range 200 {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(`{"type":"Feature","properties":{"name":"x` + strings.Repeat("1", i) +
			`"},"geometry":{"type":"Polygon","coordinates":[[[-75,45],[-74,45],[-74,46],[-75,45]]]}}` + "\n")
	}
	text.WriteString("]}")
	path := filepath.Join(dir, "zones.geojson")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	var options yaml.Node
	if err := yaml.Unmarshal([]byte("scheme: 'census:bg'\nkey: name\n"), &options); err != nil {
		t.Fatal(err)
	}
	return &Region{Name: "one", Country: "CA", Sources: []Source{{
		ID: "zones", Kind: "zones", Path: path, AsOf: "2024-01-01", Licence: "x", Attribution: "x", Options: *options.Content[0],
	}}}
}

// TestChangeIsNoticed changes a file in the middle of its reading.
func TestChangeIsNoticed(t *testing.T) {
	spatialitetest.Need(t)
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	content := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	for name, tt := range map[string]struct {
		change func(path string)
		says   string // "": no fault
	}{
		"unchanged":      {func(string) {}, ""},
		"another file":   {func(path string) { write(path+".bak", "x") }, ""},
		"appended":       {func(path string) { write(path, content(path)+"\n") }, "sha256 was"},
		"cut":            {func(path string) { write(path, content(path)[:900]) }, "sha256 was"},
		"removed":        {func(path string) { os.Remove(path) }, "no such file"},
		"the same again": {func(path string) { write(path, content(path)) }, "written again with the same content"},
		"replaced by a copy": {func(path string) { write(path+".new", content(path)); os.Rename(path+".new", path) },
			"written again with the same content"},
	} {
		t.Run(name, func(t *testing.T) {
			region := listed(t, t.TempDir())
			planned, err := Snapshots(t.Context(), region)
			if err != nil {
				t.Fatal(err)
			}
			changed := false
			ctx := &hook{Context: t.Context(), n: 3, do: func() { changed = true; tt.change(region.Sources[0].Path) }}
			err = Stage(ctx, region, planned, filepath.Join(t.TempDir(), "staged.duckdb"), slog.New(slog.DiscardHandler))
			switch {
			case !changed:
				t.Fatal("the reader does not look at its context so often")
			case tt.says == "" && err != nil:
				t.Error(err)
			case tt.says != "" && (!errors.Is(err, ErrChangedMeanwhile) || !strings.Contains(err.Error(), tt.says) ||
				!strings.Contains(err.Error(), "zones.geojson")):
				t.Errorf("error %v, want one that the file changed, with %q", err, tt.says)
			}
		})
	}
}

// TestChangeBeforeReading changes the members of a folder after the plan.
func TestChangeBeforeReading(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.json", "b.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	planned, err := TakeSnapshot(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := planned.check(t.Context(), dir); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := planned.check(t.Context(), dir); !errors.Is(err, ErrChangedMeanwhile) || !strings.Contains(err.Error(), "c.json") {
		t.Errorf("error %v, want one that names c.json", err)
	}
}
