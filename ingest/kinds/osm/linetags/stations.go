package linetags

import (
	_ "embed"
	"encoding/csv"
	"maps"
	"slices"
	"strings"
	"unicode"

	"quartier/ingest/formats/element"
)

// Stations finds the kind of railway of stations, by the ids of their nodes, that have no tags of it: what runs through
// them shows it. Add all stations, then all tracks and lines, before Kind.
type Stations map[int64]map[string]bool // kinds of the tracks and lines of each

// stationKinds are the values of station=* by the tracks (railway=*) and the modes of lines.
var stationKinds = map[string]string{
	"subway": "subway", "light_rail": "light_rail", "monorail": "monorail", "funicular": "funicular", "miniature": "miniature",
	"tram": "light_rail",
	"rail": train, "narrow_gauge": train, // the mode of trains too
}

// train is the kind of stations of trains, which have no value of station=*.
const train = "train"

// Add adds a node if it is a station or halt without tags of its kind, which it reports.
func (s Stations) Add(id int64, tags element.Tags) bool {
	if v := tags.Get("railway"); v != "station" && v != "halt" {
		return false
	}
	for _, key := range []string{"station", "train", "subway", "light_rail", "monorail", "funicular", "tram"} {
		if tags.Get(key) != "" {
			return false
		}
	}
	s[id] = map[string]bool{}
	return true
}

// AddTrack takes a way, which may be no track, with its nodes.
func (s Stations) AddTrack(railway string, nodes []int64) {
	kind := stationKinds[railway]
	if kind == "" || len(s) == 0 {
		return
	}
	for _, id := range nodes {
		if kinds := s[id]; kinds != nil {
			kinds[kind] = true
		}
	}
}

// AddLine takes the stops of a route.
func (s Stations) AddLine(r *Route) {
	kind := stationKinds[r.Mode]
	for _, m := range r.Members {
		if kinds := s[m.Ref]; kinds != nil && kind != "" && m.Kind == element.Nodes && Stops(m) {
			kinds[kind] = true
		}
	}
}

// Kind returns the value of station=* for a node, "" for a station of trains or of an unknown kind, and for a node that is
// not among the stations. Trains among several decide; of others the first in alphabetical order. Where nothing is known
// to run through the station, its network and operator decide.
func (s Stations) Kind(id int64, tags map[string]string) string {
	kinds, added := s[id]
	switch {
	case !added || kinds[train]:
		return ""
	case len(kinds) > 0:
		return slices.Sorted(maps.Keys(kinds))[0]
	}
	return networkKind(tags["network"] + " " + tags["operator"])
}

// networksCSV has words of networks and operators and the kind of their stations, "" for trains; the first row whose words
// are in a text decides.
//
//go:embed networks.csv
var networksCSV string

var networks = func() [][]string {
	rows, err := csv.NewReader(strings.NewReader(networksCSV)).ReadAll()
	if err != nil {
		panic("networks.csv: " + err.Error())
	}
	return rows[1:]
}()

// networkKind compares whole words: "Réseau de transport métropolitain" is no "métro", "Metro-North" is "metro north".
func networkKind(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	text = " " + strings.Join(words, " ") + " "
	for _, row := range networks {
		if strings.Contains(text, " "+row[0]+" ") {
			return row[1]
		}
	}
	return ""
}
