package vector

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// TestMemoryIsBounded reads files of each format that claim or have more than the limits.
func TestMemoryIsBounded(t *testing.T) {
	limits := source.Limits{FeatureBytes: 2 << 20}
	large := make([]byte, 3<<20)
	copy(large, nullShape)
	truncated := shpFile(nullShape)
	truncated[24+3], truncated[shpHeader+4] = 0xff, 0x7f // lengths in the headers of the file and of its record
	manyRows := dbfFile(0, nameColumn("a"))
	manyRows[4], manyRows[5], manyRows[6], manyRows[7] = 0xff, 0xff, 0xff, 0x7f
	endless := append(layerOf("t", "4326"),
		`DROP TABLE t`,
		`CREATE VIEW t AS WITH RECURSIVE n(fid) AS (SELECT 1 UNION ALL SELECT fid + 1 FROM n) SELECT fid, NULL AS geom, 'x' AS name FROM n`)
	for name, tt := range map[string]struct{ path, says string }{
		"shapefile: record": {folder(t, "a.shp", shpFile(nullShape, large), "a.dbf", dbfFile(0, nameColumn("a", "b"))),
			"record 2 of the .shp has more than 2097152 bytes, which limits: {feature_bytes: …}"},
		"shapefile: length": {folder(t, "a.shp", truncated, "a.dbf", dbfFile(0, nameColumn("a"))), "the .shp is truncated"},
		"shapefile: rows":   {folder(t, "a.shp", shpFile(nullShape), "a.dbf", manyRows), "the .dbf is truncated: it has"},
		"GeoJSON": {folder(t, "a.geojson",
			`{"type":"FeatureCollection","features":[{"id":"`+strings.Repeat("x", 3<<20)+`"}]}`), "feature 1 has more than 2097152 bytes"},
		"GeoPackage: text": {geoPackageFile(t, append(layerOf("t", "4326"), `INSERT INTO t VALUES (1, NULL, 'a', NULL, NULL, NULL)`,
			fmt.Sprintf(`INSERT INTO t VALUES (2, NULL, hex(zeroblob(%d)), NULL, NULL, NULL)`, 2<<20))...),
			"a value of row 2 has more than 2097152 bytes"},
		"GeoPackage: geometry": {geoPackageFile(t,
			append(layerOf("t", "4326"), fmt.Sprintf(`INSERT INTO t VALUES (1, zeroblob(%d), 'a', NULL, NULL, NULL)`, 3<<20))...),
			"a value of row 1 has more than 2097152 bytes"},
		"GeoPackage: view, no end": {geoPackageFile(t, endless...), "rows, the number of bytes of the file"},
		"zip: a member of blanks":  {folder(t, "a.zip", archive(t, "a.shp", shpFile(nullShape), "a.dbf", make([]byte, 40<<20))), "a.dbf, of"},
		"zip: a member of no format": {folder(t, "a.zip", archive(t, "a.shp", shpFile(nullShape), "a.dbf", dbfFile(0, nameColumn("a")), "a.txt",
			make([]byte, 40<<20))), "a.txt, of"},
	} {
		t.Run(name, func(t *testing.T) {
			info, err := os.Stat(tt.path)
			if err != nil {
				t.Fatal(err)
			}
			used := testenv.Allocated(func() {
				var layer *Layer
				if layer, err = Open(t.Context(), tt.path, Options{Limits: limits}); err != nil {
					return
				}
				defer layer.Close()
				for err == nil {
					_, err = layer.Next()
				}
			})
			if err == io.EOF || !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
			if used > 32<<20 {
				t.Errorf("%d MB were allocated for %d bytes", used>>20, info.Size())
			}
		})
	}
}
