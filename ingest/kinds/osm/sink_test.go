package osm

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

// Two extracts of real data.
var (
	pikesville = testenv.Data("us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf")
	portland   = testenv.Data("us-portland/osm/portland-central-filtered.osm.pbf")
)

// TestSameInEveryEncoding compares the rows of one extract with those of osmium's copies in other orders and encodings.
func TestSameInEveryEncoding(t *testing.T) {
	testenv.NeedProgram(t, "osmium")
	for _, c := range []struct {
		original, name string
		command        []string
	}{
		{pikesville, "plain-nodes.osm.pbf", []string{"cat", "-f", "pbf,pbf_dense_nodes=false,pbf_compression=none"}},
		{pikesville, "sorted.osm.pbf", []string{"sort"}},
		{pikesville, "located.osm.pbf", []string{"add-locations-to-ways", "--ignore-missing-nodes"}}, // drops the nodes without tags
		{portland, "xml.osm", []string{"cat"}},
		{portland, "packed.osm.bz2", []string{"cat"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			testenv.SkipWithoutData(t, c.original)
			path := filepath.Join(t.TempDir(), c.name)
			args := append(c.command, "--no-progress", "-o", path, c.original)
			if out, err := exec.Command("osmium", args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			want := rows(t, c.original)
			if len(want) == 0 {
				t.Fatal("no rows")
			}
			if diff := cmp.Diff(want, rows(t, path)); diff != "" {
				t.Errorf("(-original +%s):\n%.3000s", c.name, diff)
			}
		})
	}
}

// rows stages a file and returns sorted texts of its rows, since their order is that of the file.
func rows(t *testing.T, path string) []string {
	t.Helper()
	var r sourcetest.Record
	if err := Kind.Stage(t.Context(), source.Input{Source: "osm", Path: path}, &r); err != nil {
		t.Fatal(err)
	}
	texts := r.Issues
	for _, b := range r.Boundaries {
		texts = append(texts, fmt.Sprintf("%s %d %s %v", b.Key, b.Level, b.NameEN, b.Geometry))
	}
	for _, p := range r.POIs {
		texts = append(texts, fmt.Sprintf("%s %s %.7f %v", p.Key, p.Name, p.Point, p.Tags))
	}
	for _, s := range r.Streets {
		texts = append(texts, fmt.Sprintf("%s %s %s %t %t %s %v %v", s.Key, s.Class, s.Name, s.Foot, s.Bicycle, s.Car, s.Nodes, s.Line))
	}
	for _, f := range r.Features {
		texts = append(texts, fmt.Sprintf("%s %s %s %s %v", f.Kind, f.Class, f.Key, f.Name, f.Geometry))
	}
	for _, g := range r.Ground {
		texts = append(texts, fmt.Sprintf("%s %s %s %s %v", g.Layer, g.Kind, g.SourceKey, g.Name, g.Geometry))
	}
	slices.Sort(texts)
	return texts
}

// TestEveryRowIsCounted checks that each row that was read is staged or counted as an issue. The ground is not counted as
// read.
func TestEveryRowIsCounted(t *testing.T) {
	for _, path := range []string{"testdata/ville.osm", "testdata/rues.osm", pikesville, portland} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			testenv.SkipWithoutData(t, path)
			var r sourcetest.Record
			if err := Kind.Stage(t.Context(), source.Input{Source: "osm", Path: path, Country: "US", State: "MD"}, &r); err != nil {
				t.Fatal(err)
			}
			r.Issues = slices.DeleteFunc(r.Issues, func(text string) bool { return strings.Contains(text, ": ground @ ") })
			if n := len(r.Boundaries) + len(r.POIs) + len(r.Streets) + len(r.Features) + len(r.Routes) + len(r.Stops) + len(r.Services) +
				len(r.Shapes) + len(r.Issues) - r.Repaired; r.Count != n {
				t.Errorf("%d rows read, %d staged, skipped or rejected", r.Count, n)
			}
		})
	}
}
