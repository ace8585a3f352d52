// Package osm reads OpenStreetMap. In goes an extract as PBF or XML, out come the boundaries of levels 10 to 70 that
// are closed in it, the places that somebody may want to go to, the streets and what shapes a place (tracks, shores,
// woods, buildings …), and the extent of the data where it is a piece of a state. One extract alone is enough to build a
// release from.
package osm

import (
	"context"
	"fmt"

	"quartier/ingest/source"
)

// Kind is the reader of OpenStreetMap extracts.
type Kind struct{}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "osm",
		Title: "Boundaries, places, streets and features of an OpenStreetMap extract",
		Formats: []string{
			"OSM PBF (.osm.pbf), dense or plain nodes, sorted or not, zlib, zstd or unpacked",
			"OSM XML (.osm, .osm.gz, .osm.bz2), also as JOSM and Overpass write it",
		},
		Yields:  []string{"boundary", "coverage", "poi", "street", "feature"},
		Options: Options{},
		Notes: "Read counts what the elements claim to be: a boundary, a place, a street, a feature of some kind; one that is several is counted as often. " +
			"Boundaries are closed ways and relations; the rules that give them a level are in ingest/kinds/osm/levels.csv. An outline that leaves the extract is left out and counted. " +
			"Places are nodes, closed ways and multipolygons with one of the tags in ingest/kinds/osm/placetags/places.csv, named or not; areas stand at a point inside with their size. Disused ones are left out. " +
			"Where no outline of the state is closed, the hull of the data, cut to the box in the file's header, is the coverage. Its state is the one of the options or the region; " +
			"else the one that most addresses and imported tags of the data name (addr:state, is_in:state_code, gnis:ST_alpha, tiger:county); " +
			"else, of the open outlines with ISO3166-2, the one with the most members in the extract. The choice is counted as an issue with its reason. " +
			"The name of a boundary is name:en, else name; in Quebec name is the French one too. The name of a place, street or feature is the one on its sign: name, else name:en or name:fr. " +
			"Streets are ways with one of the values of highway in ingest/kinds/osm/streettags/classes.csv, which has their class and who may move along them; access.csv says what the tags of access change. " +
			"The tag of a mode (foot; bicycle; motorcar, motor_vehicle) holds over the class, access and vehicle only take away. What is private is closed, save residential streets, which people live on. " +
			"Nobody walks along motorways, expressways for cars (motorroad) and, without a sidewalk, trunk roads of more than 90 km/h. Motorways and roundabouts are one-way unless they say otherwise. " +
			"A closed way with area=yes is a square, and its outline a pedestrian street. A way that leaves the extract is staged as its longest stretch inside. " +
			"Features are told by ingest/kinds/osm/featuretags/features.csv; of several rules for a kind the first one holds. What runs below the ground is left out. " +
			"The ways of a multipolygon of water are staged one by one as shores, so that a lake that leaves the extract has them too. " +
			"Tracks without a usage are a main line where they are electrified, fast or carry passengers, else a branch. An airfield with an IATA code or of the military is regional unless its type or name says international.",
	}
}

// Stage reads an extract in four passes: relations, and nodes that are places or features; ways, for the nodes that they
// and the outlines need; coordinates; ways that are places, streets or features. Memory holds the outlines and the
// coordinates: 16 bytes for each node of a way that is staged.
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
