package tiff

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// NAD27 is the EPSG code of the North American Datum of 1927, up to a hundred metres off WGS 84. The other systems of
// nearWGS84 are within two metres of it.
const NAD27 = 4267

// nearWGS84 are geographic reference systems that are read as WGS 84: itself, NAD83 and its Canadian realizations, NAD27.
var nearWGS84 = []uint64{4326, 4979, 4269, 6318, 4617, 4140, 4955, NAD27}

// Keys of a GeoTIFF, and their values.
const (
	keyModel        = 1024
	keyRaster       = 1025
	keyGeographic   = 2048
	keyProjected    = 3072
	keyEllipsoid    = 2056
	keySemiMajor    = 2057
	keyFlattening   = 2059 // inverse
	keyProjection   = 3074
	keyTransform    = 3075
	keyLinearUnit   = 3076
	keyVerticalUnit = 4099

	modelProjected  = 1
	modelGeographic = 2
	rasterIsPoint   = 2
	footIntl        = 9002
	footUS          = 9003
	userDefined     = 32767
)

// geoKey are the GeoTIFF keys of a file.
type geoKey struct {
	codes   map[uint64]uint64
	numbers map[uint64]float64
}

// geoKeys reads the keys. The field has four numbers of header and four for each key: key, location (0: the value follows
// here, or the field of doubles), count, value or index.
func geoKeys(d *directory) (geoKey, error) {
	keys := geoKey{map[uint64]uint64{}, map[uint64]float64{}}
	values, err := d.integers(tagGeoKeys)
	if err != nil || len(values) < 4 {
		return keys, err
	}
	numbers, err := d.doubles(tagGeoDoubles)
	for rest := values[4:]; len(rest) >= 4; rest = rest[4:] {
		switch {
		case rest[1] == 0:
			keys.codes[rest[0]] = rest[3]
		case rest[1] == tagGeoDoubles && rest[3] < uint64(len(numbers)):
			keys.numbers[rest[0]] = numbers[rest[3]]
		}
	}
	return keys, err
}

// reference returns the reference system of the cells: the given one where that is not "", else that of the file. degrees
// reports whether it needs no projection.
func (k geoKey) reference(given string) (crs string, degrees bool, err error) {
	projected, code := k.codes[keyProjected], k.codes[keyGeographic]
	switch {
	case given != "":
		number, isCode := strings.CutPrefix(strings.ToUpper(given), "EPSG:")
		code, err := strconv.ParseUint(number, 10, 32)
		return given, isCode && err == nil && slices.Contains(nearWGS84, code), nil
	case projected == userDefined || projected == 0 && k.codes[keyModel] == modelProjected:
		crs, err = k.projection()
		return crs, false, err
	case projected != 0:
		return fmt.Sprintf("EPSG:%d", projected), false, nil
	case code == 0 && k.codes[keyModel] != modelGeographic, code == 0, code == userDefined:
		return "", false, errors.New("it has no reference system that has a code; set the option crs, e.g. EPSG:4326 for longitude and latitude")
	}
	return fmt.Sprintf("EPSG:%d", code), slices.Contains(nearWGS84, code), nil
}

// projections are the projections of files that give parameters in place of a code, by their GeoTIFF number: the name in
// PROJ and its parameters with the keys that may have them, the first that is there.
var projections = map[uint64]struct {
	name       string
	parameters []parameter
}{
	1: {"tmerc", []parameter{{"lat_0", []uint64{3081}}, {"lon_0", []uint64{3080}}, {"k_0", []uint64{3092}}}},
	7: {"merc", []parameter{{"lon_0", []uint64{3080, 3088}}, {"lat_ts", []uint64{3078}}, {"k_0", []uint64{3092}}}},
	8: {"lcc", []parameter{{"lat_1", []uint64{3078}}, {"lat_2", []uint64{3079}}, {"lat_0", []uint64{3085, 3081}},
		{"lon_0", []uint64{3084, 3080}}}},
	9:  {"lcc", []parameter{{"lat_1", []uint64{3081}}, {"lat_0", []uint64{3081}}, {"lon_0", []uint64{3080}}, {"k_0", []uint64{3092}}}},
	10: {"laea", []parameter{{"lat_0", []uint64{3089}}, {"lon_0", []uint64{3088}}}},
	11: {"aea", []parameter{{"lat_1", []uint64{3078}}, {"lat_2", []uint64{3079}}, {"lat_0", []uint64{3081, 3085}},
		{"lon_0", []uint64{3080, 3084}}}},
	15: {"stere", []parameter{{"lat_ts", []uint64{3081}}, {"lon_0", []uint64{3095, 3080}}, {"k_0", []uint64{3092}}}},
}

type parameter struct {
	name string
	keys []uint64
}

var datums = map[uint64]string{4326: "WGS84", 4269: "NAD83", NAD27: "NAD27"}

// datum returns the datum of a projection. A system without a code that is on the ellipsoid of NAD83 or WGS 84 is on that
// datum, which is within two metres of it in Canada and the United States.
func (k geoKey) datum() (string, bool) {
	const grs80, wgs84, axis = 7019, 7030, 6378137.0
	ellipsoid := k.codes[keyEllipsoid]
	flattening, given := k.number(keyFlattening)
	if major, _ := k.number(keySemiMajor); given && major == axis && ellipsoid == userDefined {
		switch {
		case math.Abs(flattening-298.257222101) < 1e-7:
			ellipsoid = grs80
		case math.Abs(flattening-298.257223563) < 1e-7:
			ellipsoid = wgs84
		}
	}
	if name, known := datums[k.codes[keyGeographic]]; known {
		return name, true
	}
	switch ellipsoid {
	case grs80:
		return "NAD83", true
	case wgs84:
		return "WGS84", true
	}
	return "", false
}

// utm returns the zone of a universal transverse Mercator projection as PROJ writes it: 16012 is zone 12 north.
func (k geoKey) utm() (zone string, ok bool) {
	code := k.codes[keyProjection]
	switch {
	case code > 16000 && code <= 16060:
		return fmt.Sprintf("+zone=%d", code-16000), true
	case code > 16100 && code <= 16160:
		return fmt.Sprintf("+zone=%d +south", code-16100), true
	}
	return "", false
}

// projection returns the PROJ string of a projection that is given by its parameters.
func (k geoKey) projection() (string, error) {
	p, known := projections[k.codes[keyTransform]]
	unit, metres := "m", 1.0
	switch k.codes[keyLinearUnit] {
	case footIntl:
		unit, metres = "ft", 0.3048
	case footUS:
		unit, metres = "us-ft", 1200.0/3937
	}
	datum, isDatum := k.datum()
	zone, isUTM := k.utm()
	if !isDatum || !known && !isUTM {
		return "", errors.New("its reference system has no code; set the option crs")
	}
	if isUTM {
		return fmt.Sprintf("+proj=utm %s +datum=%s +units=%s", zone, datum, unit), nil
	}
	text := fmt.Sprintf("+proj=%s +datum=%s +units=%s", p.name, datum, unit)
	for _, parameter := range p.parameters {
		if value, ok := k.number(parameter.keys...); ok {
			text += fmt.Sprintf(" +%s=%v", parameter.name, value)
			if p.name == "stere" && parameter.name == "lat_ts" {
				text += fmt.Sprintf(" +lat_0=%v", math.Copysign(90, value))
			}
		}
	}
	x, _ := k.number(3082, 3086, 3090)
	y, _ := k.number(3083, 3087, 3091)
	return text + fmt.Sprintf(" +x_0=%v +y_0=%v +type=crs", x*metres, y*metres), nil
}

// number returns the first of several keys that the file has.
func (k geoKey) number(keys ...uint64) (float64, bool) {
	for _, key := range keys {
		if value, ok := k.numbers[key]; ok {
			return value, true
		}
	}
	return 0, false
}

// Affine converts indexes of cells to coordinates: x is A[0] + A[1]·column + A[2]·row, y is A[3] + A[4]·column + A[5]·row.
type Affine [6]float64

// At returns the coordinates of a column and row, which may have fractions.
func (a Affine) At(column, row float64) (x, y float64) {
	return a[0] + a[1]*column + a[2]*row, a[3] + a[4]*column + a[5]*row
}

// Inverse returns the column and row of coordinates.
func (a Affine) Inverse(x, y float64) (column, row float64) {
	x, y = x-a[0], y-a[3]
	det := a[1]*a[5] - a[2]*a[4]
	return (a[5]*x - a[2]*y) / det, (a[1]*y - a[4]*x) / det
}

// NorthUp reports whether rows run from north to south and columns from west to east.
func (a Affine) NorthUp() bool { return a[1] > 0 && a[2] == 0 && a[4] == 0 && a[5] < 0 }

// locate computes the position of the cells from a tie point and the cell size, or from a matrix. A tie point is the
// outer corner of a cell where cells are areas, and its centre where they are points:
//
//	cell size 0.01°, tie point of cell (0, 0) at -122.5, 45.5
//	areas:  centre of the first cell at -122.495, 45.495
//	points: centre of the first cell at -122.5, 45.5
func locate(d *directory, isPoint bool) (a Affine, err error) {
	scale, err := d.doubles(tagPixelScale)
	if err != nil {
		return a, err
	}
	ties, err := d.doubles(tagTiepoints)
	if err != nil {
		return a, err
	}
	matrix, err := d.doubles(tagTransformation)
	if err != nil {
		return a, err
	}
	switch {
	case len(scale) >= 2 && len(ties) == 6:
		a = Affine{ties[3] - ties[0]*scale[0], scale[0], 0, ties[4] + ties[1]*scale[1], 0, -scale[1]}
	case len(matrix) == 16:
		a = Affine{matrix[3], matrix[0], matrix[1], matrix[7], matrix[4], matrix[5]}
	default:
		return a,
			errors.New("it does not give the position of its cells by one tie point and their size; convert it with gdalwarp -t_srs EPSG:4326")
	}
	if !isPoint {
		a[0], a[3] = a.At(0.5, 0.5)
	}
	if det := a[1]*a[5] - a[2]*a[4]; det == 0 || math.IsNaN(det) || math.IsInf(det, 0) || math.IsNaN(a[0]+a[3]) || math.IsInf(a[0]+a[3], 0) {
		return a, fmt.Errorf("its cells have no size or position: %v", a)
	}
	return a, nil
}

// checkDegrees returns an error where cells of a geographic reference system are not on the Earth.
func (r *Raster) checkDegrees() error {
	if !r.Degrees {
		return nil
	}
	const slack = 1e-6
	x, y := r.Cells.At(0, 0)
	east, south := r.Cells.At(float64(r.Columns-1), float64(r.Rows-1))
	for _, lng := range []float64{x, east} {
		for _, lat := range []float64{y, south} {
			if !(math.Abs(lng) <= 180+slack && math.Abs(lat) <= 90+slack) {
				return fmt.Errorf("its cells extend from %v, %v to %v, %v, which are not degrees", x, south, east, y)
			}
		}
	}
	return nil
}
