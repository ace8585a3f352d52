package groundtags

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/formats/element"
	"quartier/schemas/ground"
)

// Each kind of the ground has a rule, except for those that are made of outlines or of several tags.
func TestEveryKindHasARule(t *testing.T) {
	made := map[string]bool{"ocean ocean": true, "boundaries country": true, "boundaries state": true, "place_labels capital": true,
		"place_labels state_capital": true}
	for _, values := range OpenStreetMap {
		for _, list := range values {
			for _, rule := range list {
				made[rule.Layer.ID+" "+rule.Kind] = true
			}
		}
	}
	for _, layer := range ground.Layers {
		for _, kind := range layer.Kinds {
			if !made[layer.ID+" "+kind.ID] {
				t.Errorf("no rule makes %s of %s", kind.ID, layer.ID)
			}
		}
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct{ drawn, tags, want string }{
		{"line", "highway=motorway_link ref=I_95 bridge=yes", "streets motorway ref=I_95 link bridge"},
		{"line", "highway=residential tunnel=building_passage name=Rue name:fr=Rue", "streets residential name=Rue"},
		{"line", "highway=service service=driveway", "streets service service=driveway"},
		{"line", "railway=rail service=yard tunnel=yes", "streets rail service=yard from=10 tunnel"},
		{"line", "highway=platform", ""},
		{"line", "highway=residential disused=yes", ""},
		{"line", "landuse=forest", ""},
		{"line", "man_made=pier", "pier_lines pier"},
		{"ring", "man_made=pier", "pier_polygons pier"},
		{"ring", "man_made=pier area=no", "pier_lines pier"},
		{"ring", "highway=pedestrian", "streets pedestrian"},
		{"ring", "highway=pedestrian area=yes", "street_polygons pedestrian"},
		{"ring", "aeroway=runway ref=09/27", "street_polygons runway ref=09/27"},
		{"line", "aeroway=runway", "streets runway"},
		{"ring", "junction=roundabout highway=primary", "streets primary"},
		{"ring", "building=yes amenity=school name:en=Elm name:fr=Orme", "buildings building name=Elm fr=Orme; sites school name=Elm fr=Orme"},
		{"ring", "building=no landuse=grass", "land grass"},
		{"ring", "landuse=park_and_ride building=parking location=underground", ""},
		{"ring", "leisure=park natural=wood", "land park"},
		{"ring", "natural=water water=river", "water_polygons river"},
		{"relation", "natural=water water=lake name=Lac", "water_polygons water name=Lac"},
		{"relation", "natural=wetland wetland=bog", "land bog"},
		{"relation", "aeroway=aerodrome landuse=grass", "land grass; public_transport aerodrome"},
		{"relation", "place=city", ""},
		{"line", "route=ferry motor_vehicle=no", "ferries ferry from=12"},
		{"line", "waterway=river tunnel=culvert", "water_lines river tunnel"},
		{"point", "place=city capital=4 name=Dover", "place_labels state_capital name=Dover"},
		{"point", "place=town capital=yes", "place_labels capital"},
		{"point", "place=suburb capital=yes", "place_labels suburb"},
		{"point", "place=planet", ""},
		{"point", "railway=station building=yes", "public_transport station"},
		{"point", "natural=water", ""},
		{"line", "aerialway=rope_tow", "aerialways rope-tow"},
	} {
		kind := map[string]element.Kinds{"point": element.Nodes, "relation": element.Relations}[c.drawn]
		if kind == 0 {
			kind = element.Ways
		}
		tags := map[string]string{}
		for _, tag := range strings.Fields(c.tags) {
			key, value, _ := strings.Cut(tag, "=")
			tags[key] = value
		}
		var texts []string
		for _, m := range OpenStreetMap.Classify(kind, c.drawn == "ring", element.TagsOf(tags), nil) {
			texts = append(texts, describe(m, tags))
		}
		slices.Sort(texts)
		if got := strings.Join(texts, "; "); got != c.want {
			t.Errorf("a %s of %s is %q, want %q", c.drawn, c.tags, got, c.want)
		}
	}
}

func describe(m Match, tags map[string]string) string {
	row := m.Row(element.TagsOf(tags))
	text := row.Layer + " " + row.Kind
	for _, part := range [][2]string{{"name", row.Name}, {"fr", row.NameFR}, {"ref", row.Ref}, {"service", row.Service}} {
		if part[1] != "" {
			text += " " + part[0] + "=" + part[1]
		}
	}
	if row.MinZoom != nil {
		text += fmt.Sprintf(" from=%d", *row.MinZoom)
	}
	for i, is := range []bool{row.Link, row.Bridge, row.Tunnel} {
		if is {
			text += " " + []string{"link", "bridge", "tunnel"}[i]
		}
	}
	return text
}
