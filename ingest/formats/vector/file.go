package vector

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// FileOptions are the options of every kind that reads a file of features; a kind embeds them in its own.
type FileOptions struct {
	Where    map[string]source.List `yaml:"where" doc:"attribute: value or list of values; only features that match in all of these attributes are kept"`
	Unless   map[string]source.List `yaml:"unless" doc:"attribute: value or list of values; features that match in one of these attributes are skipped"`
	BBox     source.BBox            `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; features whose bounding box does not touch it are skipped"`
	Layer    string                 `yaml:"layer" doc:"layer of a GeoPackage, shapefile in an archive, or sheet of a workbook, where there are several"`
	CRS      string                 `yaml:"crs" doc:"coordinate reference system, where the file has none or a wrong one: EPSG:3347, WKT or a PROJ string"`
	Encoding string                 `yaml:"encoding" doc:"text encoding, where the file does not say it (.cpg of a shapefile) or says a wrong one"`
}

// TableOptions are FileOptions of kinds that read delimited text as well, and the columns that have its geometries.
type TableOptions struct {
	WKT         string `yaml:"wkt" doc:"of a table: column with the geometry as well-known text"`
	LatLng      string `yaml:"lat_lng" doc:"of a table: column with a latitude, then a longitude: 45.42,-75.69; the last one of a table need not be quoted"`
	Lng         string `yaml:"lng" doc:"of a table: column with the longitude, or x in the units of crs"`
	Lat         string `yaml:"lat" doc:"of a table: column with the latitude, or y in the units of crs"`
	FileOptions `yaml:",inline"`
}

// Check returns the faults of the options.
func (o *FileOptions) Check() error { return o.BBox.Check() }

// Check returns the faults of the options.
func (o *TableOptions) Check() error {
	var f source.Faults
	f.Option((o.Lng == "") != (o.Lat == ""), "lng", "and lat: require each other")
	f.Option(len(source.Lists(o.WKT, o.LatLng, o.Lng)) > 1, "wkt", "lat_lng, and lng with lat: exclude each other")
	f.Add(o.FileOptions.Check())
	return f.Err()
}

// FileOf returns the file of a source with the attributes that it must have, of each list one; those of where and unless
// are added.
func (o *FileOptions) FileOf(in source.Input, wanted ...source.List) *File {
	selecting := slices.Concat(slices.Sorted(maps.Keys(o.Where)), slices.Sorted(maps.Keys(o.Unless)))
	return &File{Path: in.Path, Limits: in.Limits, FileOptions: *o, Wanted: slices.Concat(source.Lists(selecting...), wanted)}
}

// FileOf is FileOptions.FileOf of a file that may be delimited text. The columns by which its header is found are the wanted
// ones that have no alternative.
func (o *TableOptions) FileOf(in source.Input, wanted ...source.List) *File {
	f := o.FileOptions.FileOf(in, wanted...)
	f.Columns = &Columns{WKT: o.WKT, LatLng: o.LatLng, Lng: o.Lng, Lat: o.Lat}
	for _, names := range f.Wanted {
		if len(names) == 1 && columnOf(names[0]) != "" {
			f.Columns.Wanted = append(f.Columns.Wanted, columnOf(names[0]))
		}
	}
	return f
}

// File is a file of features with what a kind reads of it.
type File struct {
	Path string
	FileOptions
	BBoxCentre bool          // BBox must contain the centre of a feature's bounding box
	Wanted     []source.List // attributes that it must have, of each list one
	Columns    *Columns      // of delimited text; nil: the kind does not read it
	Limits     source.Limits
}

func (f *File) open(ctx context.Context) (*Layer, error) {
	return Open(ctx, f.Path, Options{Layer: f.Layer, CRS: f.CRS, Encoding: f.Encoding, Limits: f.Limits, Columns: f.Columns})
}

// Check finds what is wrong with the file before it is read, as the function Check does.
func (f *File) Check(ctx context.Context) error {
	layer, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer layer.Close()
	return layer.check(ctx, f.Wanted, f.Where)
}

// Rows returns the number of features that the file itself says, selected or not; 0 where its format does not.
func (f *File) Rows(ctx context.Context) int64 {
	layer, err := f.open(ctx)
	if err != nil {
		return 0
	}
	defer layer.Close()
	switch r := layer.reader.(type) {
	case *shapefile:
		return int64(r.dbf.rows)
	case *flatGeobuf:
		return int64(min(r.count, math.MaxInt64))
	case *parquet:
		return r.count(ctx)
	}
	return 0
}

// Stage counts the features as read and passes to take those that the options select, also those with a Fault. A feature
// for which take returns a reason is an issue, as one that is not selected is; label is what its message calls it, which
// may be "". A file of which the options select nothing is an error.
func (f *File) Stage(ctx context.Context, out source.Sink, label func(Feature) string, take func(Feature) (reason.Reason, error)) error {
	layer, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer layer.Close()
	return layer.Stage(ctx, out, f.Wanted, "the options where, unless and bbox select", func(feature Feature) (selected bool, err error) {
		why := f.skip(feature)
		if selected = why.OK(); selected {
			why, err = take(feature)
		}
		if err == nil && !why.OK() {
			out.Issue(why, feature.Where(label(feature)))
		}
		return selected, err
	})
}

// Bad returns an error for the entire file: it names the file and wraps source.ErrBadFile.
func (f *File) Bad(format string, args ...any) error {
	return (&Layer{path: f.Path}).Bad(format, args...)
}

// skip returns why a feature is not selected; the zero Reason where it is.
func (f *File) skip(feature Feature) reason.Reason {
	for name, values := range f.Where {
		if !slices.Contains(values, feature.Value(name)) {
			return source.ExcludedByOption.With("where")
		}
	}
	for name, values := range f.Unless {
		if v := feature.Value(name); v != "" && slices.Contains(values, v) {
			return source.ExcludedByOption.With("unless")
		}
	}
	if f.BBox == nil || feature.Geometry == nil {
		return reason.Reason{}
	}
	box := orb.Bound{Min: orb.Point{f.BBox[0], f.BBox[1]}, Max: orb.Point{f.BBox[2], f.BBox[3]}}
	bound := feature.Geometry.Bound()
	if f.BBoxCentre && !box.Contains(bound.Center()) || !box.Intersects(bound) {
		return source.OutsideBBox
	}
	return reason.Reason{}
}
