// Package tiff reads rasters of one band from GeoTIFF files on a grid of longitude and latitude: classic TIFF and BigTIFF,
// strips and tiles, uncompressed, LZW, deflate, PackBits and Zstandard, predictors 1 to 3, integers and floats.
//
// A file is read in this order:
//
//	header ─ byte order, offset of the directory
//	directory ─ fields by tag: size, cell type, compression, offsets of the blocks, GeoTIFF keys, GDAL's metadata
//	blocks ─ strips as wide as the image, or tiles; decompressed, then the predictor undone, then nodata and scale applied
package tiff

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"quartier/ingest/source"
)

// Raster is an open file of values, such as elevations. It is not safe for concurrent use.
type Raster struct {
	Columns, Rows    int
	West, North      float64 // centre of the north-western cell, degrees
	StepLng, StepLat float64 // degrees between neighbouring cells, both > 0
	EPSG             int     // geographic reference system, one of geographic
	Feet             bool    // the vertical unit is a foot; otherwise it is a metre or not given

	path  string
	file  *os.File
	image *image
}

// NAD27 is the EPSG code of the North American Datum of 1927, up to a hundred metres off WGS 84. The other reference
// systems that are read are within two metres of it.
const NAD27 = 4267

// geographic are the reference systems that are read.
var geographic = map[uint64]bool{
	4326: true, 4979: true, // WGS 84
	4269: true, 6318: true, // NAD83
	4617: true, 4140: true, 4955: true, // its Canadian realizations
	NAD27: true,
}

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

// Open opens a file. nodata replaces the file's own stored value for unknown cells; nil keeps that. Errors name the file
// and wrap source.ErrBadFile where it cannot be read.
func Open(path string, nodata *float64) (*Raster, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	d, err := readDirectory(file, info.Size())
	if err == nil {
		var r *Raster
		if r, err = newRaster(d, filepath.Base(path), nodata); err == nil {
			r.path, r.file = path, file
			return r, nil
		}
	}
	file.Close()
	return nil, source.BadFile(path, "%v", err)
}

// Close closes the file.
func (r *Raster) Close() error { return r.file.Close() }

// Window reads columns × rows cells from the given column and row into a slice of that length, row by row from the
// north-west; unknown cells are NaN.
func (r *Raster) Window(column, row, columns, rows int, into []float32) error {
	if err := r.image.window(column, row, columns, rows, into); err != nil {
		return source.BadFile(r.path, "%v", err)
	}
	return nil
}

// newRaster reads the first directory of the file called name.
func newRaster(d *directory, name string, nodata *float64) (*Raster, error) {
	image, err := newImage(d)
	if err != nil {
		return nil, err
	}
	if image.nodata, err = nodataOf(d, nodata); err != nil {
		return nil, err
	}
	if image.scaling, err = scalingOf(d); err != nil {
		return nil, err
	}
	keys, err := geoKeys(d)
	if err != nil {
		return nil, err
	}
	if err := checkReference(keys, name); err != nil {
		return nil, err
	}
	unit := keys[keyVerticalUnit]
	r := &Raster{Columns: image.columns, Rows: image.rows, EPSG: int(keys[keyGeographic]), Feet: unit == footIntl || unit == footUS, image: image}
	return r, r.locate(d, keys[keyRaster] == rasterIsPoint)
}

// nodataOf returns the stored value of unknown cells: the given one, otherwise that of the file; NaN where there is none.
func nodataOf(d *directory, given *float64) (float64, error) {
	if given != nil {
		return *given, nil
	}
	text, err := d.text(tagNoData)
	if err != nil || text == "" {
		return math.NaN(), err
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("its nodata value %.40q is not a number; set the option nodata", text)
	}
	return value, nil
}

// geoKeys returns the GeoTIFF keys whose values are numbers. The field has four numbers of header and four for each key:
// key, location (0: the value follows here), count, value.
func geoKeys(d *directory) (map[uint64]uint64, error) {
	values, err := d.integers(tagGeoKeys)
	if err != nil {
		return nil, err
	}
	keys := map[uint64]uint64{}
	if len(values) < 4 {
		return keys, nil
	}
	for rest := values[4:]; len(rest) >= 4; rest = rest[4:] {
		if rest[1] == 0 {
			keys[rest[0]] = rest[3]
		}
	}
	return keys, nil
}

// checkReference returns an error, with a command that converts the file, unless its reference system is one of
// geographic.
func checkReference(keys map[uint64]uint64, name string) error {
	warp := fmt.Sprintf("convert it with gdalwarp -t_srs EPSG:4326 -r bilinear %s out.tif", name)
	switch model, code := keys[keyModel], keys[keyGeographic]; {
	case model == modelProjected || keys[keyProjected] != 0:
		return fmt.Errorf("its grid is projected (EPSG:%d), not one of longitude and latitude; %s", keys[keyProjected], warp)
	case model != modelGeographic && code == 0:
		return errors.New("it has no reference system; if it is longitude and latitude, set it with gdal_translate -a_srs EPSG:4326")
	case !geographic[code]:
		return fmt.Errorf("its reference system, EPSG:%d, is not one of 4326, 4269, 4617, 4267; %s", code, warp)
	}
	return nil
}

// locate computes the position of the cells from a tie point and the cell size, or from a matrix. A tie point is the
// outer corner of a cell where cells are areas, and its centre where they are points:
//
//	cell size 0.01°, tie point of cell (0, 0) at -122.5, 45.5
//	areas:  centre of the first cell at -122.495, 45.495
//	points: centre of the first cell at -122.5, 45.5
func (r *Raster) locate(d *directory, isPoint bool) error {
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
	const warp = "convert it with gdalwarp -t_srs EPSG:4326"
	switch {
	case len(scale) >= 2 && len(ties) == 6:
		r.StepLng, r.StepLat = scale[0], scale[1]
		r.West, r.North = ties[3]-ties[0]*scale[0], ties[4]+ties[1]*scale[1]
	case len(matrix) == 16:
		if matrix[1] != 0 || matrix[4] != 0 {
			return errors.New("its grid is rotated; " + warp)
		}
		r.StepLng, r.StepLat, r.West, r.North = matrix[0], -matrix[5], matrix[3], matrix[7]
	default:
		return errors.New("it does not give the position of its cells by one tie point and their size; " + warp)
	}
	if !isPoint {
		r.West, r.North = r.West+r.StepLng/2, r.North-r.StepLat/2
	}
	east, south := r.West+float64(r.Columns-1)*r.StepLng, r.North-float64(r.Rows-1)*r.StepLat
	const slack = 1e-6
	switch {
	case !(r.StepLng > 0 && r.StepLat > 0):
		return errors.New("its rows do not run from north to south and its columns from west to east; " + warp)
	case !(r.West >= -180-slack && east <= 180+slack && r.North <= 90+slack && south >= -90-slack) || math.IsNaN(r.West):
		return fmt.Errorf("its cells extend from %v, %v to %v, %v, which are not degrees", r.West, south, east, r.North)
	}
	return nil
}
