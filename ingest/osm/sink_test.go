package osm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

// TestSameInEveryForm lets osmium write one extract in other orders and encodings: the rows must be the same.
func TestSameInEveryForm(t *testing.T) {
	if _, err := exec.LookPath("osmium"); err != nil {
		t.Skip("skipped: osmium-tool is not installed")
	}
	const (
		pikesville = "../../../shared/data/us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf"
		portland   = "../../../shared/data/us-portland/osm/portland-central-filtered.osm.pbf"
	)
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
			if _, err := os.Stat(c.original); err != nil {
				t.Skip("skipped: ../shared/data is absent")
			}
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

// rows stages a file and sorts what came, because the order follows the file's.
func rows(t *testing.T, path string) []string {
	t.Helper()
	var r sourcetest.Record
	if err := (Kind{}).Stage(t.Context(), source.Input{Source: "osm", Path: path}, &r); err != nil {
		t.Fatal(err)
	}
	texts := r.Issues
	for _, b := range r.Boundaries {
		texts = append(texts, fmt.Sprintf("%s %d %s %v", b.Key, b.Level, b.NameEN, b.Geometry))
	}
	for _, c := range r.Coverages {
		texts = append(texts, c.Country+"-"+c.State)
	}
	for _, p := range r.POIs {
		texts = append(texts, fmt.Sprintf("%s %s %.7f %v", p.Key, p.Name, p.Point, p.Tags))
	}
	slices.Sort(texts)
	return texts
}
