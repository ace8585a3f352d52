package pbf_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/testenv"
)

// delaware returns the path of the extract of Delaware in the module paulmach/osm.
func delaware(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		tb.Skip("the module github.com/paulmach/osm is not in the module cache")
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf")
}

// extracts are the PBF files of the real data.
func extracts(tb testing.TB) []string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(testenv.NeedData(tb, ""), "*", "osm", "*.pbf"))
	if err != nil || len(paths) == 0 {
		tb.Fatal("no extracts", err)
	}
	return paths
}

// small is the smallest of them.
func small(tb testing.TB) string {
	paths := extracts(tb)
	return slices.MinFunc(paths, func(a, b string) int { return cmp.Compare(fileSize(tb, a), fileSize(tb, b)) })
}

func fileSize(tb testing.TB, path string) int64 {
	tb.Helper()
	stat, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	return stat.Size()
}

// osmium skips the test if osmium-tool is not installed.
func osmium(tb testing.TB) {
	tb.Helper()
	testenv.NeedProgram(tb, "osmium")
}
