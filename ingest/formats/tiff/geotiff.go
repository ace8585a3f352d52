// Package tiff reads rasters of one band from GeoTIFF files in any reference system: classic TIFF and BigTIFF, strips and
// tiles, uncompressed, LZW, deflate, PackBits and Zstandard, predictors 1 to 3, integers and floats.
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
	"strconv"

	"quartier/ingest/source"
)

// Raster is an open file of values, such as elevations. It is not safe for concurrent use.
type Raster struct {
	Columns, Rows int
	CRS           string // reference system of Cells, an EPSG code or PROJ string
	Degrees       bool   // CRS is longitude and latitude, of NAD27 or within two metres of WGS 84
	Cells         Affine // centres of the cells in CRS
	EPSG          int    // geographic reference system, also that of a projected one; 0: not known
	Feet          bool   // the vertical unit is a foot; otherwise it is a metre or not given

	path  string
	file  *os.File
	image *image
}

// Options replace what a file says of itself.
type Options struct {
	NoData *float64 // stored value of unknown cells; nil: the file's
	CRS    string   // reference system, as PROJ understands it; "": the file's
}

// Open opens a file. Errors name the file and wrap source.ErrBadFile where it cannot be read.
func Open(path string, o Options) (*Raster, error) {
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
		if r, err = newRaster(d, o); err == nil {
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

// newRaster reads the first directory of a file.
func newRaster(d *directory, o Options) (*Raster, error) {
	image, err := newImage(d)
	if err != nil {
		return nil, err
	}
	if image.nodata, err = nodataOf(d, o.NoData); err != nil {
		return nil, err
	}
	if image.scaling, err = scalingOf(d); err != nil {
		return nil, err
	}
	keys, err := geoKeys(d)
	if err != nil {
		return nil, err
	}
	r := &Raster{Columns: image.columns, Rows: image.rows, EPSG: int(keys.codes[keyGeographic]), image: image}
	unit := keys.codes[keyVerticalUnit]
	r.Feet = unit == footIntl || unit == footUS
	if r.CRS, r.Degrees, err = keys.reference(o.CRS); err != nil {
		return nil, err
	}
	if r.Cells, err = locate(d, keys.codes[keyRaster] == rasterIsPoint); err != nil {
		return nil, err
	}
	return r, r.checkDegrees()
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
