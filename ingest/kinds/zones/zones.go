// Package zones is the kind for outlines of small areas with census tables (block groups, dissemination areas), for places
// without census blocks. It reads one file of features into rows of staged.zone; options name the attribute of the key.
package zones

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
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
	Layout   string                 `yaml:"layout" doc:"publisher's layout, which sets defaults for scheme and key"`
	Scheme   string                 `yaml:"scheme" values:"census:bg census:tract statcan:da" doc:"scheme of the keys, one of those that census tables are read of; required without a layout"`
	Key      source.List            `yaml:"key" doc:"attribute with the publisher's key; of several the first that is not empty"`
	KeyText  string                 `yaml:"key_text" doc:"template of the key with {attribute}, {@id} (feature id) and {@row} (number in the file, 1 first)"`
	Where    map[string]source.List `yaml:"where" doc:"attribute: value or list of values; only features that match in all of these attributes are kept"`
	Unless   map[string]source.List `yaml:"unless" doc:"attribute: value or list of values; features that match in one of these attributes are skipped"`
	BBox     source.BBox            `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; features whose bounding box does not touch it are skipped"`
	Layer    string                 `yaml:"layer" doc:"layer of a GeoPackage, or shapefile in an archive, where there are several"`
	CRS      string                 `yaml:"crs" doc:"coordinate reference system, where the file has none or a wrong one: EPSG:3347, WKT or a PROJ string"`
	Encoding string                 `yaml:"encoding" doc:"text encoding of a shapefile, where its .cpg is missing or wrong"`
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
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage",
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
	return source.Join(err, vector.Check(ctx, in.Path, o.file(in.Limits), o.wanted(), o.Where))
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
	layer, err := vector.Open(ctx, in.Path, o.file(in.Limits))
	if err != nil {
		return err
	}
	defer layer.Close()
	outlines := map[string][sha256.Size]byte{} // by key
	selection := vector.Selection{Where: o.Where, Unless: o.Unless, BBox: o.BBox}
	return layer.Stage(ctx, out, o.wanted(), "the options where, unless and bbox select", func(f vector.Feature) (bool, error) {
		key, outline, why := f.Text(o.Key, o.KeyText), vector.Outline(f.Geometry), selection.Skip(f)
		selected := why.OK()
		switch {
		case !selected:
		case !f.Fault.OK():
			why = f.Fault
		case key == "":
			why = source.MissingKey
		case len(outline) == 0:
			why = source.MissingGeometry
		case outlines[key] == digest(outline):
			why = repeated
		default:
			if _, known := outlines[key]; !known {
				outlines[key] = digest(outline)
			}
			return true, out.Row(source.Zone{Key: o.Scheme + ":" + key, Geometry: outline})
		}
		out.Issue(why, f.Where(key))
		return selected, nil
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
	f.Add(o.BBox.Check())
	return f.Err()
}

// file returns the options of the file's format.
func (o Options) file(limits source.Limits) vector.Options {
	return vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding, Limits: limits}
}

// wanted returns the attributes that the file must have, of each list one.
func (o *Options) wanted() []source.List {
	names := slices.AppendSeq(slices.AppendSeq(source.Placeholders(o.KeyText), maps.Keys(o.Where)), maps.Keys(o.Unless))
	return append(source.Lists(names...), o.Key)
}
