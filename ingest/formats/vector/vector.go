// Package vector reads features with outlines, lines or points from ESRI shapefiles, plain or in a .zip, GeoJSON,
// GeoPackage, GeoParquet, FlatGeobuf, KML and delimited text. It returns them in the order of the file, with attributes as text and
// coordinates as WGS 84 longitude and latitude. Options give the reference system or encoding where the file does not.
package vector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/wellknown"
	"quartier/schemas/reason"
)

// ErrWrongCRS is the error of a file whose coordinates cannot be in the reference system of the file or the options.
var ErrWrongCRS = errors.New("wrong coordinate reference system")

// Feature is one feature of a file.
type Feature struct {
	Row  int    // number in the file, 1 first
	Line int    // of delimited text: number of its first line; 0 in other formats
	ID   string // GeoJSON's id, the GeoPackage's primary key or GeoParquet's column id; "" where it has none
	// Attributes are the values by the name of their column, as text: numbers as plain decimals, lists and objects as
	// JSON. Blank and null values are absent.
	Attributes map[string]string
	Geometry   orb.Geometry    // nil: the feature has none, or it cannot be read (see Fault)
	Fault      reason.Reason   // why the geometry cannot be read; the zero Reason where it can
	Marks      map[string]byte // decimal mark by column, of Columns.Numbers; nil in other formats than delimited text
}

// Options replace what a file does not have, or has wrong.
type Options struct {
	Layer    string // layer of a GeoPackage or shapefile of an archive; may be "" where there is only one
	CRS      string // replaces the file's: a code such as EPSG:3347, WKT or a PROJ string
	Encoding string // replaces the .cpg file of a shapefile: UTF-8, windows-1252 …; of delimited text: one of table.Encodings
	Limits   source.Limits
	Columns  *Columns // of delimited text; nil: such files are not read
}

// Layer is an open file of features in their own reference system.
type Layer struct {
	// Fields are the names of the columns in the order of the file. GeoJSON has no list of columns: they are added while
	// features are read.
	Fields []string
	// FieldsKnown reports whether the format lists its columns, so that Fields is complete before the first feature.
	FieldsKnown bool
	// CRS is the reference system as a code, WKT or PROJ string; "" where neither the file nor the options have one.
	CRS string

	path   string // argument of Open
	reader reader
	seen   map[string]bool // Fields as a set, where the format has no list
}

// reader is a file format. next ends with io.EOF.
type reader interface {
	next() (Feature, error)
	close() error
}

// extensions are those of Open without delimited text.
var extensions = []string{".shp", ".zip", ".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq", ".gpkg", ".parquet", ".fgb", ".kml",
	".kmz"}

// Open opens a file by its extension: .shp, .zip with a shapefile inside, GeoJSON (a collection, or a feature a line), .gpkg,
// .parquet or a folder of such files, .fgb, .kml, .kmz and, where the options have Columns, .csv, .csv.gz, .tsv, .txt or .xlsx,
// which it reads once where it has columns of numbers. Errors name the file and wrap source.ErrBadFile where it is not of that
// format.
func Open(ctx context.Context, path string, o Options) (*Layer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	layer := &Layer{path: path}
	if info.IsDir() {
		files, err := source.Files(path, ".parquet")
		if err != nil {
			return nil, layer.Bad("it is a folder without .parquet files")
		}
		err = layer.openParquet(ctx, files, o)
		layer.CRS = cmp.Or(o.CRS, layer.CRS)
		return layer, err
	}
	if info.Size() == 0 {
		return nil, layer.Bad("it is empty")
	}
	extension := strings.ToLower(filepath.Ext(path))
	if extension == ".gz" {
		extension = strings.ToLower(filepath.Ext(strings.TrimSuffix(path, filepath.Ext(path)))) + extension
	}
	switch extension {
	case ".shp":
		err = layer.openShapefile(siblings(path), o)
	case ".zip":
		err = layer.openArchive(ctx, o)
	case ".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq":
		err = layer.openGeoJSON(o.Limits)
	case ".parquet":
		err = layer.openParquet(ctx, []string{path}, o)
	case ".gpkg":
		err = layer.openGeoPackage(o)
	case ".fgb":
		err = layer.openFlatGeobuf(o.Limits)
	case ".kml", ".kmz":
		err = layer.openKML(extension, o.Limits)
	default:
		read := extensions
		if o.Columns != nil {
			read = slices.Concat(read, tableExtensions)
		}
		if !slices.Contains(read, extension) {
			return nil, layer.Bad("extension %q is none of %s", extension, strings.Join(read, ", "))
		}
		err = layer.openTable(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	layer.CRS = cmp.Or(o.CRS, layer.CRS)
	return layer, nil
}

// Next returns the next feature, in the layer's own reference system, or io.EOF after the last one. Any other error means
// that the rest of the file cannot be read; of a single feature that cannot, Fault is set.
func (l *Layer) Next() (Feature, error) {
	feature, err := l.reader.next()
	if err != nil && err != io.EOF {
		return Feature{}, l.named(err)
	}
	return feature, err
}

// Close closes the file.
func (l *Layer) Close() error { return l.reader.close() }

// Bad returns an error for the entire file: it names the file and wraps source.ErrBadFile.
func (l *Layer) Bad(format string, args ...any) error { return l.named(bad(format, args...)) }

// named adds the name of the file to an error, and source.ErrBadFile where it does not wrap that yet.
func (l *Layer) named(err error) error {
	if !errors.Is(err, source.ErrBadFile) {
		err = bad("%w", err)
	}
	return fmt.Errorf("%s: %w", filepath.Base(l.path), err)
}

// Formats are those that Open reads, as a kind lists them.
var Formats = []string{
	"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage", "GeoParquet",
	"FlatGeobuf", "KML and KMZ",
}

// Reasons are those that Feature.Fault can have, and those of features that File.Stage does not select.
func Reasons() []reason.Reason {
	return []reason.Reason{source.UnreadableGeometry, source.UnsupportedGeometryType, source.InvalidCoordinate, source.InvalidUTF8,
		source.MalformedRecord, source.ExcludedByOption, source.OutsideBBox}
}

// faultOf is the reason for a geometry that cannot be decoded.
func faultOf(err error) (fault reason.Reason) {
	var binary *wellknown.Error
	switch {
	case !errors.As(err, &binary):
		errors.As(err, &fault)
		return fault
	case binary.Unsupported():
		return source.UnsupportedGeometryType.With(binary.Error())
	}
	return source.UnreadableGeometry.With(binary.Error())
}

// bad returns an error for the entire file, to which the Layer adds its name.
func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %w", source.ErrBadFile, fmt.Errorf(format, args...))
}

// setText sets an attribute unless it is blank.
func setText(attributes map[string]string, name, text string) {
	if text = strings.TrimSpace(text); text != "" {
		attributes[name] = text
	}
}
