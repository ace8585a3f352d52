package streettags_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/formats/pbf"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
)

// delaware returns the path of the extract of Delaware in the module paulmach/osm.
func delaware(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		tb.Skip("the module cache does not have github.com/paulmach/osm")
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf")
}

func read(tb testing.TB, path string, visit func(*source.Street) error) {
	tb.Helper()
	file, err := pbf.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	if err := streettags.Read(tb.Context(), file, visit); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkRead reads all streets of Delaware.
func BenchmarkRead(b *testing.B) {
	path := delaware(b)
	b.ReportAllocs()
	streets, vertices := 0, 0
	for b.Loop() {
		streets, vertices = 0, 0
		read(b, path, func(s *source.Street) error {
			streets, vertices = streets+1, vertices+len(s.Line)
			return nil
		})
	}
	b.ReportMetric(float64(streets), "streets")
	b.ReportMetric(float64(vertices), "vertices")
}
