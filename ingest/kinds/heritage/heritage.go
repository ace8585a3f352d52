// Package heritage is the kind for registers of heritage: landmarks and historic districts. It reads one file of points or
// areas into rows of staged.feature; options select features and name the attributes of key and name.
package heritage

import (
	"context"
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
	Key                 source.List `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty; default: the number of the feature in the file"`
	Name                source.List `yaml:"name" doc:"attribute with the name; of several the first that is not empty"`
	vector.TableOptions `yaml:",inline"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "heritage",
		Title: "Registers of heritage",
		Formats: []string{
			"points (landmarks, listed buildings) or areas (historic districts)",
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage", "GeoParquet",
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
	return source.Join(err, o.file(in).Check(ctx))
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	key, template := o.Key, ""
	if len(key) == 0 {
		template = "{@row}"
	}
	label := func(f vector.Feature) string { return f.Text(o.Name, "") }
	return o.file(in).Stage(ctx, out, label, func(f vector.Feature) (why reason.Reason, err error) {
		v := source.Feature{Key: f.Text(key, template), Kind: "heritage", Name: label(f)}
		switch {
		case !f.Fault.OK():
			return f.Fault, nil
		case v.Key == "":
			return source.MissingKey, nil
		}
		if v.Geometry, why = shape(f.Geometry); why.OK() {
			err = out.Row(v)
		}
		return why, err
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
	err = in.Configure(&o, func() error { return o.Check() })
	return o, err
}

func (o *Options) file(in source.Input) *vector.File { return o.FileOf(in, o.Key, o.Name) }
