package elevation

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"quartier/ingest/formats/geogrid"
	"quartier/ingest/formats/tiff"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
)

// whole reads a file and returns the heights of its entire grid.
func whole(t *testing.T, path, options string) (*geogrid.Grid, []float32) {
	t.Helper()
	o, err := optionsOf(t, options)
	if err != nil {
		t.Fatal(err)
	}
	g, err := open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	cells := make([]float32, g.Columns*g.Rows)
	if err := g.Window(0, 0, g.Columns, g.Rows, cells); err != nil {
		t.Fatal(err)
	}
	return g, cells
}

func optionsOf(t *testing.T, text string) (Options, error) {
	r, err := Kind.Settings(source.Input{Source: "test", Options: sourcetest.Options(t, text)})
	return r.Options, err
}

// gdalwarp runs the program of that name.
func gdalwarp(t *testing.T, arguments ...string) {
	t.Helper()
	if text, err := exec.CommandContext(t.Context(), "gdalwarp",
		append([]string{"-q", "-overwrite"}, arguments...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v %s", arguments, err, text)
	}
}

// TestReprojectedAsGDALDoes interpolates grids in many systems at the points at which gdalwarp does, exactly projected.
func TestReprojectedAsGDALDoes(t *testing.T) {
	spatialitetest.Need(t)
	testenv.NeedProgram(t, "gdalwarp")
	degrees := testenv.NeedData(t, "formats/raster/zion-srtm-4326.tif")
	utm := testenv.NeedData(t, "formats/raster/zion-srtm-32612.tif")
	south := testenv.NeedData(t, "formats/raster/mongon-32717.tif")
	for _, c := range []struct{ name, from, crs string }{
		{"UTM", utm, ""}, {"UTM of the south", south, ""},
		{"UTM, NAD83", degrees, "EPSG:26912"}, {"state plane in feet", degrees, "EPSG:3569"}, {"Canada Lambert", degrees, "EPSG:3979"},
		{"StatCan Lambert", degrees, "EPSG:3347"}, {"Albers", degrees, "EPSG:5070"}, {"Mercator", degrees, "EPSG:3857"},
		{"Lambert without code", degrees, "+proj=lcc +lat_1=38 +lat_2=41 +lat_0=37 +lon_0=-112 +x_0=500000 +y_0=20000 +datum=NAD83 +units=us-ft"},
		{"Mercator without code", degrees, "+proj=tmerc +lat_0=30 +lon_0=-112.5 +k=0.9997 +x_0=2000 +datum=WGS84"},
		{"Albers without code", degrees, "ESRI:102003"}, {"polar", degrees, "+proj=stere +lat_0=90 +lat_ts=60 +lon_0=-100 +datum=WGS84"},
		{"equal area", degrees, "+proj=laea +lat_0=45 +lon_0=-100 +datum=WGS84"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			from := c.from
			if c.crs != "" {
				from = filepath.Join(folder, "from.tif")
				gdalwarp(t, "-t_srs", c.crs, "-ot", "Float32", "-dstnodata", "-9999", c.from, from)
			}
			g, got := whole(t, from, "")
			half := [2]float64{g.StepLng / 2, g.StepLat / 2}
			to := filepath.Join(folder, "to.tif")
			gdalwarp(t, "-t_srs", "EPSG:4326", "-r", "bilinear", "-et", "0", "-wo", "XSCALE=1", "-wo", "YSCALE=1", "-ot", "Float32",
				"-dstnodata", "-9999",
				"-te", fmt.Sprint(g.West-half[0]), fmt.Sprint(g.North-float64(g.Rows)*g.StepLat+half[1]),
				fmt.Sprint(g.West+float64(g.Columns)*g.StepLng-half[0]), fmt.Sprint(g.North+half[1]),
				"-ts", fmt.Sprint(g.Columns), fmt.Sprint(g.Rows), from, to)
			_, want := whole(t, to, "")
			most := [2]float64{0.01, 0.5}
			if c.crs == "EPSG:3979" { // the two have other ideas of the metre between NAD83(CSRS) and WGS 84
				most = [2]float64{0.3, 3}
			}
			compareHeights(t, got, want, most)
		})
	}
}

// compareHeights compares what both know: all but a few cells at the edge of what is known. most are the largest median and
// 99th percentile of the difference, in metres.
func compareHeights(t *testing.T, got, want []float32, most [2]float64) {
	t.Helper()
	var both, one int
	var off []float64
	for i := range got {
		switch a, b := got[i], want[i]; {
		case a == a && b == b:
			both++
			off = append(off, math.Abs(float64(a-b)))
		case a == a || b == b:
			one++
		}
	}
	slices.Sort(off)
	if both < 10_000 || float64(one) > 0.005*float64(both) {
		t.Fatalf("%d cells known to both, %d to one", both, one)
	}
	at := func(share float64) float64 { return off[int(share*float64(len(off)-1))] }
	t.Logf("%d cells, %d known to one; difference: median %.4f, 99 %% %.4f, 99.9 %% %.3f, largest %.1f m", both, one, at(0.5), at(0.99),
		at(0.999), at(1))
	if at(0.5) > most[0] || at(0.99) > most[1] {
		t.Errorf("half of the cells are over %v m off, one of a hundred over %v", at(0.5), at(0.99))
	}
}

// TestZion compares the ground of Zion in UTM with that in degrees, and one published height.
func TestZion(t *testing.T) {
	spatialitetest.Need(t)
	g, got := whole(t, testenv.NeedData(t, "formats/raster/zion-srtm-32612.tif"), "")
	d, degrees := whole(t, testenv.NeedData(t, "formats/raster/zion-srtm-4326.tif"), "")
	at := func(g *geogrid.Grid, cells []float32, lng, lat float64) float64 {
		return float64(cells[int(math.Round((g.North-lat)/g.StepLat))*g.Columns+int(math.Round((lng-g.West)/g.StepLng))])
	}
	if a, b := at(g, got, -112.951, 37.2), at(d, degrees, -112.951, 37.2); math.Abs(a-1821) > 3 || b != 1821 {
		t.Errorf("%v and %v m", a, b)
	}
	var sum, square float64
	n := 0
	for row := range d.Rows {
		for column := range d.Columns {
			lng, lat := d.West+float64(column)*d.StepLng, d.North-float64(row)*d.StepLat
			x, y := int(math.Round((lng-g.West)/g.StepLng)), int(math.Round((g.North-lat)/g.StepLat))
			if x < 0 || y < 0 || x >= g.Columns || y >= g.Rows {
				continue
			}
			if diff := float64(got[y*g.Columns+x] - degrees[row*d.Columns+column]); diff == diff {
				sum, square, n = sum+diff, square+diff*diff, n+1
			}
		}
	}
	mean := sum / float64(n)
	t.Logf("%d cells, mean difference %.2f m, root mean square %.1f m", n, mean, math.Sqrt(square/float64(n)))
	if n < 150_000 || math.Abs(mean) > 1 || math.Sqrt(square/float64(n)) > 30 { // half a cell of 83 m in a canyon
		t.Errorf("%d cells, mean difference %v m", n, mean)
	}
}

// TestReprojectedConformance stages a projected file as any.
func TestReprojectedConformance(t *testing.T) {
	spatialitetest.Need(t)
	out := &sourcetest.Record{}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: testenv.NeedData(t, "formats/raster/zion-srtm-32612.tif")}, out)
	if err != nil || len(out.Tiles) != 2 || fmt.Sprint(out.Issues) != "[grid_reprojected: EPSG:32612 @ zion-srtm-32612.tif]" {
		t.Errorf("%d tiles, %v, %v", len(out.Tiles), out.Issues, err)
	}
}

// TestBadReference gives each fault of a reference system, and what to do.
func TestBadReference(t *testing.T) {
	spatialitetest.Need(t)
	good := geoTIFF(t, 3, 2, 1, 2, 3, 4, 5, 6)
	for options, want := range map[string]string{
		"crs: EPSG:99999999": `a.tif: bad file: unknown coordinate reference system: "EPSG:99999999"; set the option crs`,
		"crs: nonsense":      `a.tif: bad file: unknown coordinate reference system: "nonsense"; set the option crs`,
	} {
		path := filepath.Join(t.TempDir(), "a.tif")
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := optionsOf(t, options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := open(path, o); err == nil || err.Error() != filepath.Dir(path)+"/"+want {
			t.Errorf("%s: %v", options, err)
		}
	}
}

// FuzzReference reads files with any keys, tie points and matrix.
func FuzzReference(f *testing.F) {
	data := geoTIFF(f, 3, 2, 1, 2, 3, 4, 5, 6)
	f.Add(data)
	f.Add(binary.LittleEndian.AppendUint16(data[:40], 7))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.tif")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := tiff.Open(path, tiff.Options{})
		if err != nil {
			return
		}
		defer r.Close()
		if c, w := r.Cells.Inverse(r.Cells.At(1, 1)); c != c || w != w {
			t.Errorf("%v has no inverse", r.Cells)
		}
	})
}
