// Package osm is the kind for OpenStreetMap extracts as PBF or XML. It stages the complete boundaries of levels 10 to 70,
// places, streets and features (tracks, shores, woods, buildings …). A release can be built from one extract only.
package osm

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
)

// kind has beside a declaration the box of a file.
type kind struct{ source.Declaration[stager] }

// Box returns the box in the header of an extract.
func (kind) Box(in source.Input) (box orb.Bound, known bool, err error) {
	file, err := Open(in.Path, in.Limits)
	if err != nil {
		return orb.Bound{}, false, err
	}
	box, known = file.Bound()
	return box, known, file.Close()
}

// Kind is the source kind "osm".
var Kind = kind{source.Declaration[stager]{
	Kind:  "osm",
	Title: "Boundaries, places, streets and features of an OpenStreetMap extract",
	Formats: []string{
		"OSM PBF (.osm.pbf), dense or plain nodes, sorted or not, zlib, zstd or unpacked",
		"OSM XML (.osm, .osm.gz, .osm.bz2), also as JOSM and Overpass write it",
	},
	Yields:  []string{"boundary", "further_name", "poi", "street", "feature", "ground", "route", "route_shape", "stop", "stop_service"},
	Own:     &own,
	Reasons: reasons(),
	Notes: "Rows read are counted by what the tags of an element mean: a boundary, a place, a street, a feature of each kind; an element " +
		"that is several is counted several times. " +
		"Boundaries are closed ways and relations; the rules that assign a level are in ingest/kinds/osm/levels.csv. An outline that leaves " +
		"the extract is skipped. " +
		"Places are nodes, closed ways and multipolygons with one of the tags in ingest/kinds/osm/placetags/places.csv, named or not; areas " +
		"are staged as a point inside with their size. Disused places are skipped. " +
		"The state of an outline is the one whose complete outline in the extract contains it, else that of its tags (is_in:state_code, " +
		"gnis:ST_alpha, tiger:STATEFP), else the one that it is in by the outlines of the program. " +
		"The name of a boundary is name:en, else name; in Quebec name is the French name too. The name of a place, street or feature is that " +
		"on the sign: name, else name:en or name:fr. " +
		"Streets are ways with one of the values of highway in ingest/kinds/osm/streettags/classes.csv, which has their class and permitted " +
		"modes; access.csv has the meaning of access tags. " +
		"The tag of a mode (foot; bicycle; motorcar, motor_vehicle) overrides the class; access and vehicle can only prohibit. Private ways " +
		"are closed, except residential streets. " +
		"Pedestrians are excluded from motorways, expressways for cars (motorroad) and, without a sidewalk, trunk roads of more than 90 km/h. " +
		"Motorways and roundabouts are one-way unless tagged otherwise. " +
		"A closed way with area=yes is a square, and its outline a pedestrian street. A way that leaves the extract is staged as its longest " +
		"part inside. " +
		"Lines of public transport are relations with type=route and route=bus, trolleybus, tram, light_rail, subway, train, monorail, ferry, " +
		"funicular or aerialway; those of one mode, network and ref, or of one route_master, are one line. " +
		"It serves the members with a role of a stop or platform, and nodes without a role; a line with fewer than two of these is staged by " +
		"its ways. The lines that a stop lists (route_ref, route_ref:*) count where no relation and no other source has a line of their kind. " +
		"Departures of such lines are not known and are assumed by mode; a line that a timetable of the region has counts by that alone. Lines " +
		"may be missing: where none is near, nothing is known. " +
		"Features are classified by ingest/kinds/osm/featuretags/features.csv; of several rules for a kind the first one applies. Underground " +
		"features are skipped. " +
		"The ways of a multipolygon of water are staged separately as shores, so that a lake that leaves the extract has shores too. " +
		"The ground of the map is what ingest/kinds/osm/groundtags/ground.tsv lists, in the layers and kinds of the Shortbread schema, and " +
		"the ways of relations of countries and states, incomplete ones too. It is not counted as read, and nothing but the map reads it. " +
		"Tracks without usage are a main line if they are electrified, high-speed or carry passengers, else a branch. An airfield with an IATA " +
		"code or of the military is regional unless it is international by its type or name.",
	Options: Options{},
	Decode: func(in source.Input) (s *stager, err error) {
		var options Options
		err = in.Configure(&options, func() (err error) {
			s, err = newStager(in, options)
			return err
		})
		return s, err
	},
	Inspect: func(_ context.Context, in source.Input, _ *stager) error {
		file, err := Open(in.Path, in.Limits)
		if err != nil {
			return err
		}
		return source.Join(checkBox(file), file.Close())
	},
	Read: read,
}}

// read reads an extract in four passes: relations, and nodes that are places or features; ways, whose nodes are needed;
// coordinates; ways that are places, streets or features. It keeps the outlines in memory and 16 bytes for each node of a
// staged way.
func read(ctx context.Context, in source.Input, s *stager, out source.Sink) error {
	file, err := Open(in.Path, in.Limits)
	if err != nil {
		return fmt.Errorf("source %s: %w", in.Source, err)
	}
	defer file.Close()
	s.out = out
	if err := s.run(ctx, file); err != nil {
		return fmt.Errorf("source %s, file %s: %w", in.Source, in.Path, err)
	}
	return nil
}
