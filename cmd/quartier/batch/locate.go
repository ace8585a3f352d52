package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/internal/arrowfile"
)

// locator is where the points of a row are.
type locator struct {
	kind     kind
	lat, lng int // columns; of a geometry or geohash lng is −1
	names    [2]string
	guessed  bool
	grid     string // whose centres they are; "": none

	parts   [addressParts]int // columns of the parts of addresses; −1: none
	written []string          // names of these columns
	level   string            // the least of a match of an address

	system    int    // number of the reference system at EPSG; 0: it has none
	foreign   bool   // it is not WGS 84
	projected bool   // it is not in degrees
	decimal   string // mark of numbers in text: "." or ","; "": either, in degrees
}

type kind uint8

const (
	degrees kind = iota
	geometry
	geohash
	polygons // shapes in place of points
	written  // addresses in place of points
)

// String says it.
func (l locator) String() string {
	if l.grid != "" {
		return "centres of the " + l.grid
	}
	guessed := ""
	if l.guessed {
		guessed = " (guessed by the names)"
	}
	switch l.kind {
	case geometry:
		return fmt.Sprintf("geometries of column %q%s", l.names[0], guessed)
	case polygons:
		return fmt.Sprintf("polygons of column %q", l.names[0])
	case written:
		return fmt.Sprintf("columns %q, at least of the level %s", l.written, l.level)
	case geohash:
		return fmt.Sprintf("centres of the geohashes of column %q%s", l.names[0], guessed)
	}
	return fmt.Sprintf("latitude from column %q, longitude from %q%s", l.names[0], l.names[1], guessed)
}

// Names by which columns are guessed, in lower case.
var (
	latNames = []string{"lat", "latitude", "y", "lat_dd", "point_y", "gps_lat", "y_coord", "latitude_wgs84"}
	lngNames = []string{"lng", "lon", "long", "longitude", "x", "lon_dd", "long_dd", "lng_dd", "point_x", "gps_lng", "gps_lon",
		"gps_long", "x_coord", "longitude_wgs84"}
	geometryNames = []string{"geometry", "geom", "wkt", "wkb", "the_geom", "shape", "wkb_geometry"}
	geohashNames  = []string{"geohash", "geohash7", "geohash_7"}
)

// locate finds the columns of the points: those that the options name, else by names.
func (j *job) locate(schema *arrow.Schema) (l locator, err error) {
	defer func() { l.decimal = j.Decimal }()
	if l.grid = j.gridName(); l.grid != "" {
		of, err := columnPair(schema, latColumn, lngColumn)
		of.grid = l.grid
		return of, err
	}
	named := 0
	for _, given := range []bool{j.Lat != "" || j.Lng != "", j.Geometry != "", j.Geohash != "", j.Polygons != "", j.hasAddresses()} {
		if given {
			named++
		}
	}
	switch {
	case named > 1 || (j.Lat == "") != (j.Lng == ""):
		return l, fmt.Errorf("%w: give --lat and --lng, --geometry, --geohash, --polygons or --address", ErrInput)
	case j.hasAddresses():
		return j.locateAddresses(schema)
	case j.Lat != "":
		return columnPair(schema, j.Lat, j.Lng)
	case j.Geometry != "":
		return column1(schema, geometry, j.Geometry)
	case j.Polygons != "":
		return column1(schema, polygons, j.Polygons)
	case j.Geohash != "":
		return column1(schema, geohash, j.Geohash)
	}
	l, err = guess(schema)
	l.guessed = true
	return l, err
}

func guess(schema *arrow.Schema) (l locator, err error) {
	primary, _, err := arrowfile.PrimaryGeometry(schema)
	if err != nil {
		return l, err
	}
	lat, err := guessed(schema, latNames)
	if err != nil {
		return l, err
	}
	lng, err := guessed(schema, lngNames)
	if err != nil {
		return l, err
	}
	if primary != "" {
		return column1(schema, geometry, primary)
	}
	if lat != "" && lng != "" {
		return columnPair(schema, lat, lng)
	}
	for _, other := range []struct {
		kind  kind
		names []string
	}{{geometry, geometryNames}, {geohash, geohashNames}} {
		name, err := guessed(schema, other.names)
		if err != nil || name != "" {
			if err != nil {
				return l, err
			}
			return column1(schema, other.kind, name)
		}
	}
	return l,
		fmt.Errorf("%w: no columns are called like coordinates; name them with --lat and --lng, --geometry or --geohash, or addresses with "+
			"--address. The columns are %s", ErrInput, columnList(schema))
}

// guessed is the column that has one of the names; "" if none has.
func guessed(schema *arrow.Schema, names []string) (found string, err error) {
	for _, f := range schema.Fields() {
		if !slices.Contains(names, strings.ToLower(strings.TrimSpace(f.Name))) {
			continue
		}
		if found != "" {
			return "",
				fmt.Errorf("%w: columns %q and %q could both be coordinates; name those of the points with --lat and --lng, --geometry or --geohash",
					ErrInput, found, f.Name)
		}
		found = f.Name
	}
	return found, nil
}

const listedColumns = 30

func columnList(schema *arrow.Schema) string {
	var names []string
	for _, f := range schema.Fields() {
		names = append(names, f.Name)
	}
	if more := len(names) - listedColumns; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:listedColumns], ", "), more)
	}
	return strings.Join(names, ", ")
}

func columnPair(schema *arrow.Schema, lat, lng string) (l locator, err error) {
	l = locator{kind: degrees, names: [2]string{lat, lng}}
	if l.lat, err = columnOf(schema, degrees, lat); err == nil {
		l.lng, err = columnOf(schema, degrees, lng)
	}
	if err == nil && l.lat == l.lng {
		err = fmt.Errorf("%w: latitude and longitude are the same column %q", ErrInput, lat)
	}
	return l, err
}

func column1(schema *arrow.Schema, of kind, name string) (l locator, err error) {
	l = locator{kind: of, names: [2]string{name}, lng: -1}
	l.lat, err = columnOf(schema, of, name)
	return l, err
}

// columnOf is the only column of a name, which must have a type of its kind.
func columnOf(schema *arrow.Schema, of kind, name string) (int, error) {
	found := schema.FieldIndices(name)
	if len(found) != 1 {
		return 0, fmt.Errorf("%w: %d columns are called %q. The columns are %s", ErrInput, len(found), name, columnList(schema))
	}
	kinds := map[kind][]arrow.Type{
		degrees: {arrow.FLOAT64, arrow.FLOAT32, arrow.STRING, arrow.LARGE_STRING, arrow.DECIMAL128, arrow.INT8, arrow.INT16, arrow.INT32,
			arrow.INT64,
			arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64},
		geometry: {arrow.BINARY, arrow.LARGE_BINARY, arrow.STRING, arrow.LARGE_STRING},
		polygons: {arrow.BINARY, arrow.LARGE_BINARY, arrow.STRING, arrow.LARGE_STRING},
		geohash:  {arrow.STRING, arrow.LARGE_STRING},
	}
	kinds[written] = append(slices.Clone(kinds[degrees]), arrow.LARGE_STRING)
	kind := schema.Field(found[0]).Type
	if !slices.Contains(kinds[of], kind.ID()) {
		return 0, fmt.Errorf("%w: column %q is of type %s", ErrInput, name, kind)
	}
	return found[0], nil
}
