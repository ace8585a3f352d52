package vector

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/ingest/source"
)

// geoPackageFile makes a GeoPackage by its specification's tables.
func geoPackageFile(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b%.gpkg")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range append([]string{
		`CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, identifier TEXT, srs_id INTEGER)`,
		`CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER)`,
		`CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT)`,
		`INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, ''), ('own', 100001, 'NONE', 7, '` + wgs84PRJ + `')`,
	}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return path
}

// layerOf is the statements that make a layer.
func layerOf(table, srs string) []string {
	return []string{
		`CREATE TABLE "` + table + `" (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT, size REAL, day DATE, open BOOLEAN)`,
		`INSERT INTO gpkg_contents VALUES ('` + table + `', 'features', '', ` + srs + `)`,
		`INSERT INTO gpkg_geometry_columns VALUES ('` + table + `', 'geom', 'GEOMETRY', ` + srs + `, 0, 0)`,
	}
}

const pointBlob = `X'47500001E61000000101000000000000000000F03F0000000000000040'` // POINT(1 2)

func TestGeoPackage(t *testing.T) {
	towns := append(layerOf("the towns", "4326"),
		`INSERT INTO "the towns" VALUES (9, `+pointBlob+
			`, 'Été', 12.0, '2021-05-11', 1), (3, NULL, '', NULL, NULL, 0), (5, 'text', NULL, NULL, NULL, NULL), (7, X'00', NULL, NULL, NULL, NULL)`)
	got, err := all(t, geoPackageFile(t, towns...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Feature{
		{Row: 1, ID: "3", Attributes: map[string]string{"fid": "3", "open": "false"}},
		{Row: 2, ID: "5", Attributes: map[string]string{"fid": "5"}, Fault: source.UnreadableGeometry.With("not a blob")},
		{Row: 3, ID: "7", Attributes: map[string]string{"fid": "7"}, Fault: source.UnreadableGeometry.With("no GeoPackage header")},
		{Row: 4, ID: "9", Attributes: map[string]string{"fid": "9", "name": "Été", "size": "12", "day": "2021-05-11", "open": "true"},
			Geometry: orb.Point{1, 2}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGeoPackageLayers(t *testing.T) {
	both := append(layerOf("b", "4326"), layerOf("a", "4326")...)
	for _, test := range []struct {
		name       string
		statements []string
		layer, err string
	}{
		{"two", both, "", "it has 2 layers; set the option layer to one of a, b"},
		{"two, one named", both, "b", ""},
		{"two, none of them named", both, "c", `no layer "c", but a, b`},
		{"none", nil, "", "no layer of features"},
		{"a reference system of its own", layerOf("a", "100001"), "", ""},
		{"undefined reference system", layerOf("a", "-1"), "", "set the option crs"},
		{"unknown reference system", layerOf("a", "77"), "", "reference system 77"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := all(t, geoPackageFile(t, test.statements...), Options{Layer: test.layer})
			wantError(t, err, test.err, "a b%.gpkg")
		})
	}
}

func TestGeoPackageThatIsCut(t *testing.T) {
	path := geoPackageFile(t, append(layerOf("a", "4326"),
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO a SELECT i, `+pointBlob+
			`, 'name ' || i, i, NULL, NULL FROM n`)...)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0.01, 0.3, 0.6, 0.95} {
		if err := os.WriteFile(path, whole[:int(float64(len(whole))*share)], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := all(t, path, Options{}); !errors.Is(err, source.ErrBadFile) {
			t.Errorf("%.0f %% of it: %v", 100*share, err)
		}
	}
}
