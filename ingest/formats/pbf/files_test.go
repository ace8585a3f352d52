package pbf_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const shared = "../../../../shared/data"

// delaware is the state extract that comes with the paulmach/osm module.
func delaware(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		tb.Skip("skipped: the module github.com/paulmach/osm is not in the module cache")
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf")
}

// extracts are the PBF files under shared/data.
func extracts(tb testing.TB) []string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(shared, "*", "osm", "*.pbf"))
	if err != nil || len(paths) == 0 {
		tb.Skip("skipped: ../shared/data is absent")
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

// osmium skips the test where osmium-tool is not installed.
func osmium(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("osmium"); err != nil {
		tb.Skip("skipped: osmium-tool is not installed")
	}
}
