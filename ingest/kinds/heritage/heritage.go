// Package heritage is the kind for registers of heritage: landmarks and historic districts. It reads one file of points or
// areas into rows of staged.feature; options select features and name the attributes of key and name.
package heritage

import (
	"context"
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Kind is the source kind "heritage".
type Kind struct{}

// Options select the features of a register and name their attributes.
type Options struct {
	Key      source.List            `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty; default: the number of the feature in the file"`
	Name     source.List            `yaml:"name" doc:"attribute with the name; of several the first that is not empty"`
	WKT      string                 `yaml:"wkt" doc:"of a table: column with the geometry as well-known text"`
	LatLng   string                 `yaml:"lat_lng" doc:"of a table: column with a latitude, then a longitude: 45.42,-75.69"`
	Lng      string                 `yaml:"lng" doc:"of a table: column with the longitude, or x in the units of crs"`
	Lat      string                 `yaml:"lat" doc:"of a table: column with the latitude, or y in the units of crs"`
	Where    map[string]source.List `yaml:"where" doc:"attribute: value or list of values; only features that match in all of these attributes are kept"`
	Unless   map[string]source.List `yaml:"unless" doc:"attribute: value or list of values; features that match in one of these attributes are skipped"`
	BBox     source.BBox            `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; features whose bounding box does not touch it are skipped"`
	Layer    string                 `yaml:"layer" doc:"layer of a GeoPackage, or shapefile in an archive, where there are several"`
	CRS      string                 `yaml:"crs" doc:"coordinate reference system, where the file has none or a wrong one: EPSG:26918, WKT or a PROJ string"`
	Encoding string                 `yaml:"encoding" doc:"text encoding of a table, or of a shapefile whose .cpg is missing or wrong"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "heritage",
		Title: "Registers of heritage",
		Formats: []string{
			"points (landmarks, listed buildings) or areas (historic districts)",
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage",
			"CSV with well-known text, or with the longitude and latitude of points",
		},
		Yields:  []string{"feature"},
		Options: Options{},
		Reasons: slices.Concat(vector.Reasons(), table.Reasons(), []reason.Reason{source.MissingKey, source.MissingGeometry, source.WrongGeometryType, source.WrongFieldCount, source.CoordinateInMinutes}),
		Notes: "For the score historic, beside the years of buildings or, without these, the census's dwellings by period of construction. A point counts as a site, a district as one site to each hectare of it, at least one. " +
			"Registers: the National Register of Historic Places (National Park Service), the Canadian Register of Historic Places, and the open data of provinces, states and cities. Invalid outlines are repaired.",
	}
}

// Check checks options, columns and values.
func (Kind) Check(ctx context.Context, in source.Input) error {
	o, err := options(in)
	return source.Join(err, vector.Check(ctx, in.Path, o.file(in.Limits), o.wanted(), o.Where))
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	layer, err := vector.Open(ctx, in.Path, o.file(in.Limits))
	if err != nil {
		return err
	}
	defer layer.Close()
	selection := vector.Selection{Where: o.Where, Unless: o.Unless, BBox: o.BBox}
	return layer.Stage(ctx, out, o.wanted(), "the options where, unless and bbox select", func(f vector.Feature) (bool, error) {
		key, template := o.Key, ""
		if len(key) == 0 {
			template = "{@row}"
		}
		name := f.Text(o.Name, "")
		v := source.Feature{Key: f.Text(key, template), Kind: "heritage", Name: name}
		why := selection.Skip(f)
		selected := why.OK()
		switch {
		case !selected:
		case !f.Fault.OK():
			why = f.Fault
		case v.Key == "":
			why = source.MissingKey
		default:
			if v.Geometry, why = shape(f.Geometry); why.OK() {
				return true, out.Row(v)
			}
		}
		out.Issue(why, f.Where(name))
		return selected, nil
	})
}

// shape is a point, or the outline of an area. A point of several is in their middle.
func shape(g orb.Geometry) (orb.Geometry, reason.Reason) {
	switch g := g.(type) {
	case nil:
		return nil, source.MissingGeometry
	case orb.Point:
		return g, reason.Reason{}
	case orb.MultiPoint:
		if len(g) == 0 {
			return nil, source.MissingGeometry
		}
		return g.Bound().Center(), reason.Reason{}
	}
	if outline := vector.Outline(g); len(outline) > 0 {
		return outline, reason.Reason{}
	}
	return nil, source.WrongGeometryType
}

// options decodes and checks the options of a region file.
func options(in source.Input) (o Options, err error) {
	err = in.Configure(&o, func() error { return source.Join(o.BBox.Check(), o.columns().Check()) })
	return o, err
}

func (o *Options) columns() vector.Columns {
	return vector.Columns{WKT: o.WKT, LatLng: o.LatLng, Lng: o.Lng, Lat: o.Lat}
}

// file returns the options of the file's format.
func (o *Options) file(limits source.Limits) vector.Options {
	columns := o.columns()
	for _, list := range o.wanted() {
		if len(list) == 1 {
			columns.Wanted = append(columns.Wanted, list[0])
		}
	}
	return vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding, Limits: limits, Columns: &columns}
}

// wanted returns the attributes that the file must have, of each list one.
func (o *Options) wanted() []source.List {
	lists := source.Lists(slices.Concat(slices.Sorted(maps.Keys(o.Where)), slices.Sorted(maps.Keys(o.Unless)))...)
	for _, list := range []source.List{o.Key, o.Name} {
		if len(list) > 0 {
			lists = append(lists, list)
		}
	}
	return lists
}
