package overture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
)

// record is a sink that shows what comes.
type record struct {
	source.Sink
	poi           func(source.POI)
	read, skipped int
}

func (r *record) POI(p source.POI) error {
	if r.poi != nil {
		r.poi(p)
	}
	return nil
}

func (r *record) Read(n int) { r.read += n }

func (r *record) Issue(severity source.Severity, _, _ string) {
	if severity == source.Skipped {
		r.skipped++
	}
}

func input(t testing.TB, path, options string) source.Input {
	t.Helper()
	in := source.Input{Source: "test", Path: path}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(options), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Content) > 0 {
		in.Options = *document.Content[0]
	}
	return in
}

func jsonFile(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f.geojson")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
