// Package overpass reads what people take out of OpenStreetMap with the Overpass API: its JSON, and the GeoJSON of
// overpass turbo and of similar exports. Out come the same POIs as from a whole extract: a node at its place, a closed
// way or multipolygon at a point inside, with all tags.
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
	"quartier/ingest/source"
)

// Kind is the reader of Overpass exports.
type Kind struct{}

// Options of an Overpass source.
type Options struct {
	Tags map[string]string `yaml:"tags" doc:"tags that every object has although the file leaves them out, e.g. leisure: park; the file's own win"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "overpass",
		Title: "OpenStreetMap objects from the Overpass API",
		Formats: []string{
			"Overpass JSON (out:json) with out body, skel, center, bb or geom; objects in any order",
			"GeoJSON of overpass turbo (@id, flat tags), of osmtogeojson (id, tags) and of osm2pgsql or GDAL (osm_id, hstore tags)",
			"a folder of such files",
		},
		Yields:  []string{"poi"},
		Options: Options{},
		Notes: "Scheme osm; keys are osm:node:1, osm:way:1, osm:relation:1, so that the same object is known in other sources. " +
			"Places are judged as in an extract, by ingest/kinds/osm/placetags/places.csv: street furniture and what is gone is left out and counted. " +
			"An object that stands in several places is staged once, as it stands first; GeoJSON areas that stand in parts are joined. " +
			"Closed ways and multipolygons get a point inside and their area; where the file only says center or bounds, that point and no area. " +
			"Open ways, ways with area=no and relations without an outline are left out and counted. " +
			"An osm_id without a type is a relation if negative, else a node if the geometry is a point, else a way. " +
			"A file whose remark tells of an error of the query is refused: it is not complete.",
	}
}

// Stage reads the file or folder and hands its places out: nodes, ways, relations, by id.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	var options Options
	if err := in.Decode(&options); err != nil {
		return err
	}
	files, err := source.Files(in.Path, ".json", ".geojson")
	if err != nil {
		return err
	}
	c, err := newCollection(options.Tags, out)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := c.read(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return c.stageAll(ctx)
}

// stageAll hands out what was gathered.
func (c *collection) stageAll(ctx context.Context) error {
	objects := c.objects()
	slices.SortFunc(objects, func(a, b *object) int {
		return cmp.Or(cmp.Compare(a.id.kind, b.id.kind), cmp.Compare(a.id.number, b.id.number))
	})
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

// read reads one file of either form.
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
	form, err := formOf(file)
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

// formOf reads on to the member that tells the two forms apart: "elements" or "features".
func formOf(file io.Reader) (string, error) {
	dec := json.NewDecoder(geojson.WithoutMark(file))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return "", cmp.Or(err, fmt.Errorf("%v where an object should begin", token))
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
