// Package zones is the kind for the outlines of small areas that tables of statistics are about, block groups and
// dissemination areas, for places where no blocks are known. In goes one file of features with options that say which
// attribute is the key; out come rows of staged.zone.
package zones

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// Kind is the source kind "zones".
type Kind struct{}

// Options say what the key of a feature is. A layout fills in what a publisher's files have in common; what is given
// beside it goes before it.
type Options struct {
	Layout   string                 `yaml:"layout" doc:"publisher's layout that scheme and key default to"`
	Scheme   string                 `yaml:"scheme" doc:"scheme of the keys, as the tables' areas have it, e.g. census:bg; needed without a layout"`
	Key      source.List            `yaml:"key" doc:"attribute with the publisher's key; of several the first that is filled"`
	KeyText  string                 `yaml:"key_text" doc:"text of the key with {attribute}, {@id} (feature id) and {@row} (place in the file, 1 first)"`
	Where    map[string]source.List `yaml:"where" doc:"attribute: value or list of values; only features that have them in all of these attributes are kept"`
	Unless   map[string]source.List `yaml:"unless" doc:"attribute: value or list of values; features that have one of them are left out"`
	BBox     source.BBox            `yaml:"bbox" doc:"[west, south, east, north] in degrees; features whose box does not touch it are left out"`
	Layer    string                 `yaml:"layer" doc:"layer of a GeoPackage or shapefile of an archive, where there are several"`
	CRS      string                 `yaml:"crs" doc:"reference system of the coordinates where the file says none or a wrong one: EPSG:3347, WKT or PROJ string"`
	Encoding string                 `yaml:"encoding" doc:"encoding of a shapefile's texts where its .cpg says none or a wrong one"`
}

// layouts are what the files of a publisher have in common, whatever their year.
var layouts = map[string]Options{
	"tiger-bg":   {Scheme: "census:bg", Key: source.List{"GEOID", "GEOID20", "GEOID10"}},
	"nhgis-bg":   {Scheme: "census:bg", Key: source.List{"GEOID", "GEOID20", "GEOID10", "@gisjoin"}},
	"statcan-da": {Scheme: "statcan:da", Key: source.List{"DAUID", "@dguid"}},
}

func layoutNames() []string { return slices.Sorted(maps.Keys(layouts)) }

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "zones",
		Title: "Outlines of the small areas that statistics are about",
		Formats: []string{
			"TIGER/Line and NHGIS block groups, dissemination areas of Statistics Canada",
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage",
		},
		Yields:  []string{"zone"},
		Options: Options{},
		Reasons: append(vector.Reasons(), source.MissingKey, source.MissingGeometry),
		Notes: "For places without census blocks: a zone counts as one block with all of its people spread evenly. " +
			"Keys are those of the tables, which are of the same vintage or do not join. " +
			"Wherever an attribute is named, @id is the feature's own id, @row its place in the file, @dguid a DGUID without its vintage and @gisjoin the GEOID of a block group made of NHGIS's GISJOIN. " +
			"Outlines that cross themselves are mended. Layouts: " + strings.Join(layoutNames(), ", ") + ".",
	}
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	layer, err := vector.Open(in.Path, vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding})
	if err != nil {
		return err
	}
	defer layer.Close()
	if layer.FieldsKnown {
		if err := layer.Lacking(o.wanted()...); err != nil {
			return err
		}
	}
	read, asked := 0, 0
	selection := vector.Selection{Where: o.Where, Unless: o.Unless, BBox: o.BBox}
	err = layer.Read(ctx, func(f vector.Feature) error {
		read++
		out.Read(1)
		if why := selection.Skip(f); !why.OK() {
			out.Issue(why, f.Where(f.Text(o.Key, o.KeyText)))
			return nil
		}
		asked++
		return o.zone(f, out)
	})
	if err != nil {
		return err
	}
	if read == 0 {
		return layer.Bad("there are no features in it")
	}
	if err := layer.Lacking(o.wanted()...); err != nil {
		return err
	}
	if asked == 0 {
		return layer.Bad("where, unless and bbox leave none of its %d features", read)
	}
	return nil
}

// zone stages a feature.
func (o Options) zone(f vector.Feature, out source.Sink) error {
	key := f.Text(o.Key, o.KeyText)
	outline := vector.Outline(f.Geometry)
	switch {
	case !f.Fault.OK():
		out.Issue(f.Fault, f.Where(key))
	case key == "":
		out.Issue(source.MissingKey, f.Where(key))
	case len(outline) == 0:
		out.Issue(source.MissingGeometry, f.Where(key))
	default:
		return out.Zone(source.Zone{Key: o.Scheme + ":" + key, Geometry: outline})
	}
	return nil
}

// options decodes, completes by the layout and checks what a region file says.
func options(in source.Input) (Options, error) {
	var o Options
	if err := in.Decode(&o); err != nil {
		return o, err
	}
	fail := func(err error) (Options, error) {
		return o, fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	preset, known := layouts[o.Layout]
	if !known && o.Layout != "" {
		return fail(fmt.Errorf("layout %q is none of %s", o.Layout, strings.Join(layoutNames(), ", ")))
	}
	if o.Scheme == "" {
		o.Scheme = preset.Scheme
	}
	if o.Key != nil && o.KeyText != "" {
		return fail(errors.New("key: and key_text: exclude each other"))
	}
	if o.Key == nil && o.KeyText == "" {
		o.Key = preset.Key
	}
	switch {
	case o.Scheme == "":
		return fail(errors.New("scheme: is missing; give it or a layout"))
	case len(o.Key) == 0 && o.KeyText == "":
		return fail(errors.New("key: or key_text: is missing; give one or a layout"))
	}
	if err := o.BBox.Check(); err != nil {
		return fail(err)
	}
	return o, nil
}

// wanted are the attributes that the file must have.
func (o Options) wanted() []source.List {
	wanted := []source.List{o.Key}
	for _, name := range source.Placeholders(o.KeyText) {
		wanted = append(wanted, source.List{name})
	}
	for _, conditions := range []map[string]source.List{o.Where, o.Unless} {
		for name := range conditions {
			wanted = append(wanted, source.List{name})
		}
	}
	return wanted
}
