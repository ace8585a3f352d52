package vector

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/source"
	"quartier/internal/duck"
)

// writeParquet writes the rows of a SELECT, with metadata of GeoParquet unless they are "".
func writeParquet(t *testing.T, query, metadata string) string {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path := filepath.Join(t.TempDir(), "it's [1].parquet")
	options := ""
	if metadata != "" {
		options = ", KV_METADATA {geo: " + geoparquet.Quote(metadata) + "}"
	}
	if _, err := db.Exec("COPY (" + query + ") TO " + geoparquet.Quote(path) + " (FORMAT parquet" + options + ")"); err != nil {
		t.Fatal(err)
	}
	return path
}

// point is the expression of a point in WKB.
func point(x, y string) string {
	return fmt.Sprintf("('\\x01\\x01\\x00\\x00\\x00'::BLOB || unhex(%s) || unhex(%s))", x, y)
}

func readAll(t *testing.T, path string, o Options) ([]Feature, error) {
	t.Helper()
	layer, err := Open(t.Context(), path, o)
	if err != nil {
		return nil, err
	}
	defer layer.Close()
	var all []Feature
	err = layer.Read(t.Context(), func(f Feature) error {
		all = append(all, f)
		return nil
	})
	return all, err
}

const somewhere = "'0000000000C052C0'" // -75 in little-endian hex
const north = "'0000000000804640'"     // 45

func TestGeoParquet(t *testing.T) {
	rows := fmt.Sprintf(`SELECT i AS "no", 'n' || i AS id, CASE WHEN i = 3 THEN NULL WHEN i = 4 THEN 'x'::BLOB ELSE %s END AS shape, DATE '2024-01-02' AS day,
		{'a': [1, 2], 'b': NULL} AS nested, CAST(i AS DOUBLE) AS amount, i %% 2 = 0 AS even, 'z'::BLOB AS raw FROM range(5000) AS r(i)`, point(somewhere, north))
	geo := `{"primary_column":"shape","columns":{"shape":{"encoding":"WKB","crs":{"id":{"authority":"EPSG","code":4269}}}}}`
	all, err := readAll(t, writeParquet(t, rows, geo), Options{})
	if err != nil || len(all) != 5000 {
		t.Fatalf("%d features, %v", len(all), err)
	}
	if n := (&File{Path: writeParquet(t, rows, geo)}).Rows(t.Context()); n != 5000 {
		t.Errorf("%d rows by the metadata", n)
	}
	for i, f := range all {
		if f.Row != i+1 || f.ID != fmt.Sprintf("n%d", i) || f.Value("amount") != fmt.Sprint(i) || f.Value("even") != fmt.Sprint(i%2 == 0) {
			t.Fatalf("feature %d: %+v", i, f)
		}
	}
	if f := all[1]; f.Value("day") != "2024-01-02" || f.Value("nested") != `{"a":[1,2],"b":null}` || f.Value("raw") != "" ||
		f.Geometry.(orb.Point)[1] != 45 {
		t.Errorf("%+v", f)
	}
	if all[3].Geometry != nil || !all[3].Fault.OK() || all[4].Fault.OK() {
		t.Errorf("without and with an unreadable geometry: %+v, %+v", all[3], all[4])
	}
}

func TestBadGeoParquet(t *testing.T) {
	truncated := filepath.Join(t.TempDir(), "half.parquet")
	if err := os.WriteFile(truncated, []byte("PAR1 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	row := "SELECT 1 AS id, " + point(somewhere, north) + " AS geometry"
	for _, test := range []struct {
		name, path, want string
		options          Options
	}{
		{"truncated", truncated, "half.parquet", Options{}},
		{"another encoding", writeParquet(t, row, `{"columns":{"geometry":{"encoding":"point"}}}`), "encoding point, not WKB", Options{}},
		{"no geometry", writeParquet(t, "SELECT 1 AS id, 2 AS geometry", ""),
			"no column geometry with geometries in WKB; there are: id, geometry", Options{}},
		{"no reference system", writeParquet(t, row, `{"columns":{"geometry":{"encoding":"WKB","crs":null}}}`), "set the option crs", Options{}},
		{"metadata that are not JSON", writeParquet(t, row, `{`), "metadata of GeoParquet", Options{}},
		{"a large row", writeParquet(t, row+", repeat('x', 5000) AS text", ""), "row 1 has more than 1000 bytes",
			Options{Limits: source.Limits{FeatureBytes: 1000}}},
		{"a folder without any", t.TempDir(), "a folder without .parquet files", Options{}},
	} {
		_, err := readAll(t, test.path, test.options)
		if err == nil || !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, truncated, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzParquet opens arbitrary files.
func FuzzParquet(f *testing.F) {
	f.Add([]byte("PAR1PAR1"))
	f.Add([]byte("PAR1\x00\x00\x00\x00\x00\x00\x00\x00PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(t, path, Options{}); err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Error(err)
		}
	})
}

// A table of points without a column of geometries has them in the columns that the options name.
func TestParquetWithCoordinates(t *testing.T) {
	path := writeParquet(t, "SELECT * FROM (VALUES (-75.5, 45.25, 'a'), (NULL, 45, 'b')) AS t(x, y, name)", "")
	all, err := readAll(t, path, Options{Columns: &Columns{Lng: "x", Lat: "y"}})
	if err != nil || len(all) != 2 || all[0].Geometry != (orb.Point{-75.5, 45.25}) || all[0].Value("name") != "a" || all[1].Geometry != nil ||
		!all[1].Fault.OK() {
		t.Fatalf("%+v, %v", all, err)
	}
	if _, err := readAll(t, path, Options{Columns: &Columns{Lng: "x", Lat: "lat"}}); !errors.Is(err, source.ErrBadFile) {
		t.Errorf("without a column of latitudes: %v", err)
	}
}
