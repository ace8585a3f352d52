// Package zones is the kind for outlines of small areas with census tables (block groups, dissemination areas), for places
// without census blocks. It reads one file of features into rows of staged.zone; options name the attribute of the key.
package zones

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var repeated = reasons.Skipped("repeated_outline", "An earlier feature has the same key and the same outline, as in tables with a row for each variable.")

// Kind is the source kind "zones".
type Kind struct{}

// Options say what the key of a feature is. A layout sets defaults for the files of a publisher; other options take
// precedence.
type Options struct {
	Layout             string      `yaml:"layout" doc:"publisher's layout, which sets defaults for scheme and key"`
	Scheme             string      `yaml:"scheme" values:"census:bg census:tract statcan:da" doc:"scheme of the keys, one of those that census tables are read of; required without a layout"`
	Key                source.List `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty"`
	KeyText            string      `yaml:"key_text" doc:"template of the key with {attribute}, {@id} (feature id) and {@row} (number in the file, 1 first)"`
	vector.FileOptions `yaml:",inline"`
}

// layouts are the defaults for the files of a publisher of any year.
var layouts = map[string]Options{
	"tiger-bg":    {Scheme: "census:bg", Key: source.List{"GEOID", "GEOID20", "GEOID10"}},
	"tiger-tract": {Scheme: "census:tract", Key: source.List{"GEOID", "GEOID20", "GEOID10"}},
	"nhgis-bg":    {Scheme: "census:bg", Key: source.List{"GEOID", "GEOID20", "GEOID10", "@gisjoin"}},
	"statcan-da":  {Scheme: "statcan:da", Key: source.List{"DAUID", "@dguid"}},
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "zones",
		Title: "Outlines of small areas with census tables",
		Formats: []string{
			"TIGER/Line block groups and tracts, NHGIS block groups, dissemination areas of Statistics Canada",
			"tidycensus with geometry, long or wide",
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage", "GeoParquet",
		},
		Yields:  []string{"zone"},
		Options: Options{},
		Reasons: slices.Concat(reasons, vector.Reasons(), []reason.Reason{source.MissingKey, source.MissingGeometry}),
		Notes: "For places without census blocks: a zone is used as one block whose people are spread evenly. " +
			"Its key must be that of the census tables, which therefore must be of the same vintage. A tract is used where none of its block groups is known; errors around a point are wider then. " +
			"In place of an attribute, @id is the feature's own id, @row its number in the file, @dguid a DGUID without vintage, type and schema, and @gisjoin the GEOID of a block group from NHGIS's GISJOIN. " +
			"Invalid outlines are repaired. Layouts: " + source.LayoutNames(layouts) + ".",
	}
}

// Check checks options, columns and values.
func (Kind) Check(ctx context.Context, in source.Input) error {
	o, err := options(in)
	return source.Join(err, o.file(in).Check(ctx))
}

// Areas returns the scheme of the zones' keys.
func (Kind) Areas(in source.Input) string {
	o, err := options(in)
	if err != nil { // which Check reports
		return ""
	}
	return o.Scheme
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	outlines := map[string][sha256.Size]byte{} // by key
	label := func(f vector.Feature) string { return f.Text(o.Key, o.KeyText) }
	return o.file(in).Stage(ctx, out, label, func(f vector.Feature) (reason.Reason, error) {
		key, outline := f.Text(o.Key, o.KeyText), vector.Outline(f.Geometry)
		switch {
		case !f.Fault.OK():
			return f.Fault, nil
		case key == "":
			return source.MissingKey, nil
		case len(outline) == 0:
			return source.MissingGeometry, nil
		case outlines[key] == digest(outline):
			return repeated, nil
		}
		if _, known := outlines[key]; !known {
			outlines[key] = digest(outline)
		}
		return reason.Reason{}, out.Row(source.Zone{Key: o.Scheme + ":" + key, Geometry: outline})
	})
}

// digest is that of the coordinates of an outline.
func digest(outline orb.MultiPolygon) [sha256.Size]byte {
	var b []byte
	for _, polygon := range outline {
		for _, ring := range polygon {
			for _, p := range ring {
				b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, math.Float64bits(p[0])), math.Float64bits(p[1]))
			}
		}
	}
	return sha256.Sum256(b)
}

// options decodes the options of a region file, adds the defaults of the layout and validates them.
func options(in source.Input) (o Options, err error) {
	err = in.Configure(&o, o.complete)
	return o, err
}

// complete adds the defaults of the layout and returns an error for missing, invalid or conflicting options.
func (o *Options) complete() error {
	given := o.Key
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	if o.KeyText != "" {
		o.Key = given
	}
	var f source.Faults
	f.Option(o.Key != nil && o.KeyText != "", "key", "and key_text: exclude each other")
	f.Option(o.Scheme == "", "scheme", "is missing; set it or a layout")
	f.Option(len(o.Key) == 0 && o.KeyText == "", "key", "or key_text: is missing; set one of them or a layout")
	f.Add(o.Check())
	return f.Err()
}

func (o *Options) file(in source.Input) *vector.File {
	return o.FileOf(in, append(source.Lists(source.Placeholders(o.KeyText)...), o.Key)...)
}
