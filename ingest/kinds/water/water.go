// Package water is the kind for outlines of water: lakes, rivers and bays, and census areas that have no land. It reads one
// file of features into rows of staged.feature.
package water

import (
	"context"
	"slices"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Kind is the source kind "water".
type Kind struct{}

// Options select the outlines of water among those of a file. A layout sets defaults for the files of a publisher; other
// options take precedence.
type Options struct {
	Layout             string      `yaml:"layout" doc:"publisher's layout, which sets defaults for key, name and where"`
	Key                source.List `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty; default: the number of the feature in the file"`
	Name               source.List `yaml:"name" doc:"attribute with the name; of several the first that is not empty"`
	vector.FileOptions `yaml:",inline"`
}

// layouts are the defaults for the files of a publisher of any year.
var layouts = map[string]Options{
	"tiger-areawater":  {Key: source.List{"HYDROID"}, Name: source.List{"FULLNAME"}},
	"tiger-tabblock20": {Key: source.List{"GEOID20"}, FileOptions: vector.FileOptions{Where: map[string]source.List{"ALAND20": {"0"}}}},
	"tiger-tabblock10": {Key: source.List{"GEOID10"}, FileOptions: vector.FileOptions{Where: map[string]source.List{"ALAND10": {"0"}}}},
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "water",
		Title: "Outlines of water",
		Formats: []string{
			"TIGER/Line area hydrography (AREAWATER) and blocks without land",
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage", "GeoParquet",
		},
		Yields:  []string{"feature"},
		Options: Options{},
		Reasons: slices.Concat(vector.Reasons(), []reason.Reason{source.MissingKey, source.MissingGeometry}),
		Notes: "Nobody lives on water: small areas with census tables are cut by it from a hectare on, and their people are on the rest. It is no ground that statistics could cover, either. " +
			"OpenStreetMap extracts and blocks with their area of land have water already. Invalid outlines are repaired. Layouts: " + source.LayoutNames(layouts) + ".",
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
	template := ""
	if len(o.Key) == 0 {
		template = "{@row}"
	}
	label := func(f vector.Feature) string { return f.Text(o.Key, template) }
	return o.file(in).Stage(ctx, out, label, func(f vector.Feature) (reason.Reason, error) {
		key, outline := label(f), vector.Outline(f.Geometry)
		switch {
		case !f.Fault.OK():
			return f.Fault, nil
		case key == "":
			return source.MissingKey, nil
		case len(outline) == 0:
			return source.MissingGeometry, nil
		}
		return reason.Reason{}, out.Row(source.Feature{Key: key, Kind: "land", Class: "water", Name: f.Text(o.Name, ""), Geometry: outline})
	})
}

// options decodes and checks the options of a region file.
func options(in source.Input) (o Options, err error) {
	err = in.Configure(&o, func() error { return source.Join(source.Complete(&o, o.Layout, layouts), o.Check()) })
	return o, err
}

func (o *Options) file(in source.Input) *vector.File { return o.FileOf(in, o.Key, o.Name) }
