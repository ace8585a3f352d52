package overture

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
)

// TestRowsAreBounded reads a file that expands too much, and one with a row that is too large, then both with higher limits.
func TestRowsAreBounded(t *testing.T) {
	place := func(id, name string) string {
		return "SELECT '" + id + "' AS id, from_hex('0101000000000000000000F0BF0000000000004740') AS geometry, {'primary': " + name +
			"} AS names, {'primary': 'cafe', 'alternate': ['x']} AS categories"
	}
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	blanks := filepath.Join(t.TempDir(), "blanks.parquet")
	_, err = db.Exec("COPY (SELECT i::VARCHAR AS id, p.* EXCLUDE (id), repeat(' ', 100000) || i AS version FROM range(600) AS r(i), (" +
		place("", "'a'") + ") AS p) TO " + geoparquet.Quote(blanks) + " (FORMAT parquet, COMPRESSION zstd)")
	if err != nil {
		t.Fatal(err)
	}
	large := parquet(t, filepath.Join(t.TempDir(), "large.parquet"), place("1", "'a'")+" UNION ALL "+place("2", "repeat('x', 300000)"))
	for _, tt := range []struct {
		path   string
		limits source.Limits
		says   string // "": no fault
	}{
		{blanks, source.Limits{}, ", which limits: {expansion: …}"},
		{blanks, source.Limits{Expansion: 10_000}, ""},
		{large, source.Limits{FeatureBytes: 200_000}, "row 2 (2) has more than 200000 bytes, which limits: {feature_bytes: …}"},
		{large, source.Limits{}, ""},
	} {
		in := source.Input{Source: "test", Path: tt.path, Limits: tt.limits}
		err := Kind.Stage(t.Context(), in, &sourcetest.Record{})
		if (err == nil) != (tt.says == "") || err != nil && (!errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%+v: error %v, want %q", tt.limits, err, tt.says)
		}
	}
}
