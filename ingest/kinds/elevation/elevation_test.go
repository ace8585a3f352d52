package elevation

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

var (
	portland = testenv.Data("us-portland/elevation/portland-ned.tif")
	radar    = testenv.Data("formats/N48W125.hgt.zip")
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind{},
		sourcetest.Case{
			Name: "Portland", Path: portland, Read: 4,
			Rows: map[string]string{
				"SELECT tile, round(west, 6), round(north, 6), round(step_lng * 10800, 6), columns, rows, octet_length(cells) FROM elevation_tile ORDER BY tile": "0|-122.709954|45.549954|1|432|324|559872\n1|-122.669954|45.549954|1|432|324|559872\n2|-122.709954|45.519954|1|432|324|559872\n3|-122.669954|45.519954|1|432|324|559872",
			},
			Check: func(t *testing.T, db *duck.DB) {
				// read once with gdallocationinfo at the centres of cells
				for _, spot := range portlandHeights {
					if got := heightAt(t, db, spot.lng, spot.lat); math.Abs(got-spot.metres) > 1e-4 {
						t.Errorf("%v, %v is at %v m, want %v", spot.lng, spot.lat, got, spot.metres)
					}
				}
			},
		},
		sourcetest.Case{
			Name: "Olympic Peninsula by radar", Path: radar, Options: "bbox: [-124.26, 48, -123.99, 48.31]",
			Check: func(t *testing.T, db *duck.DB) {
				for _, spot := range radarHeights {
					if got := heightAt(t, db, spot.lng, spot.lat); got != spot.metres {
						t.Errorf("%v, %v is at %v m, want %v", spot.lng, spot.lat, got, spot.metres)
					}
				}
			},
			Read:   64,
			Issues: map[string]int64{"outside_bbox": 55},
		},
	)
}

var portlandHeights = []struct{ lng, lat, metres float64 }{
	{-122.7099537, 45.5499537, 11.4067611694336},
	{-122.7080093, 45.4999537, 293.624664306641},
	{-122.6999537, 45.5149537, 94.6806030273438},
	{-122.7059722, 45.5089352, 193.820053100586},
	{-122.6744907, 45.5188426, 11.1546192169189},
	{-122.6399537, 45.5399537, 51.3108825683594},
	{-122.6499537, 45.4949537, 17.616828918457},
	{-122.6300463, 45.4900463, 45.4582290649414},
}
var radarHeights = []struct{ lng, lat, metres float64 }{
	{-124.1666667, 48.1666667, 82},
	{-124.2000000, 48.1300000, 309},
	{-124.0002778, 48.0555556, 390},
	{-124.0741667, 48.3055556, 0},
	{-124.2497222, 48.1944444, 195},
}

// heightAt is the height of the cell whose centre is nearest.
func heightAt(t *testing.T, db *duck.DB, lng, lat float64) float64 {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT west, north, step_lng, step_lat, columns, rows, cells FROM elevation_tile")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := math.NaN()
	for rows.Next() {
		var west, north, stepLng, stepLat float64
		var columns, high int
		var cells []byte
		if err := rows.Scan(&west, &north, &stepLng, &stepLat, &columns, &high, &cells); err != nil {
			t.Fatal(err)
		}
		column, row := int(math.Round((lng-west)/stepLng)), int(math.Round((north-lat)/stepLat))
		if column >= 0 && column < columns && row >= 0 && row < high {
			found = float64(math.Float32frombits(binary.LittleEndian.Uint32(cells[4*(row*columns+column):])))
		}
	}
	return found
}

// whole reads all cells of a file.
func whole(data []byte, nodata *float64) (*grid, []float32, error) {
	d, err := readDirectory(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	g, err := newGrid(d, "test.tif", nodata)
	if err != nil {
		return nil, nil, err
	}
	cells := make([]float32, g.columns*g.rows)
	return g, cells, g.window(0, 0, g.columns, g.rows, cells)
}

// terrain is heights that pack well here and badly there, whole numbers from 0 to 250.
func terrain(columns, rows int) []float64 {
	random := rand.New(rand.NewPCG(1, 2))
	heights := make([]float64, columns*rows)
	for i := range heights {
		switch row := i / columns; {
		case row%3 == 0:
			heights[i] = float64(row % 200)
		case row%3 == 1:
			heights[i] = float64(i % columns % 250)
		default:
			heights[i] = float64(random.IntN(251))
		}
	}
	return heights
}

func TestEveryLayout(t *testing.T) {
	const columns, rows = 110, 60
	heights := terrain(columns, rows)
	type cell struct{ bits, format uint64 }
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, c := range []cell{{8, 1}, {16, 1}, {16, 2}, {32, 1}, {32, 2}, {32, 3}, {64, 3}} {
			for _, compression := range []uint64{1, 5, 8, 32946, 32773, 50000} {
				for predictor := uint64(1); predictor <= 3; predictor++ {
					for _, block := range []struct {
						columns, rows int
						tiled         bool
					}{{columns, rows, false}, {columns, 7, false}, {64, 48, true}} {
						if predictor == 3 && c.format != formatFloat {
							continue
						}
						for _, big := range []bool{false, true}[:1+compression%2] { // both heads with two of the codecs
							w := standard(columns, rows, heights)
							w.order, w.bits, w.format, w.compression, w.predictor, w.big = order, c.bits, c.format, compression, predictor, big
							w.blockColumns, w.blockRows, w.tiled = block.columns, block.rows, block.tiled
							_, got, err := whole(w.write(t), nil)
							if err != nil {
								t.Fatalf("%v, %+v, compression %d, predictor %d, blocks %+v, big %v: %v", order, c, compression, predictor, block, big, err)
							}
							for i, v := range got {
								if float64(v) != heights[i] {
									t.Fatalf("%v, %+v, compression %d, predictor %d, blocks %+v, big %v: cell %d is %v, want %v", order, c, compression, predictor, block, big, i, v, heights[i])
								}
							}
						}
					}
				}
			}
		}
	}
}

// Fractions and signs survive where the cells have them.
func TestValues(t *testing.T) {
	heights := []float64{-12.5, 8848.25, 0.125, 1e-3}
	for _, test := range []struct {
		bits, format uint64
		want         []float64
	}{
		{32, formatFloat, []float64{-12.5, 8848.25, 0.125, float64(float32(1e-3))}},
		{64, formatFloat, []float64{-12.5, 8848.25, 0.125, float64(float32(1e-3))}},
		{16, formatSigned, []float64{-12, 8848, 0, 0}},
		{32, formatSigned, []float64{-12, 8848, 0, 0}},
		{16, formatUnsigned, []float64{65524, 8848, 0, 0}},
	} {
		for predictor := uint64(1); predictor <= 3; predictor++ {
			if predictor == 3 && test.format != formatFloat {
				continue
			}
			w := standard(2, 2, heights)
			w.bits, w.format, w.predictor = test.bits, test.format, predictor
			_, got, err := whole(w.write(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range test.want {
				if float64(got[i]) != want {
					t.Errorf("%d bits, format %d, predictor %d: %v, want %v", test.bits, test.format, predictor, got, test.want)
				}
			}
		}
	}
}

func TestPlace(t *testing.T) {
	heights := []float64{1, 2, 3, 4, 5, 6}
	for name, test := range map[string]struct {
		change      func(*tiffOf)
		west, north float64
	}{
		"areas":             {func(*tiffOf) {}, -122.495, 45.495},
		"points":            {func(w *tiffOf) { w.isPoint = true }, -122.5, 45.5},
		"matrix":            {func(w *tiffOf) { w.matrix = true }, -122.495, 45.495},
		"matrix and points": {func(w *tiffOf) { w.matrix, w.isPoint = true, true }, -122.5, 45.5},
	} {
		w := standard(3, 2, heights)
		test.change(&w)
		g, _, err := whole(w.write(t), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(g.west-test.west) > 1e-9 || math.Abs(g.north-test.north) > 1e-9 || g.stepLng != 0.01 || g.stepLat != 0.01 || g.unit != 1 {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

func TestUnknownHeights(t *testing.T) {
	for _, test := range []struct {
		name, nodata string
		option       *float64
		heights      []float64
		want         string
	}{
		{"none", "", nil, []float64{1, -9999, 3, 4}, "[1 -9999 3 4]"},
		{"of the file", "-9999", nil, []float64{1, -9999, 3, 4}, "[1 NaN 3 4]"},
		{"of the options", "-9999", new(3.0), []float64{1, -9999, 3, 4}, "[1 -9999 NaN 4]"},
		{"not a number", "nan", nil, []float64{1, math.NaN(), 3, 4}, "[1 NaN 3 4]"},
		{"the lowest float, rounded", "-3.40282346638529e+38", nil, []float64{1, -math.MaxFloat32, 3, 4}, "[1 NaN 3 4]"},
	} {
		w := standard(2, 2, test.heights)
		w.nodata = test.nodata
		_, got, err := whole(w.write(t), test.option)
		if text := fmt.Sprint(got); err != nil || text != test.want {
			t.Errorf("%s: %s, %v, want %s", test.name, text, err, test.want)
		}
	}
	w := standard(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	w.blockColumns, w.blockRows, w.tiled, w.sparse = 2, 2, true, 2
	if _, got, err := whole(w.write(t), nil); err != nil || fmt.Sprint(got) != "[1 2 NaN NaN 5 6 NaN NaN]" {
		t.Errorf("sparse: %v, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*tiffOf)
		want   string
	}{
		"projected":           {func(w *tiffOf) { w.keys = []uint64{keyProjected, 0, 1, 26910} }, "gdalwarp -t_srs EPSG:4326 -r bilinear test.tif"},
		"another datum":       {func(w *tiffOf) { w.geographic = 4230 }, "EPSG:4230"},
		"JPEG":                {func(w *tiffOf) { w.compression = 7 }, "compression 7"},
		"predictor of floats": {func(w *tiffOf) { w.predictor, w.format = 3, formatSigned }, "predictor 3"},
		"half floats":         {func(w *tiffOf) { w.bits = 16 }, "16 bits in format 3"},
		"one row":             {func(w *tiffOf) { w.rows, w.blockRows = 1, 1 }, "grid of 2 by 1"},
		"nodata of words":     {func(w *tiffOf) { w.nodata = "none" }, "nodata value"},
	} {
		w := standard(2, 2, []float64{1, 2, 3, 4})
		test.change(&w)
		if _, _, err := whole(w.write(t), nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	w := standard(2, 2, []float64{1, 2, 3, 4})
	w.geographic = 4267
	if g, _, err := whole(w.write(t), nil); err != nil || g.assumed != assumedWGS84 {
		t.Errorf("NAD27: %+v, %v", g, err)
	}
	w.geographic, w.keys = 4269, []uint64{keyVerticalUnit, 0, 1, footUS}
	if g, _, err := whole(w.write(t), nil); err != nil || g.unit != metresInAFoot {
		t.Errorf("feet: %+v, %v", g, err)
	}
}

func stageFile(t *testing.T, name string, data []byte, options string) (*sourcetest.Record, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := &sourcetest.Record{}
	return r, Kind{}.Stage(t.Context(), source.Input{Source: "test", Path: path, Options: sourcetest.Options(t, options)}, r)
}

func TestTiles(t *testing.T) {
	w := standard(1100, 600, terrain(1100, 600))
	w.blockRows, w.compression = 16, 8
	w.heights[0], w.heights[1], w.heights[1099] = 9001, -501, 40_000
	for i := range w.heights { // the tile in the south-east
		if i%1100 >= 733 && i/1100 >= 300 {
			w.heights[i] = -9999
		}
	}
	w.nodata = "-9999"
	r, err := stageFile(t, "a.tif", w.write(t), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tiles) != 5 || r.Count != 6 {
		t.Fatalf("%d tiles of %d", len(r.Tiles), r.Count)
	}
	if got, want := fmt.Sprint(r.Reasons()), "map[empty_tile:1 implausible_heights_removed:2]"; got != want {
		t.Errorf("issues %s, want %s", got, want)
	}
	for i, tile := range r.Tiles {
		column, row := int(math.Round((tile.West+122.495)/0.01)), int(math.Round((45.495-tile.North)/0.01))
		if tile.Columns > most || tile.Rows > most || len(tile.Cells) != tile.Columns*tile.Rows {
			t.Errorf("tile %d of %d by %d", i, tile.Columns, tile.Rows)
		}
		for j, v := range tile.Cells {
			want := w.heights[(row+j/tile.Columns)*1100+column+j%tile.Columns]
			if want < lowest || want > highest {
				want = math.NaN()
			}
			if float64(v) != want && !(math.IsNaN(want) && v != v) {
				t.Fatalf("tile %d, cell %d: %v, want %v", i, j, v, want)
			}
		}
	}
}

func TestStageRefuses(t *testing.T) {
	empty := standard(3, 2, []float64{-1, -1, -1, -1, -1, -1})
	empty.nodata = "-1"
	good := standard(3, 2, []float64{1, 2, 3, 4, 5, 6})
	sunk := standard(3, 2, []float64{-600, -600, 9001, -600, -1, -600})
	sunk.nodata = "-1"
	for _, test := range []struct {
		name, options, want string
		data                []byte
	}{
		{"a.tif", "", "no height is known", empty.write(t)},
		{"a.tif", "", "all heights are below -500 m or above 9000 m: wrong nodata or unit?", sunk.write(t)},
		{"a.tif", "bbox: [10, 10, 11, 11]", "bbox leaves none", good.write(t)},
		{"a.tif", "", "not a TIFF", []byte("this is text, and long enough")},
		{"a.hgt", "", "not named by its", make([]byte, 2*1201*1201)},
		{"N48W125.hgt", "", "neither 1201² nor 3601²", make([]byte, 100)},
		{"N48W125.asc", "", "extension", make([]byte, 100)},
	} {
		if _, err := stageFile(t, test.name, test.data, test.options); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.name) {
			t.Errorf("%s %s: %v, want %q", test.name, test.options, err, test.want)
		}
	}
	if _, err := stageFile(t, "a.tif", good.write(t), "unit: fathoms"); !errors.Is(err, source.ErrBadOptions) {
		t.Errorf("unit: %v", err)
	}
	r, err := stageFile(t, "a.tif", good.write(t), "unit: ft")
	if err != nil || math.Abs(float64(r.Tiles[0].Cells[5])-6*0.3048) > 1e-6 {
		t.Errorf("feet: %+v, %v", r.Tiles, err)
	}
}

func TestHGT(t *testing.T) {
	const side = 1201
	data := make([]byte, 0, 2*side*side)
	for i := range side * side {
		v := int16(i % 1000)
		if i == 7 {
			v = hgtVoid
		}
		data = binary.BigEndian.AppendUint16(data, uint16(v))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(data)
	z.Close()
	for name, content := range map[string][]byte{"N48W125.hgt": data, "s02e010.SRTMGL3.hgt.gz": packed.Bytes()} {
		r, err := stageFile(t, name, content, "")
		if err != nil {
			t.Fatal(err)
		}
		west, north := -125.0, 49.0
		if name[0] == 's' {
			west, north = 10, -1
		}
		first, last := r.Tiles[0], r.Tiles[len(r.Tiles)-1]
		if len(r.Tiles) != 9 || first.West != west || first.North != north || first.Cells[6] != 6 || first.Cells[7] == first.Cells[7] {
			t.Errorf("%s: %d tiles, the first at %v, %v: %v", name, len(r.Tiles), first.West, first.North, first.Cells[:9])
		}
		east, south := last.West+float64(last.Columns-1)*last.StepLng, last.North-float64(last.Rows-1)*last.StepLat
		if math.Abs(east-west-1) > 1e-9 || math.Abs(north-1-south) > 1e-9 || last.Cells[len(last.Cells)-1] != float32((side*side-1)%1000) {
			t.Errorf("%s ends at %v, %v", name, east, south)
		}
	}
	for name, want := range map[string]string{"N48W125.hgt": "-125 48 true", "S34E151": "151 -34 true", "n00w001.hgt.zip": "-1 0 true", "N48W1250.hgt": "0 0 false", "N91W001.hgt": "-1 91 false"} {
		west, south, ok := corner(name)
		if got := fmt.Sprint(west, south, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The real file and GDAL's rewritings of it read the same, where GDAL is there.
func TestAgreesWithGDAL(t *testing.T) {
	testenv.NeedProgram(t, "gdal_translate")
	testenv.SkipWithoutData(t, portland)
	data, err := os.ReadFile(portland)
	if err != nil {
		t.Fatal(err)
	}
	_, want, err := whole(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	// GDAL 3.6 cannot read its own floats of predictor 3 in big-endian files.
	for _, options := range []string{
		"COMPRESS=LZW PREDICTOR=3 TILED=YES", "COMPRESS=LZW PREDICTOR=2", "COMPRESS=LZW", "COMPRESS=DEFLATE PREDICTOR=3 BIGTIFF=YES", "COMPRESS=PACKBITS TILED=YES ENDIANNESS=BIG",
		"COMPRESS=ZSTD PREDICTOR=3", "COMPRESS=DEFLATE PREDICTOR=2 ENDIANNESS=BIG BLOCKYSIZE=17",
	} {
		path := filepath.Join(t.TempDir(), "a.tif")
		arguments := []string{"-q", portland, path}
		for option := range strings.FieldsSeq(options) {
			arguments = append(arguments, "-co", option)
		}
		if text, err := exec.CommandContext(t.Context(), "gdal_translate", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", options, err, text)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		g, got, err := whole(data, nil)
		if err != nil {
			t.Errorf("%s: %v", options, err)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: cell %d is %v, want %v", options, i, got[i], want[i])
				break
			}
		}
		if text := strconv.FormatFloat(g.west, 'f', 6, 64); text != "-122.709954" {
			t.Errorf("%s: west %s", options, text)
		}
	}
}

func FuzzGeoTIFF(f *testing.F) {
	for _, compression := range []uint64{1, 5, 8, 32773} {
		w := standard(5, 4, terrain(5, 4))
		w.compression, w.predictor, w.nodata = compression, 3, "-9999"
		w.metadata = scaled
		f.Add(w.write(f))
		w.big, w.order, w.tiled, w.blockColumns, w.blockRows = true, binary.BigEndian, true, 16, 16
		f.Add(w.write(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := readDirectory(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		g, err := newGrid(d, "fuzz.tif", nil)
		if err != nil {
			return
		}
		columns, rows := min(g.columns, 64), min(g.rows, 64)
		cells := make([]float32, columns*rows)
		_ = g.window(g.columns-columns, g.rows-rows, columns, rows, cells)
	})
}

// FuzzLZW unpacks any bytes, and what was packed comes out again.
func FuzzLZW(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaabababab"))
	f.Add(bytes.Repeat([]byte{0, 1, 2, 3, 255}, 600))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := unpackLZW(data, 1<<16); err == nil && len(got) > 1<<16+lzwCodes {
			t.Fatalf("%d bytes", len(got))
		}
		if len(data) == 0 {
			return
		}
		got, err := unpackLZW(packLZW(data), len(data))
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(data), err)
		}
	})
}
