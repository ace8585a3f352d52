package tiff

import (
	"bytes"
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

	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// readAll reads all cells of a file.
func readAll(data []byte, nodata *float64) (*Raster, []float32, error) {
	d, err := readDirectory(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	g, err := newRaster(d, Options{NoData: nodata})
	if err != nil {
		return nil, nil, err
	}
	cells := make([]float32, g.Columns*g.Rows)
	return g, cells, g.image.window(0, 0, g.Columns, g.Rows, cells)
}

// terrain returns integers from 0 to 250 that compress well in some rows and badly in others.
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
							_, got, err := readAll(w.write(t), nil)
							if err != nil {
								t.Fatalf("%v, %+v, compression %d, predictor %d, blocks %+v, big %v: %v", order, c, compression, predictor, block, big, err)
							}
							for i, v := range got {
								if float64(v) != heights[i] {
									t.Fatalf("%v, %+v, compression %d, predictor %d, blocks %+v, big %v: cell %d is %v, want %v", order, c, compression, predictor,
										block, big, i, v, heights[i])
								}
							}
						}
					}
				}
			}
		}
	}
}

// Fractions and signs are kept where the type of the cells has them.
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
			_, got, err := readAll(w.write(t), nil)
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
		g, _, err := readAll(w.write(t), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.Abs(g.Cells[0]-test.west) > 1e-9 || math.Abs(g.Cells[3]-test.north) > 1e-9 || g.Cells[1] != 0.01 || g.Cells[5] != -0.01 ||
			g.Feet || !g.Degrees || !g.Cells.NorthUp() {
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
		_, got, err := readAll(w.write(t), test.option)
		if text := fmt.Sprint(got); err != nil || text != test.want {
			t.Errorf("%s: %s, %v, want %s", test.name, text, err, test.want)
		}
	}
	w := standard(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	w.blockColumns, w.blockRows, w.tiled, w.sparse = 2, 2, true, 2
	if _, got, err := readAll(w.write(t), nil); err != nil || fmt.Sprint(got) != "[1 2 NaN NaN 5 6 NaN NaN]" {
		t.Errorf("sparse: %v, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*tiffOf)
		want   string
	}{
		"a projection alone": {func(w *tiffOf) { w.keys = []uint64{keyProjected, 0, 1, userDefined} }, "has no code; set the option crs"},
		"a datum alone":      {func(w *tiffOf) { w.geographic = userDefined }, "set the option crs"},
		"metres": {func(w *tiffOf) { w.columns, w.blockColumns, w.heights = 40000, 40000, make([]float64, 80000) },
			"which are not degrees"},
		"JPEG":                {func(w *tiffOf) { w.compression = 7 }, "compression 7"},
		"predictor of floats": {func(w *tiffOf) { w.predictor, w.format = 3, formatSigned }, "predictor 3"},
		"half floats":         {func(w *tiffOf) { w.bits = 16 }, "16 bits in format 3"},
		"one row":             {func(w *tiffOf) { w.rows, w.blockRows = 1, 1 }, "grid has 2 by 1 cells"},
		"nodata of words":     {func(w *tiffOf) { w.nodata = "none" }, "nodata value"},
	} {
		w := standard(2, 2, []float64{1, 2, 3, 4})
		test.change(&w)
		if _, _, err := readAll(w.write(t), nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	w := standard(2, 2, []float64{1, 2, 3, 4})
	w.geographic = 4267
	if g, _, err := readAll(w.write(t), nil); err != nil || g.EPSG != NAD27 {
		t.Errorf("NAD27: %+v, %v", g, err)
	}
	w.geographic = 4230
	if g, _, err := readAll(w.write(t), nil); err != nil || g.CRS != "EPSG:4230" || g.Degrees {
		t.Errorf("another datum: %+v, %v", g, err)
	}
	w.geographic, w.keys = 4269, []uint64{keyProjected, 0, 1, 26910}
	if g, _, err := readAll(w.write(t), nil); err != nil || g.CRS != "EPSG:26910" || g.Degrees {
		t.Errorf("projected: %+v, %v", g, err)
	}
	w.geographic, w.keys = 4269, []uint64{keyVerticalUnit, 0, 1, footUS}
	if g, _, err := readAll(w.write(t), nil); err != nil || !g.Feet {
		t.Errorf("feet: %+v, %v", g, err)
	}
}

func TestAffine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := func(name string) float64 { return rapid.Float64Range(-1000, 1000).Draw(rt, name) }
		a := Affine{n("x"), n("xc"), n("xr"), n("y"), n("yc"), n("yr")}
		if det := a[1]*a[5] - a[2]*a[4]; math.Abs(det) < 1 {
			rt.Skip("almost flat")
		}
		column, row := n("column"), n("row")
		c, r := a.Inverse(a.At(column, row))
		if math.Abs(c-column) > 1e-3 || math.Abs(r-row) > 1e-3 {
			rt.Fatalf("%v: %v, %v became %v, %v", a, column, row, c, r)
		}
	})
}

// The real file and GDAL's conversions of it have the same values.
func TestAgreesWithGDAL(t *testing.T) {
	testenv.NeedProgram(t, "gdal_translate")
	portland := testenv.NeedData(t, "us-portland/elevation/portland-ned.tif")
	data, err := os.ReadFile(portland)
	if err != nil {
		t.Fatal(err)
	}
	_, want, err := readAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	// GDAL 3.6 cannot read its own floats of predictor 3 in big-endian files.
	for _, options := range []string{
		"COMPRESS=LZW PREDICTOR=3 TILED=YES", "COMPRESS=LZW PREDICTOR=2", "COMPRESS=LZW", "COMPRESS=DEFLATE PREDICTOR=3 BIGTIFF=YES",
		"COMPRESS=PACKBITS TILED=YES ENDIANNESS=BIG",
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
		g, got, err := readAll(data, nil)
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
		if text := strconv.FormatFloat(g.Cells[0], 'f', 6, 64); text != "-122.709954" {
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
		g, err := newRaster(d, Options{})
		if err != nil {
			return
		}
		columns, rows := min(g.Columns, 64), min(g.Rows, 64)
		cells := make([]float32, columns*rows)
		_ = g.image.window(g.Columns-columns, g.Rows-rows, columns, rows, cells)
	})
}

// FuzzLZW decodes any bytes, and encodes and decodes them.
func FuzzLZW(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaabababab"))
	f.Add(bytes.Repeat([]byte{0, 1, 2, 3, 255}, 600))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := decodeLZW(data, 1<<16); err == nil && len(got) > 1<<16 {
			t.Fatalf("%d bytes", len(got))
		}
		if len(data) == 0 {
			return
		}
		got, err := decodeLZW(packLZW(data), len(data))
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(data), err)
		}
	})
}

// TestLimits writes larger numbers into the directory of a small file: it is refused before anything of that size is kept.
func TestLimits(t *testing.T) {
	little := binary.LittleEndian
	short := func(tag, value uint16) []byte {
		return little.AppendUint16(little.AppendUint32(little.AppendUint16(little.AppendUint16(nil, tag), 3), 1), value)
	}
	long := func(tag uint16, value uint32) []byte {
		return little.AppendUint32(little.AppendUint32(little.AppendUint16(little.AppendUint16(nil, tag), 4), 1), value)
	}
	for name, test := range map[string]struct {
		tiled bool
		edits [][2][]byte
		want  string
	}{
		"rows": {false, [][2][]byte{{long(tagRows, 16), long(tagRows, source.MaxRasterSide+1)}},
			"its grid of 16 by 262145 has more than 262144 cells along a side"},
		"tiles": {true, [][2][]byte{{short(tagTileColumns, 16), short(tagTileColumns, 60000)},
			{short(tagTileRows, 16), short(tagTileRows, 60000)}}, "a block of 60000 by 60000 cells has more than 268435456 bytes"},
	} {
		w := standard(16, 16, make([]float64, 256))
		w.tiled = test.tiled
		data := w.write(t)
		for _, edit := range test.edits {
			if bytes.Count(data, edit[0]) != 1 {
				t.Fatalf("%s: the directory has %x %d times", name, edit[0], bytes.Count(data, edit[0]))
			}
			data = bytes.Replace(data, edit[0], edit[1], 1)
		}
		if _, _, err := readAll(data, nil); !errors.Is(err, source.ErrTooLarge) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
