package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestDateOfAnExtract reads the date of data that their newest edit has, whatever the order, and asks where none has one.
func TestDateOfAnExtract(t *testing.T) {
	for name, c := range map[string]struct {
		elements, want string
		err            error
	}{
		"edits": {`<node id="1" lat="45" lon="-75" timestamp="2024-05-02T23:30:00Z"/><node id="2" lat="45" lon="-75" timestamp="2023-01-01T00:00:00Z"/>
			<way id="1" timestamp="2024-05-03T00:10:00Z"><nd ref="1"/><nd ref="2"/></way>`, "2024-05-03", nil},
		"without": {`<node id="1" lat="45" lon="-75"/>`, "", ErrUndated},
		"empty":   {``, "", ErrUndated},
	} {
		file := filepath.Join(t.TempDir(), "extract.osm")
		if err := os.WriteFile(file, []byte(`<osm version="0.6">`+c.elements+`</osm>`), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := ExtractDate(context.Background(), file)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v; want %q, %v", name, got, err, c.want, c.err)
		}
	}
}
