// Package ground is the kind for what the map shows as ground, and nothing else reads: OpenStreetMap extracts, files of Overture
// Maps and of Natural Earth. It reads one file into rows of staged.ground.
package ground

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"

	"quartier/ingest/formats/vector"
	"quartier/ingest/kinds/osm"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/source"
	"quartier/schemas/reason"
	"quartier/schemas/tsv"
)

// Options of a source of ground.
type Options struct {
	Layout             string `yaml:"layout" doc:"publisher's layout; required but for an OpenStreetMap extract (.pbf, .osm …)"`
	vector.FileOptions `yaml:",inline"`
}

// settings are the options, and what was read so far.
type settings struct {
	Options
	lands []orb.MultiPolygon // outlines of land of each file
}

const (
	extract      = "osm" // the layout of OpenStreetMap extracts, which the kind osm reads
	naturalEarth = "natural-earth"
)

//go:embed layouts.tsv
var table string

// layouts are the rules of each layout.
var layouts = func() map[string]groundtags.Rules {
	rows, rules := map[string][][]string{extract: nil}, map[string]groundtags.Rules{}
	for _, c := range tsv.MustParse("layouts.tsv", table, "layout", "column", "value", "layer", "kind") {
		rows[c[0]] = append(rows[c[0]], c[1:])
	}
	for layout, list := range rows {
		rules[layout] = groundtags.NewRules(list)
	}
	return rules
}()

var own reason.List

var notShown = own.Skipped("not_on_the_map",
	"The ground of the map has no layer for the feature: for its class or shape, or it is underground.")

// Kind is the source kind "ground".
var Kind = withExtracts(vector.Kind(source.Declaration[settings]{
	Kind:  "ground",
	Title: "Ground of the map: land, water, streets, buildings, places and borders, for the map alone",
	Formats: slices.Concat([]string{
		"Natural Earth, 1:10m to 1:110m, a file or a folder of files: land, ocean, lakes, rivers, glaciers, urban areas, populated places, " +
			"lines of admin 0 and 1, railroads",
		"Overture Maps: a type of the themes base, transportation, buildings and divisions, as GeoParquet (a file or a folder) or GeoJSON",
		"OpenStreetMap extracts as of the kind osm",
	}, vector.Formats),
	Yields:  []string{"ground"},
	Own:     &own,
	Reasons: slices.Concat([]reason.Reason{source.MissingGeometry}, osm.Kind.Info().Reasons),
	Notes: "No measure, score or text reads it. Several sources may be in a region, beside the ground of an OpenStreetMap extract. What " +
		"features are is in ingest/kinds/ground/layouts.tsv; their lowest zoom is min_zoom of Natural Earth, rounded down, or of Overture's " +
		"cartography. The ocean of a file of land is the rest of its box, or of the option bbox; in the box of a smaller file of a folder it " +
		"is that one's. Of a line of several parts each is a row. Files of the world need the option bbox. " +
		"Layouts: " + source.LayoutNames(layouts) + ".",
	Options: Options{},
	Decode: func(in source.Input) (*settings, error) {
		o := new(settings)
		return o, in.Configure(&o.Options, func() error {
			if name := filepath.Base(in.Path); o.Layout == "" && (strings.HasSuffix(name, ".pbf") || strings.Contains(name, ".osm")) {
				o.Layout = extract
			}
			_, known := layouts[o.Layout]
			var f source.Faults
			f.Option(!known, "layout", "%q is none of %s", o.Layout, source.LayoutNames(layouts))
			f.Add(o.Check())
			return f.Err()
		})
	},
}, vector.Features[settings]{
	File: func(o *settings, in source.Input) *vector.File { return o.FileOf(in) },
	Name: func(_ *settings, f vector.Feature) string { return f.Text(source.List{"name", "NAME"}, "") },
	Stage: func(_ context.Context, r vector.Run[settings]) error {
		r.Options.lands = append(r.Options.lands, nil)
		return r.Each(func(f vector.Feature) (reason.Reason, error) { return feature(f, r) })
	},
}))

// withExtracts makes the kind read extracts of OpenStreetMap as the kind osm does, their ground alone.
func withExtracts(d source.Declaration[settings]) source.Declaration[settings] {
	inspect, read := d.Inspect, d.Read
	input := func(in source.Input) source.Input {
		if err := yaml.Unmarshal([]byte("{boundaries: false, pois: false, transit: false, streets: false, features: false, ground: true}"),
			&in.Options); err != nil {
			panic(err) // it is a constant
		}
		in.Options = *in.Options.Content[0]
		return in
	}
	d.Inspect = func(ctx context.Context, in source.Input, o *settings) error {
		if o.Layout == extract {
			return osm.Kind.Check(ctx, input(in))
		}
		return eachFile(in, o, func(in source.Input) error { return inspect(ctx, in, o) })
	}
	d.Read = func(ctx context.Context, in source.Input, o *settings, out source.Sink) error {
		if o.Layout == extract {
			return osm.Kind.Stage(ctx, input(in), out)
		}
		err := eachFile(in, o, func(file source.Input) error {
			if file.Path != in.Path {
				out.Part(filepath.Base(file.Path))
			}
			return read(ctx, file, o, out)
		})
		if err != nil {
			return err
		}
		out.Part("")
		return ocean(o, out)
	}
	return d
}

// eachFile calls do for the files of a folder of Natural Earth in order, else for the one file or the folder itself.
func eachFile(in source.Input, o *settings, do func(source.Input) error) error {
	info, err := os.Stat(in.Path)
	if err != nil || !info.IsDir() || o.Layout != naturalEarth {
		return do(in)
	}
	files, err := source.Files(in.Path, ".geojson", ".json", ".shp", ".zip", ".gpkg", ".fgb", ".parquet")
	for i := 0; i < len(files) && err == nil; i++ {
		in.Path = files[i]
		err = do(in)
	}
	return err
}
