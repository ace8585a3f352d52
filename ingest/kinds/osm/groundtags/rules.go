// Package groundtags classifies objects by their tags as what the map shows as ground: the layers and kinds of
// package ground. The rules for OpenStreetMap are in ground.tsv.
package groundtags

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas/ground"
	"quartier/schemas/tsv"
)

//go:embed ground.tsv
var table string

// OpenStreetMap are the rules for its objects.
var OpenStreetMap = NewRules(tsv.MustParse("ground.tsv", table, "key", "value", "layer", "kind"))

// Rules have the rules of each value of a key; "*" has those of other values than no.
type Rules map[string]map[string][]rule

type rule struct {
	Match
	line int
}

// Match is what an object is in a layer.
type Match struct {
	Layer ground.Layer
	Kind  string
}

// NewRules makes rules of rows with key, value, layer and kind. Of several rules of a layer the first one counts.
func NewRules(rows [][]string) Rules {
	rules := Rules{}
	for i, row := range rows {
		if rules[row[0]] == nil {
			rules[row[0]] = map[string][]rule{}
		}
		layer, _, _ := ground.Find(row[2], row[3])
		rules[row[0]][row[1]] = append(rules[row[0]][row[1]], rule{Match{layer, row[3]}, i})
	}
	return rules
}

// Classify appends what an object is, at most once in each layer. Nodes are points, relations areas; a way is a line, or an
// area if it is closed and its layer has areas: streets have them only with area=yes. Areas are points of layers that have
// those, except for names of places. What is disused or underground is nothing.
func (r Rules) Classify(kind element.Kinds, closed bool, tags element.Tags, matches []Match) []Match {
	var found [16]rule
	best, square := found[:0], kind == element.Relations
	for key, value := range tags.All() {
		if element.NotInUse(key, value) || key == "location" && value == "underground" {
			return matches
		}
		square = square || key == "area" && value == "yes"
		closed = closed && !(key == "area" && value == "no")
		rules, known := r[key][value]
		if !known && value != "no" {
			rules = r[key]["*"]
		}
		for _, next := range rules {
			same := slices.IndexFunc(best, func(b rule) bool { return b.Layer.ID == next.Layer.ID })
			switch {
			case same < 0:
				best = append(best, next)
			case next.line < best[same].line:
				best[same] = next
			}
		}
	}
	shape := map[element.Kinds]string{element.Nodes: "point", element.Ways: "line", element.Relations: "area"}[kind]
	if closed {
		shape = "area"
	}
	for _, b := range best {
		if b.drawn(shape, kind == element.Ways, square) {
			matches = append(matches, b.Match)
		}
	}
	return matches
}

// drawn reports whether an object of a shape can be in the layer. way: it may be drawn as a line in any case; square: the area of
// a street.
func (m Match) drawn(shape string, way, square bool) bool {
	square = square || m.Kind == "runway" || m.Kind == "taxiway"
	switch id := m.Layer.ID; {
	case id == "street_polygons":
		return shape == "area" && square
	case shape == m.Layer.Shape:
		return true
	case m.Layer.Shape == "point":
		return shape == "area" && id != "place_labels"
	}
	return shape == "area" && m.Layer.Shape == "line" && way && !strings.HasPrefix(m.Layer.ID, "dam_") &&
		!strings.HasPrefix(m.Layer.ID, "pier_") && !(m.Layer.ID == "streets" && square)
}

// Row is the row of a match without key and geometry.
func (m Match) Row(tags element.Tags) (row source.Ground) {
	get := func(key string) string { return strings.TrimSpace(tags.Get(key)) }
	has := func(key string) bool { return get(key) != "" && get(key) != "no" }
	row.Layer, row.Kind = m.Layer.ID, m.Kind
	if m.Layer.ID == "boundaries" {
		row.Rank = new(map[string]int32{"country": 2, "state": 4}[m.Kind])
		row.Maritime = get("maritime") == "yes" || get("border_type") == "territorial" || get("natural") == "coastline"
		return row
	}
	row.Name, row.NameFR, row.Ref = get("name"), get("name:fr"), get("ref")
	for _, key := range []string{"name:en", "name:fr"} {
		if row.Name == "" {
			row.Name = get(key)
		}
	}
	if row.NameFR == row.Name {
		row.NameFR = ""
	}
	row.Bridge, row.Tunnel = has("bridge"), has("tunnel") && get("tunnel") != "building_passage"
	switch m.Layer.ID {
	case "streets":
		row.Link, row.Service = strings.HasSuffix(get("highway"), "_link"), get("service")
		if row.Service != "" && has("railway") {
			row.MinZoom = new(int32(10))
		}
	case "ferries":
		if get("motor_vehicle") == "no" {
			row.MinZoom = new(int32(12))
		}
	case "water_polygons":
		if _, _, known := ground.Find(m.Layer.ID, get("water")); known {
			row.Kind = get("water")
		}
	case "place_labels":
		if n, ok := Population(get("population")); ok {
			row.Population = &n
		}
		capital := map[string]string{"yes": "capital", "4": "state_capital"}[get("capital")]
		if capital != "" && slices.Contains([]string{"city", "town", "village", "hamlet"}, m.Kind) {
			row.Kind = capital
		}
	}
	return row
}

// StageOcean stages each area of an ocean, numbered from first, with the zoom from which they are drawn; nil: that of the kind.
func StageOcean(sea orb.MultiPolygon, first int, minZoom *int32, out source.Sink) error {
	for i, area := range sea {
		row := source.Ground{Geometry: orb.MultiPolygon{area}}
		row.Layer, row.Kind, row.SourceKey, row.MinZoom = "ocean", "ocean", fmt.Sprintf("ocean/%d", first+i), minZoom
		if err := out.Row(row); err != nil {
			return err
		}
	}
	return nil
}

// Population reads a population; false if it is missing or not a whole number.
func Population(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.NewReplacer(",", "", " ", "", "\u00a0", "").Replace(text), 10, 64)
	return n, err == nil && n >= 0
}
