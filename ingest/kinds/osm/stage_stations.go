package osm

import (
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/linetags"
)

// station is a node that is a station of an untagged kind of railway. It is staged when the tracks and lines that lead
// through it are known.
type station struct {
	tags  map[string]string
	point orb.Point
	kinds map[string]bool // of the tracks at the node and of the lines that stop there
}

// stationKinds are the values of station=* by the tracks (railway=*) and the modes of lines.
var stationKinds = map[string]string{
	"subway": "subway", "light_rail": "light_rail", "monorail": "monorail", "funicular": "funicular", "miniature": "miniature", "tram": "light_rail",
	"rail": "train", "narrow_gauge": "train", // the mode of trains too
}

// untypedStation reports whether a node is a station or halt without tags of its kind.
func untypedStation(tags element.Tags) bool {
	if v := tags.Get("railway"); v != "station" && v != "halt" {
		return false
	}
	for _, key := range []string{"station", "train", "subway", "light_rail", "monorail", "funicular", "tram"} {
		if tags.Get(key) != "" {
			return false
		}
	}
	return true
}

// keepStation keeps a station until its kind is known.
func (s *stager) keepStation(n *element.Node) {
	s.stations[n.ID] = &station{tags: n.Tags.Map(), point: n.Point, kinds: map[string]bool{}}
}

// passStation records what runs through the kept stations that a track has as nodes.
func (s *stager) passStation(w *element.Way) {
	kind := stationKinds[w.Tags.Get("railway")]
	if kind == "" || len(s.stations) == 0 {
		return
	}
	for _, ref := range w.Refs {
		if at := s.stations[ref]; at != nil {
			at.kinds[kind] = true
		}
	}
}

// networks are the kinds of stations by words of the network or operator where neither tracks nor lines show it.
var networks = []struct{ word, kind string }{
	{"subway", "subway"}, {"metro", "subway"}, {"métro", "subway"}, {"underground", "subway"}, {"light rail", "light_rail"},
	{"monorail", "monorail"}, {"funicular", "funicular"}, {"bergbahn", "funicular"}, {"miniature", "miniature"},
}

// kind returns the value of station=* for a station, "" for one of trains or of an unknown kind. Trains among several
// decide; of others the first in alphabetical order.
func (t *station) kind() string {
	if len(t.kinds) > 0 {
		kind := slices.Sorted(maps.Keys(t.kinds))[0]
		if t.kinds["train"] || kind == "train" {
			return ""
		}
		return kind
	}
	text := strings.ToLower(t.tags["network"] + " " + t.tags["operator"])
	if strings.Contains(text, "metrolink") || strings.Contains(text, "metro-north") || strings.Contains(text, "metra") {
		return ""
	}
	for _, n := range networks {
		if strings.Contains(text, n.word) {
			return n.kind
		}
	}
	return ""
}

// stageStations stages the kept stations.
func (s *stager) stageStations() error {
	for _, route := range s.transit.routes {
		for _, m := range route.Members {
			if at := s.stations[m.Ref]; at != nil && linetags.Stops(m) && m.Kind == element.Nodes {
				if kind := stationKinds[route.Mode]; kind != "" {
					at.kinds[kind] = true
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.stations)) {
		at := s.stations[id]
		if kind := at.kind(); kind != "" {
			at.tags["station"] = kind
		}
		if err := s.stagePlace(element.Nodes, id, at.tags, at.point, nil); err != nil {
			return err
		}
	}
	return nil
}
