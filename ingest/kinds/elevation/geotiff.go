package elevation

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Keys of a GeoTIFF, and their values.
const (
	keyModel        = 1024
	keyRaster       = 1025
	keyGeographic   = 2048
	keyProjected    = 3072
	keyVerticalUnit = 4099

	modelProjected  = 1
	modelGeographic = 2
	rasterIsPoint   = 2
	footIntl        = 9002
	footUS          = 9003
)

// geographic are the reference systems that are read, with what is assumed of them.
var geographic = map[uint64]reason.Reason{
	4326: {}, 4979: {}, // WGS 84
	4269: {}, 6318: {}, // NAD83
	4617: {}, 4140: {}, 4955: {}, // its Canadian realizations
	4267: assumedWGS84,
}

// openGeoTIFF opens a grid of heights in a TIFF file.
func openGeoTIFF(path string, nodata *float64) (*grid, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	g, err := readGeoTIFF(file, filepath.Base(path), nodata)
	if err != nil {
		file.Close()
		return nil, source.BadFile(path, "%v", err)
	}
	g.close = file.Close
	window := g.window
	g.window = func(column, row, columns, rows int, into []float32) error {
		if err := window(column, row, columns, rows, into); err != nil {
			return fmt.Errorf("%w: %w", source.ErrBadFile, err)
		}
		return nil
	}
	return g, nil
}

func readGeoTIFF(file *os.File, name string, nodata *float64) (*grid, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	d, err := readDirectory(file, info.Size())
	if err != nil {
		return nil, err
	}
	return newGrid(d, name, nodata)
}

// newGrid makes a grid of the first directory of a file.
func newGrid(d *directory, name string, nodata *float64) (*grid, error) {
	p, err := newPicture(d)
	if err != nil {
		return nil, err
	}
	if p.void, err = voidOf(d, nodata); err != nil {
		return nil, err
	}
	if p.scaling, err = scalingOf(d); err != nil {
		return nil, err
	}
	keys, err := geoKeys(d)
	if err != nil {
		return nil, err
	}
	g := &grid{columns: p.columns, rows: p.rows, unit: 1, window: p.window}
	if unit := keys[keyVerticalUnit]; unit == footIntl || unit == footUS {
		g.unit = metresInAFoot
	}
	if g.assumed, err = reference(keys, name); err != nil {
		return nil, err
	}
	if err := g.place(d, keys[keyRaster] == rasterIsPoint); err != nil {
		return nil, err
	}
	return g, nil
}

// voidOf is the value that means unknown: that of the options, else that of the file.
func voidOf(d *directory, nodata *float64) (*float64, error) {
	if nodata != nil {
		return nodata, nil
	}
	text, err := d.text(tagNoData)
	if err != nil || text == "" {
		return nil, err
	}
	void, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return nil, fmt.Errorf("its nodata value %.40q is no number; give nodata: in the options", text)
	}
	return &void, nil
}

// geoKeys are the keys whose values are numbers.
func geoKeys(d *directory) (map[uint64]uint64, error) {
	values, err := d.whole(tagGeoKeys)
	if err != nil {
		return nil, err
	}
	keys := map[uint64]uint64{}
	if len(values) < 4 {
		return keys, nil
	}
	for rest := values[4:]; len(rest) >= 4; rest = rest[4:] {
		if rest[1] == 0 { // the value stands in the entry
			keys[rest[0]] = rest[3]
		}
	}
	return keys, nil
}

// reference checks the reference system and returns what is assumed of it.
func reference(keys map[uint64]uint64, name string) (assumed reason.Reason, err error) {
	warp := fmt.Sprintf("gdalwarp -t_srs EPSG:4326 -r bilinear %s out.tif makes it fit", name)
	switch model, code := keys[keyModel], keys[keyGeographic]; {
	case model == modelProjected || keys[keyProjected] != 0:
		return assumed, fmt.Errorf("its grid is projected (EPSG:%d), not one of longitude and latitude; %s", keys[keyProjected], warp)
	case model != modelGeographic && code == 0:
		return assumed, errors.New("it does not say its reference system; gdal_translate -a_srs EPSG:4326 sets it where it is longitude and latitude")
	default:
		assumed, known := geographic[code]
		if !known {
			return assumed, fmt.Errorf("its reference system, EPSG:%d, is none of 4326, 4269, 4617, 4267; %s", code, warp)
		}
		return assumed, nil
	}
}

// place works out where the cells are. A tie point is the outer corner of a cell where cells are areas, its centre
// where they are points.
func (g *grid) place(d *directory, isPoint bool) error {
	scale, err := d.doubles(tagPixelScale)
	if err != nil {
		return err
	}
	ties, err := d.doubles(tagTiepoints)
	if err != nil {
		return err
	}
	matrix, err := d.doubles(tagTransformation)
	if err != nil {
		return err
	}
	const warp = "gdalwarp -t_srs EPSG:4326 makes it fit"
	switch {
	case len(scale) >= 2 && len(ties) == 6:
		g.stepLng, g.stepLat = scale[0], scale[1]
		g.west, g.north = ties[3]-ties[0]*scale[0], ties[4]+ties[1]*scale[1]
	case len(matrix) == 16:
		if matrix[1] != 0 || matrix[4] != 0 {
			return errors.New("its grid is turned; " + warp)
		}
		g.stepLng, g.stepLat, g.west, g.north = matrix[0], -matrix[5], matrix[3], matrix[7]
	default:
		return errors.New("it does not say where its cells are by one tie point and their size; " + warp)
	}
	if !isPoint {
		g.west, g.north = g.west+g.stepLng/2, g.north-g.stepLat/2
	}
	east, south := g.west+float64(g.columns-1)*g.stepLng, g.north-float64(g.rows-1)*g.stepLat
	const slack = 1e-6
	switch {
	case !(g.stepLng > 0 && g.stepLat > 0):
		return errors.New("its rows do not run from north to south and its columns from west to east; " + warp)
	case !(g.west >= -180-slack && east <= 180+slack && g.north <= 90+slack && south >= -90-slack) || math.IsNaN(g.west):
		return fmt.Errorf("its cells lie from %v, %v to %v, %v, which are no degrees", g.west, south, east, g.north)
	}
	return nil
}
