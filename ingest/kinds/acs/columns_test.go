package acs

import (
	"os"
	"path/filepath"
	"testing"

	"quartier/ingest/source"
)

// TestFeaturesWithoutAttributes refuses a file of outlines that has no columns.
func TestFeaturesWithoutAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "limits.geojson")
	const text = `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-122,47]}}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Kind.Check(t.Context(), source.Input{Source: "s", Path: path}); err == nil {
		t.Error("the file is taken for a table")
	}
}
