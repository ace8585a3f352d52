// Package osm reads OpenStreetMap. In goes an extract as PBF or XML, out come the boundaries of levels 10 to 70 that
// are closed in it, the places that somebody may want to go to, and the extent of the data where it is a piece of a
// state. One extract alone is enough to build a release from.
package osm

import (
	"context"
	"fmt"

	"quartier/ingest/source"
)

// Kind is the reader of OpenStreetMap extracts.
type Kind struct{}

// Options of an OpenStreetMap source.
type Options struct {
	Boundaries *bool       `yaml:"boundaries" doc:"take boundaries and the extent; default true"`
	POIs       *bool       `yaml:"pois" doc:"take places to go to; default true"`
	Country    string      `yaml:"country" doc:"'CA' or 'US', where the extract lies; default: the region's, else as the data says"`
	State      string      `yaml:"state" doc:"two letters, where the extract lies; default: the region's, else as the data says"`
	Levels     []LevelRule `yaml:"levels" doc:"rules for boundaries that go before the built-in ones: country (may be absent), tags (key=value …), level (0: leave out)"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "osm",
		Title: "Boundaries and places of an OpenStreetMap extract",
		Formats: []string{
			"OSM PBF (.osm.pbf), dense or plain nodes, sorted or not, zlib, zstd or unpacked",
			"OSM XML (.osm, .osm.gz, .osm.bz2), also as JOSM and Overpass write it",
		},
		Yields:  []string{"boundary", "coverage", "poi"},
		Options: Options{},
		Notes: "Read counts the elements that claim to be a boundary or a place. " +
			"Boundaries are closed ways and relations; the rules that give them a level are in ingest/osm/levels.csv. An outline that leaves the extract is left out and counted. " +
			"Places are nodes, closed ways and multipolygons with one of the tags in ingest/osm/place/places.csv, named or not; areas stand at a point inside with their size. Disused ones are left out. " +
			"Where no outline of the state is closed, the hull of the data, cut to the box in the file's header, is the coverage. Its state is the one of the options or the region; " +
			"else the one that most addresses and imported tags of the data name (addr:state, is_in:state_code, gnis:ST_alpha, tiger:county); " +
			"else, of the open outlines with ISO3166-2, the one with the most members in the extract. The choice is counted as an issue with its reason. " +
			"The name of a boundary is name:en, else name; in Quebec name is the French one too. The name of a place is the one on its sign: name, else name:en or name:fr.",
	}
}

// Stage reads an extract in a few passes: relations and nodes that are places; ways that outlines are made of;
// coordinates; ways that are places. Memory holds the outlines and the coordinates that they and the places need.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	var options Options
	if err := in.Decode(&options); err != nil {
		return err
	}
	s, err := newStager(in, options, out)
	if err != nil {
		return fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	file, err := Open(in.Path)
	if err != nil {
		return fmt.Errorf("source %s: %w", in.Source, err)
	}
	defer file.Close()
	if err := s.run(ctx, file); err != nil {
		return fmt.Errorf("source %s, file %s: %w", in.Source, in.Path, err)
	}
	return nil
}
