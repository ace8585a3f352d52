package osm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
)

// memory is a sink that keeps everything as text.
type memory struct {
	boundaries, coverages, pois, issues []string
	read                                int
}

func (m *memory) Boundary(b source.Boundary) error {
	m.boundaries = append(m.boundaries, fmt.Sprintf("%s %d %s %v", b.Key, b.Level, b.NameEN, b.Geometry))
	return nil
}

func (m *memory) Coverage(c source.Coverage) error {
	m.coverages = append(m.coverages, fmt.Sprintf("%s-%s", c.Country, c.State))
	return nil
}

func (m *memory) POI(p source.POI) error {
	m.pois = append(m.pois, fmt.Sprintf("%s %s %.7f %v", p.Key, p.Name, p.Point, p.Tags))
	return nil
}

func (m *memory) BrandRule(source.BrandRule) error { return nil }
func (m *memory) Read(n int)                       { m.read += n }
func (m *memory) Issue(severity source.Severity, reason, where string) {
	m.issues = append(m.issues, fmt.Sprintf("%s: %s: %s", severity, reason, where))
}

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
	var m memory
	if err := (Kind{}).Stage(context.Background(), source.Input{Source: "osm", Path: path}, &m); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(slices.Concat(m.boundaries, m.coverages, m.pois, m.issues)))
}
