package elevation

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/fixtures/heightfile"
	"quartier/ingest/formats/geogrid"
	"quartier/ingest/formats/tiff"
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
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "Portland", Path: portland, Read: 4,
			Rows: map[string]string{
				"SELECT tile, round(west, 6), round(north, 6), round(step_lng * 10800, 6), columns, rows, octet_length(cells) FROM elevation_tile " +
					"ORDER BY tile": "0|-122.709954|45.549954|1|432|324|559872\n1|-122.669954|45.549954|1|432|324|559872\n" +
					"2|-122.709954|45.519954|1|432|324|559872\n3|-122.669954|45.519954|1|432|324|559872",
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

func stageFile(t *testing.T, name string, data []byte, options string) (*sourcetest.Record, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := &sourcetest.Record{}
	return r, Kind.Stage(t.Context(), source.Input{Source: "test", Path: path, Options: sourcetest.Options(t, options)}, r)
}

// geoTIFF writes heights row by row from -122.5, 45.5, with cells of a hundredth of a degree and nodata -9999.
func geoTIFF(t testing.TB, columns, rows int, heights ...float64) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "written.tif")
	g := heightfile.Grid{West: -122.5, North: 45.5, Step: 0.01, Columns: columns, Rows: rows}
	height := func(p orb.Point) (float64, bool) {
		column, row := int((p[0]-g.West)/g.Step), int((g.North-p[1])/g.Step)
		h := heights[row*columns+column]
		return h, h != -9999
	}
	if err := heightfile.WriteGeoTIFF(path, g, height, -9999); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTiles(t *testing.T) {
	heights := make([]float64, 1100*600)
	for i := range heights {
		heights[i] = float64(i * 7 % 251)
		if i%1100 >= 733 && i/1100 >= 300 { // the tile in the south-east
			heights[i] = -9999
		}
	}
	heights[0], heights[1], heights[1099] = 9001, -501, 40_000
	r, err := stageFile(t, "a.tif", geoTIFF(t, 1100, 600, heights...), "")
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
		if tile.Columns > geogrid.MaxSide || tile.Rows > geogrid.MaxSide || len(tile.Cells) != tile.Columns*tile.Rows {
			t.Errorf("tile %d of %d by %d", i, tile.Columns, tile.Rows)
		}
		for j, v := range tile.Cells {
			want := heights[(row+j/tile.Columns)*1100+column+j%tile.Columns]
			if want < minHeight || want > maxHeight {
				want = math.NaN()
			}
			if float64(v) != want && !(math.IsNaN(want) && v != v) {
				t.Fatalf("tile %d, cell %d: %v, want %v", i, j, v, want)
			}
		}
	}
}

func TestStageRefuses(t *testing.T) {
	empty := geoTIFF(t, 3, 2, -9999, -9999, -9999, -9999, -9999, -9999)
	good := geoTIFF(t, 3, 2, 1, 2, 3, 4, 5, 6)
	sunk := geoTIFF(t, 3, 2, -600, -600, 9001, -600, -9999, -600)
	for _, test := range []struct {
		name, options, want string
		data                []byte
	}{
		{"a.tif", "", "no known heights", empty},
		{"a.tif", "", "all heights are below -500 m or above 9000 m: is nodata or unit wrong?", sunk},
		{"a.tif", "bbox: [10, 10, 11, 11]", "no heights are inside bbox", good},
		{"a.tif", "", "not a TIFF", []byte("this is text, and long enough")},
		{"a.hgt", "", "not named by its", make([]byte, 2*1201*1201)},
		{"N48W125.hgt", "", "neither 1201² nor 3601²", make([]byte, 100)},
		{"N48W125.asc", "", "extension", make([]byte, 100)},
	} {
		if _, err := stageFile(t, test.name, test.data, test.options); !errors.Is(err, source.ErrBadFile) ||
			!strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.name) {
			t.Errorf("%s %s: %v, want %q", test.name, test.options, err, test.want)
		}
	}
	if _, err := stageFile(t, "a.tif", good, "unit: fathoms"); !errors.Is(err, source.ErrBadOptions) {
		t.Errorf("unit: %v", err)
	}
	r, err := stageFile(t, "a.tif", good, "unit: ft")
	if err != nil || math.Abs(float64(r.Tiles[0].Cells[5])-6*0.3048) > 1e-6 {
		t.Errorf("feet: %+v, %v", r.Tiles, err)
	}
}

func TestNAD27IsReadAsWGS84(t *testing.T) {
	data := geoTIFF(t, 3, 2, 1, 2, 3, 4, 5, 6)
	key := binary.LittleEndian.AppendUint16([]byte{0x00, 0x08, 0, 0, 1, 0}, 4326) // GeographicType
	if !bytes.Contains(data, key) {
		t.Fatal("the file has no EPSG:4326")
	}
	data = bytes.Replace(data, key, binary.LittleEndian.AppendUint16(key[:6:6], tiff.NAD27), 1)
	r, err := stageFile(t, "a.tif", data, "")
	if err != nil || len(r.Tiles) != 1 || fmt.Sprint(r.Issues) != "[assumed_wgs84 @ a.tif]" {
		t.Errorf("%v %v", r.Issues, err)
	}
}

func TestHGT(t *testing.T) {
	const side = 1201
	data := make([]byte, 0, 2*side*side)
	for i := range side * side {
		v := int16(i % 1000)
		if i == 7 {
			v = hgtNoData
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
	for name, want := range map[string]string{"N48W125.hgt": "-125 48 true", "S34E151": "151 -34 true", "n00w001.hgt.zip": "-1 0 true",
		"N48W1250.hgt": "0 0 false", "N91W001.hgt": "-1 91 false"} {
		west, south, ok := corner(name)
		if got := fmt.Sprint(west, south, ok); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
