// Package vector reads files of features with outlines, lines or points: ESRI shapefiles, plain or inside a .zip, GeoJSON and
// GeoPackage. In goes a file and, where the file does not say it, its reference system or encoding; out come features
// one by one in the order of the file, their attributes as text and their coordinates as WGS 84 longitude and latitude.
package vector

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// ErrWrongCRS marks a file whose coordinates cannot be in the reference system that it, or an option, declares.
var ErrWrongCRS = errors.New("wrong coordinate reference system")

// Feature is one feature of a file.
type Feature struct {
	Row int    // place in the file, 1 first
	ID  string // GeoJSON's id or the GeoPackage's primary key; "" where there is none
	// Attributes are the feature's values by the name of their column, as text: numbers as plain decimals, lists and
	// objects as JSON. Blank and null ones are left out.
	Attributes map[string]string
	Geometry   orb.Geometry  // nil: the feature has none, or Fault says why not
	Fault      reason.Reason // why the geometry cannot be read; the zero Reason where it can
}

// Options say what a file does not say itself, or says wrongly.
type Options struct {
	Layer    string // which layer of a GeoPackage or which shapefile of an archive; may be empty where there is one
	CRS      string // replaces the file's: a code as EPSG:3347, WKT or a PROJ string
	Encoding string // replaces the .cpg file of a shapefile: UTF-8, windows-1252 …
}

// Layer is an open file of features in their own reference system.
type Layer struct {
	// Fields are the names of the columns in the order of the file. GeoJSON has no list of them:
	// there they are added as features are read.
	Fields []string
	// FieldsKnown tells that the format lists its columns, so that Fields is whole before the first feature.
	FieldsKnown bool
	// CRS is the reference system as a code, WKT or PROJ string; "" where neither the file nor the options say.
	CRS string

	path   string // as Open was given it
	reader reader
	seen   map[string]bool // of Fields, where the format has no list
}

// reader is a file format. next ends with io.EOF.
type reader interface {
	next() (Feature, error)
	close() error
}

// Open opens a file by its extension: .shp, .zip with a shapefile inside, .geojson, .json or .gpkg. Errors name the
// file and wrap source.ErrBadFile where it is not what it claims to be.
func Open(path string, o Options) (*Layer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	layer := &Layer{path: path}
	if info.IsDir() {
		return nil, layer.Bad("a folder, not a file")
	}
	if info.Size() == 0 {
		return nil, layer.Bad("it is empty")
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".shp":
		err = layer.openShapefile(siblings(path), o)
	case ".zip":
		err = layer.openArchive(o)
	case ".geojson", ".json":
		err = layer.openGeoJSON()
	case ".gpkg":
		err = layer.openGeoPackage(o)
	default:
		err = layer.Bad("extension %q is none of .shp, .zip, .geojson, .json, .gpkg", filepath.Ext(path))
	}
	if err != nil {
		return nil, err
	}
	if o.CRS != "" {
		layer.CRS = o.CRS
	}
	return layer, nil
}

// Next is the next feature, in the layer's own reference system. It ends with io.EOF; any other error is for the file
// as a whole, a feature that cannot be read says so in Fault.
func (l *Layer) Next() (Feature, error) {
	feature, err := l.reader.next()
	if err != nil && err != io.EOF {
		return Feature{}, l.named(err)
	}
	return feature, err
}

// Close closes the file.
func (l *Layer) Close() error { return l.reader.close() }

// Bad is an error of the file as a whole: it names the file and wraps source.ErrBadFile.
func (l *Layer) Bad(format string, args ...any) error { return l.named(bad(format, args...)) }

// named puts the file's name before an error, and source.ErrBadFile where that is not in it yet.
func (l *Layer) named(err error) error {
	if !errors.Is(err, source.ErrBadFile) {
		err = bad("%w", err)
	}
	return fmt.Errorf("%s: %w", filepath.Base(l.path), err)
}

// Reasons are those that Feature.Fault and Selection.Skip can have.
func Reasons() []reason.Reason {
	return []reason.Reason{source.UnreadableGeometry, source.UnsupportedGeometryType, source.InvalidCoordinate, source.InvalidUTF8,
		source.MalformedRecord, source.ExcludedByOption, source.OutsideBBox}
}

// faultOf is the reason for a geometry that cannot be decoded.
func faultOf(err error) reason.Reason {
	var fault reason.Reason
	errors.As(err, &fault)
	return fault
}

// bad is an error of a file as a whole, to be given the file's name by the Layer.
func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %w", source.ErrBadFile, fmt.Errorf(format, args...))
}

// setText sets an attribute unless it is blank.
func setText(attributes map[string]string, name, text string) {
	if text = strings.TrimSpace(text); text != "" {
		attributes[name] = text
	}
}
