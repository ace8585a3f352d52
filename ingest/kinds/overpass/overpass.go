// Package overpass is the kind for exports of OpenStreetMap objects by the Overpass API: its JSON, and the GeoJSON of
// overpass turbo and similar tools. The POIs are the same as those of a complete extract: a node at its location, a
// closed way or multipolygon at a point inside, with all tags.
package overpass

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/kinds/osm/linetags"
	"quartier/ingest/kinds/osm/placetags"
	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var own reason.List

var (
	repeated    = own.Skipped("repeated_element", "The object is in the files already; its first tags are kept.")
	untagged    = own.Skipped("untagged_element", "The object has no tags; it is a part of others.")
	routeMaster = own.Skipped("route_master",
		"The relation groups the directions and variants of a line, which are staged by their own relations.")
	withoutOutline    = own.Skipped("relation_without_outline", "The relation is not of a type that has an outline.")
	incompleteOutline = own.Rejected("incomplete_outline", "A part of the outline is not in the file.")
	malformedHstore   = own.Repaired("malformed_hstore", "The hstore text is malformed; the tags before the error are used.")
	partMerged        = own.Skipped("multipart_merged", "The feature is a part of an object and was merged with its other parts.")
)

// Options of an Overpass source.
type Options struct {
	Tags map[string]string `yaml:"tags" doc:"tags that every object has although they are not in the file, e.g. leisure: park; tags in the file have precedence"`
}

// Kind is the source kind "overpass".
var Kind = source.Declaration[Options]{
	Kind:  "overpass",
	Title: "OpenStreetMap objects from the Overpass API",
	Formats: []string{
		"Overpass JSON (out:json) with out body, skel, center, bb or geom; objects in any order",
		"GeoJSON of overpass turbo (@id, flat tags), of osmtogeojson (id, tags) and of osm2pgsql or GDAL (osm_id, hstore tags)",
		"a folder of such files",
	},
	Yields: []string{"poi", "route", "route_shape", "stop", "stop_service"},
	Own:    &own,
	Reasons: slices.Concat(placetags.Reasons(), linetags.Reasons(), []reason.Reason{
		polygon.OpenOutline, source.ZeroArea, source.MissingGeometry, source.MissingKey, source.MalformedRecord,
		source.MalformedProperties, source.InvalidUTF8,
	}, geojson.Reasons()),
	Notes: "Scheme osm; keys are osm:node:1, osm:way:1, osm:relation:1, so that the same object is known in other sources. " +
		"Places are classified as in an extract, by ingest/kinds/osm/placetags/places.csv; street furniture and disused places are skipped and " +
		"counted. An object that occurs several times is staged once, with the first tags; the parts of a GeoJSON area are merged. " +
		"Closed ways and multipolygons are staged as a point inside with their size; if the file has only center or bounds, as that point " +
		"without a size. Open ways, ways with area=no and relations without an outline are skipped and counted. " +
		"Route relations of public transport, of Overpass JSON with their members (out body, with the members, or out geom), are lines as in " +
		"an extract. An osm_id without a type is a relation if negative, else a node if the geometry is a point, else a way. " +
		"A file whose remark reports an error of the query is refused as incomplete.",
	Inspect: func(_ context.Context, in source.Input, _ *Options) error {
		files, err := source.Files(in.Path, ".json", ".geojson")
		faults := source.Faults(source.Flatten(err))
		for _, path := range files {
			faults.Add(checkForm(path, in.Limits))
		}
		return faults.Err()
	},
	Read: read,
}

func checkForm(path string, limits source.Limits) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := formOf(file, limits); err != nil {
		return fmt.Errorf("%s: %w", path, bad(err))
	}
	return nil
}

// read reads the file or folder and stages its places: nodes, ways, relations, ordered by id.
func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	files, err := source.Files(in.Path, ".json", ".geojson")
	if err != nil {
		return err
	}
	c, err := newCollection(o.Tags, in.Limits, out)
	if err != nil {
		return err
	}
	for _, file := range files {
		out.Part(filepath.Base(file))
		if err := c.read(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	out.Part("")
	return c.stageAll(ctx)
}

// stageAll stages the objects of all files.
func (c *collection) stageAll(ctx context.Context) error {
	objects := c.objects()
	slices.SortFunc(objects, func(a, b *object) int {
		return cmp.Or(cmp.Compare(a.id.kind, b.id.kind), cmp.Compare(a.id.number, b.id.number))
	})
	lines, objects := c.takeLines(objects)
	if err := c.stageLines(lines); err != nil {
		return err
	}
	for _, o := range objects {
		for key, value := range c.extra {
			if o.tags[key] == "" {
				o.tags[key] = value
			}
		}
	}
	c.findStations(objects, lines.routes)
	for _, o := range objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.stage(o); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// read reads one file of either format.
func (c *collection) read(ctx context.Context, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return c.readFrom(ctx, filepath.Base(path), file)
}

func (c *collection) readFrom(ctx context.Context, name string, file io.ReadSeeker) error {
	c.file = name
	form, err := formOf(file, c.limits)
	if err != nil {
		return bad(err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if form == "elements" {
		return c.readElements(ctx, file)
	}
	return c.readFeatures(ctx, file)
}

// formOf returns the member that distinguishes the two formats: "elements" or "features".
func formOf(file io.Reader, limits source.Limits) (string, error) {
	dec := geojson.NewDecoder(file, limits)
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return "", cmp.Or(err, fmt.Errorf("%v instead of an object", token))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return "", err
		}
		if key == "elements" || key == "features" {
			return key.(string), nil
		}
		var skipped json.RawMessage
		if err := dec.Decode(&skipped); err != nil {
			return "", err
		}
		if key == "type" && string(skipped) == `"Feature"` {
			return "features", nil
		}
	}
	if _, err := dec.Token(); err != nil {
		return "", err
	}
	return "", fmt.Errorf("neither elements nor features")
}
