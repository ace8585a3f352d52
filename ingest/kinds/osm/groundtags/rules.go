// Package groundtags classifies OpenStreetMap objects by their tags as what the map shows as ground, by the rules of
// ground.tsv: the layers and kinds of schemas.GroundLayers.
package groundtags

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/tsv"
)

//go:embed ground.tsv
var table string

// Rules have the rules of each value of a key; "*" has those of other values.
type Rules map[string]map[string][]rule

type rule struct {
	layer int // in schemas.GroundLayers
	kind  string
	line  int
}

// NewRules reads the built-in rules.
func NewRules() (Rules, error) {
	rows, err := tsv.Parse("ground.tsv", table, "key", "value", "layer", "kind")
	if err != nil {
		return nil, err
	}
	rules := Rules{}
	for i, row := range rows {
		if _, _, known := schemas.GroundKindOf(row[2], row[3]); !known {
			return nil, fmt.Errorf("ground.tsv: %s has no kind %s", row[2], row[3])
		}
		if rules[row[0]] == nil {
			rules[row[0]] = map[string][]rule{}
		}
		layer := slices.IndexFunc(schemas.GroundLayers, func(l schemas.GroundLayer) bool { return l.ID == row[2] })
		rules[row[0]][row[1]] = append(rules[row[0]][row[1]], rule{layer, row[3], i})
	}
	return rules, nil
}

// Match is what an object is in a layer of schemas.GroundLayers.
type Match struct {
	Layer schemas.GroundLayer
	kind  string
}

// Classify appends what an object is, at most once in each layer. Nodes are points, relations areas; a way is a line, or an
// area if it is closed and its layer has areas: streets have them only with area=yes. Areas are points of layers that have
// those, except for names of places. What is disused or underground is nothing.
func (r Rules) Classify(kind element.Kinds, closed bool, tags element.Tags, matches []Match) []Match {
	var found [32]*rule // by layer
	any, gone, square := false, false, false
	for key, value := range tags.All() {
		gone = gone || element.NotInUse(key, value) || key == "location" && value == "underground"
		square = square || key == "area" && value == "yes"
		closed = closed && !(key == "area" && value == "no")
		rules, known := r[key][value]
		if !known && value != "no" {
			rules = r[key]["*"]
		}
		for i := range rules {
			if best := found[rules[i].layer]; best == nil || rules[i].line < best.line {
				found[rules[i].layer], any = &rules[i], true
			}
		}
	}
	if !any || gone {
		return matches
	}
	area := kind == element.Relations || closed
	for i, layer := range schemas.GroundLayers {
		if found[i] == nil {
			continue
		}
		drawn := false
		switch layer.ID {
		case "place_labels":
			drawn = kind == element.Nodes
		case "street_polygons":
			drawn = area && (square || tags.Get("highway") == "")
		case "streets":
			drawn = kind == element.Ways && !(area && (square || tags.Get("aeroway") != ""))
		case "dam_lines", "pier_lines":
			drawn = kind == element.Ways && !area
		default:
			drawn = layer.Shape == "point" && (area || kind == element.Nodes) || layer.Shape == "area" && area ||
				layer.Shape == "line" && kind == element.Ways
		}
		if drawn {
			matches = append(matches, Match{layer, found[i].kind})
		}
	}
	return matches
}

// Row is the row of a match without key and geometry.
func (m Match) Row(tags element.Tags) source.Ground {
	row := source.Ground{}
	row.Layer, row.Kind = m.Layer.ID, m.kind
	row.Name, row.NameFR = names(tags)
	row.Ref = strings.TrimSpace(tags.Get("ref"))
	row.Bridge, row.Tunnel = has(tags.Get("bridge")), has(tags.Get("tunnel")) && tags.Get("tunnel") != "building_passage"
	switch m.Layer.ID {
	case "streets":
		row.Link = strings.HasSuffix(tags.Get("highway"), "_link")
		if row.Service = strings.TrimSpace(tags.Get("service")); row.Service != "" && tags.Get("railway") != "" {
			row.MinZoom = new(int32(10))
		}
	case "ferries":
		if tags.Get("motor_vehicle") == "no" {
			row.MinZoom = new(int32(12))
		}
	case "water_polygons":
		if _, _, known := schemas.GroundKindOf(m.Layer.ID, tags.Get("water")); known {
			row.Kind = tags.Get("water")
		}
	case "place_labels":
		switch capital := tags.Get("capital"); {
		case settlements[m.kind] && capital == "yes":
			row.Kind = "capital"
		case settlements[m.kind] && capital == "4":
			row.Kind = "state_capital"
		}
	}
	return row
}

// settlements are the kinds of places that may be capitals.
var settlements = map[string]bool{"city": true, "town": true, "village": true, "hamlet": true}

func has(value string) bool { return value != "" && value != "no" }

// names returns the name on the sign, name, else name:en or name:fr, and the French one if it differs.
func names(tags element.Tags) (name, french string) {
	french = strings.TrimSpace(tags.Get("name:fr"))
	for _, key := range [...]string{"name", "name:en"} {
		if name = strings.TrimSpace(tags.Get(key)); name != "" {
			break
		}
	}
	switch name {
	case "":
		return french, ""
	case french:
		return name, ""
	}
	return name, french
}
