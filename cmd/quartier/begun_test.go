package main

import (
	"os"
	"path/filepath"
	"testing"
)

// begin makes a work folder with the staged, lent and derived tables of the towns. A build in it reuses those of a region whose
// sources are the same: it is for tests of something else than these stages, of which each takes seconds.
func begin(t testing.TB, work string) string {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(townsDir(t), "work", "*.duckdb*"))
	if err != nil || len(made) == 0 {
		t.Fatalf("%d files of the stages, %v", len(made), err)
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range made { // a stage removes a file before it writes another
		if err := os.Link(file, filepath.Join(work, filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
	}
	return work
}
