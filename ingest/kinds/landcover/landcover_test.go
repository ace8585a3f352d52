package landcover

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/fixtures/heightfile"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
)

// raster writes codes row by row from -122.5, 45.5, with cells of a hundredth of a degree and nodata 255.
func raster(t testing.TB, columns int, codes ...float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cover.tif")
	g := heightfile.Grid{West: -122.5, North: 45.5, Step: 0.01, Columns: columns, Rows: len(codes) / columns}
	code := func(p orb.Point) (float64, bool) {
		return codes[int((g.North-p[1])/g.Step)*columns+int((p[0]-g.West)/g.Step)], true
	}
	if err := heightfile.WriteGeoTIFF(path, g, code, 255); err != nil {
		t.Fatal(err)
	}
	return path
}

// histogram is the number of cells of each class number.
func histogram(t *testing.T, db *duck.DB) map[byte]int {
	t.Helper()
	rows, err := db.Query("SELECT cells FROM land_cover_tile")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	counts := map[byte]int{}
	for rows.Next() {
		var cells []byte
		if err := rows.Scan(&cells); err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			counts[c]++
		}
	}
	return counts
}

func TestConformance(t *testing.T) {
	spatialitetest.Need(t)
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "WorldCover", Path: raster(t, 3, 10, 30, 50, 80, 255, 95), Options: "legend: worldcover", Read: 1,
			Rows: map[string]string{
				"SELECT tile, round(west, 6), round(north, 6), columns, rows, hex(cells) FROM land_cover_tile": "0|-122.495|45.495|3|2|010309080004"},
		},
		sourcetest.Case{
			Name: "a legend of one's own", Path: raster(t, 2, 1, 2, 3, 4), Options: "classes: {1: tree, 2: built, 3: unknown, 4: water}",
			Rows: map[string]string{"SELECT hex(cells) FROM land_cover_tile": "01090008"},
		},
		sourcetest.Case{
			Name: "Zion in UTM", Path: testenv.Data("formats/raster/zion-nlcd2011-26912.tif"), Options: "legend: nlcd", Read: 9,
			Issues: map[string]int64{"cover_reprojected": 1},
			Check: func(t *testing.T, db *duck.DB) {
				counts := histogram(t, db)
				known := 0
				for class, n := range counts {
					if class != 0 {
						known += n
					}
				}
				for class, want := range map[byte]float64{1: zionTrees, 2: zionShrubs} {
					if got := float64(counts[class]) / float64(known); got < want-0.001 || got > want+0.001 {
						t.Errorf("class %d has %.4f of the known cells, want %.4f", class, got, want)
					}
				}
			},
		},
	)
}

// Shares of the codes 41 to 43 and of 52 in the 1,458,207 cells of the file, counted by gdalinfo -hist.
const (
	zionTrees  = 767_537.0 / 1_458_207
	zionShrubs = 545_771.0 / 1_458_207
)

func TestRefuses(t *testing.T) {
	recoded := testenv.NeedData(t, "formats/raster/zion-nlcd-recoded-26912.tif")
	spatialitetest.Need(t)
	for _, c := range []struct{ name, path, options, want string }{
		{"another legend", recoded, "legend: nlcd", "codes without a class: 1 ("},
		{"no legend", recoded, "{}", "legend: or classes: is missing; set one of them"},
		{"an unknown legend", recoded, "legend: corine", `"corine" is none of worldcover, nlcd`},
		{"an unknown class", recoded, "classes: {1: trees}", `"trees" is none of tree, shrub`},
		{"a code out of range", recoded, "classes: {300: tree}", "300 is not a code of 0 to 255"},
		{"elsewhere", raster(t, 2, 10, 10, 10, 10), "{legend: worldcover, bbox: [0, 0, 1, 1]}", "no cells are inside bbox"},
		{"unknown cells only", raster(t, 2, 255, 255, 255, 255), "legend: worldcover", "it has no cells of a known class"},
		{"heights", raster(t, 2, 10.5, 10, 900, -3), "legend: worldcover", "codes without a class: -3 (1 cells), 10.5 (1 cells), 900 (1 cells)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Kind.Stage(t.Context(), source.Input{Source: "cover", Path: c.path, Options: sourcetest.Options(t, c.options)},
				&sourcetest.Record{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestCheckFindsTheWrongLegend finds before the build what Stage would.
func TestCheckFindsTheWrongLegend(t *testing.T) {
	path := raster(t, 2, 1, 2, 3, 4)
	err := Kind.Check(t.Context(), source.Input{Source: "cover", Path: path, Options: sourcetest.Options(t, "legend: nlcd")})
	if want := fmt.Sprintf("%s: bad file: codes without a class: 1 (1 cells), 2 (1 cells), 3 (1 cells), 4 (1 cells); is the legend right? "+
		"Set the option classes", path); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Kind.Check(t.Context(), source.Input{Source: "cover", Path: path, Options: sourcetest.Options(t, "legend: nlcd")}); !errors.Is(
		err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
