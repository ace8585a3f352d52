package roads

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas"
)

var rnf = testenv.Data("ca-ottawa/statcan-2021/ottawa_rnf_roads_2021.geojson")

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "Ottawa", Path: rnf, Country: "CA", Options: "layout: statcan-rnf", Read: 33_983,
			Issues: map[string]int64{"not_a_road": 143},
			Rows: map[string]string{
				"SELECT count(*), count(name), count(DISTINCT source_key) FROM street": "33840|32045|33840",
				"SELECT class, foot, bicycle, car, bridge, nodes FROM street WHERE source_key = " +
					"'statcan:rnf:2039768'": "residential|true|true|both|false|∅",
				"SELECT class, name, foot FROM street WHERE source_key = 'statcan:rnf:4964890'": "secondary|Hazeldean|true",
				// the bridges of the 417 are parts of it, and one walks over the Bronson bridge
				"SELECT name, class, foot, count(*) FROM street WHERE bridge AND name IN ('417', 'Bronson', 'Bank') GROUP BY ALL ORDER BY " +
					"ALL": "417|motorway|false|6\nBank|primary|true|1\nBank|tertiary|true|1\nBronson|primary|true|3",
				"SELECT count(*) FROM street WHERE foot AND class IN ('motorway', 'motorway_link', 'trunk')": "0",
			},
		},
		sourcetest.Case{
			Name: "a city's own file", Path: "testdata/city.geojson", Read: 9,
			Options: `
key: [ref, '@row']
name: title
name_fr: titre
class: kind
classes: {H: motorway, L: residential, W: footway, X: skip}
oneway: dir
forward: [FT]
backward: [TF]
lanes: lanes
speed: mph
speed_unit: mph
bridge: span
tunnel: tube`,
			Issues: map[string]int64{
				"excluded_by_option: classes": 1, "missing_geometry": 1, "unmapped_class": 1,
				"invalid_lanes_removed": 1, "invalid_speed_limit_removed": 1, "duplicate_key": 1,
				"zero_length": 1,
			},
			Rows: map[string]string{
				"SELECT source_key, class, name, name_fr, foot, car, lanes, round(speed_kmh, 1), bridge, tunnel FROM street ORDER BY " +
					"source_key": strings.Join([]string{
					"under-test:5|footway|Path|∅|true|no|∅|∅|false|false",
					"under-test:a|residential|Elm|Orme|true|forward|2|40.2|false|true",
					"under-test:a:2|residential|Elm|Orme|true|forward|2|40.2|false|true",
					"under-test:b|motorway|∅|∅|false|backward|∅|∅|true|false",
					"under-test:c|residential|∅|∅|true|both|∅|∅|false|false",
				}, "\n"),
			},
		},
		sourcetest.Case{
			Name: "a part of a city's own file", Path: "testdata/city.geojson", Read: 9,
			Options: "key: [ref, '@row']\nclass: kind\nclasses: {L: residential}\nwhere: {kind: [L]}\nunless: {ref: [f, h]}\nbbox: [-120.35, 46, " +
				"-120, 48]",
			Issues: map[string]int64{"excluded_by_option: where": 4, "excluded_by_option: unless": 2, "outside_bbox": 1},
			Rows: map[string]string{
				"SELECT source_key FROM street ORDER BY source_key": "under-test:a\nunder-test:a:2\nunder-test:c",
			},
		},
		sourcetest.Case{
			Name: "TIGER roads", Path: "testdata/tiger.geojson", Country: "US", Options: "layout: tiger-roads", Read: 6,
			Issues: map[string]int64{"not_a_road: MTFCC S1750": 1, "not_a_road: MTFCC R1011": 1},
			Rows: map[string]string{
				"SELECT source_key, class, name, foot FROM street ORDER BY source_key": "tiger:linear:1101|motorway|I- 5|false\n" +
					"tiger:linear:1102|primary|US Hwy 26|true\ntiger:linear:1103|residential|NW 23rd Ave|true\ntiger:linear:1104|steps|∅|true",
			},
		},
	)
}

func TestBadOptions(t *testing.T) {
	for options, want := range map[string]string{
		"layout: rnf":        "none of statcan-rnf",
		"class: A":           "key: is missing",
		"{key: A, class: B}": "classes: is missing",
		"key: A":             "class: is missing",
		"{key: A, class: B, classes: {C: street}}":                             `"street" is none of`,
		"{key: A, class_else: street}":                                         "class_else",
		"{key: A, class_else: residential, oneway: D}":                         "forward: or backward:",
		"{key: A, class_else: residential, speed: D, speed_unit: knots}":       `"knots" is none of kmh, mph`,
		"{key: A, class_else: residential, bbox: [1, 2, 3]}":                   "bbox",
		"{key: ref, class_else: residential, speed: limit, bridge: on_bridge}": "no column limit, nor on_bridge",
	} {
		err := Kind.Stage(t.Context(), source.Input{Source: "city", Path: "testdata/city.geojson", Options: sourcetest.Options(t, options)},
			&sourcetest.Record{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", options, err, want)
		}
	}
}

func TestStatCanNames(t *testing.T) {
	for _, test := range []struct{ name, kind, direction, want string }{
		{"Elm", "ST", "W", "Elm Street West"},
		{"des Pins", "RUE", "E", "Rue des Pins Est"},
		{"Principale", "RUE", "O", "Rue Principale Ouest"},
		{"7", "HWY", "", "Highway 7"},
		{"Gatineau", "HWY", "N", "Gatineau Highway North"},
		{"Lac", "CH", "", "Chemin Lac"},
		{"Stanley", "", "", "Stanley"},
		{"Odd", "ZZZ", "NO", "Odd ZZZ Northwest"},
		{"", "ST", "N", ""},
	} {
		f := vector.Feature{Attributes: map[string]string{"NAME": test.name, "TYPE": test.kind, "DIR": test.direction}}
		if got := statcanName(f); got != test.want {
			t.Errorf("%+v is %q", test, got)
		}
	}
	for kind := range frenchTypes {
		if _, both := englishTypes[kind]; both {
			t.Errorf("%s is of both languages", kind)
		}
	}
}

func TestEveryClassHasARule(t *testing.T) {
	for _, class := range schemas.StreetClasses {
		if rules[class].car == "" {
			t.Errorf("%s has none", class)
		}
	}
	if len(rules) != len(schemas.StreetClasses) {
		t.Errorf("%d rules for %d classes", len(rules), len(schemas.StreetClasses))
	}
}

// A connector is a motorway's ramp where the piece that it is part of leads to a highway, whatever the order of the
// file; a bridge is what goes on at its ends.
func TestStreetsThatFollow(t *testing.T) {
	line := func(id, class, rank, name, coordinates string) string {
		return `{"type": "Feature", "properties": {"NGD_UID": "` + id + `", "CLASS": "` + class + `", "RANK": "` + rank + `", "NAME": "` + name +
			`"}, "geometry": {"type": "LineString", "coordinates": ` + coordinates + `}}`
	}
	features := []string{
		line("1", "25", "5", "", "[[0, 0], [0, 1]]"), line("2", "25", "5", "", "[[0, 1], [0, 2]]"),
		line("3", "12", "1", "9", "[[0, 2], [5, 2]]"), line("4", "25", "5", "", "[[9, 9], [9, 8]]"),
		line("5", "80", "5", "Main", "[[9, 8], [9, 7]]"), line("6", "21", "5", "Other", "[[9, 7], [8, 7]]"),
		line("7", "22", "5", "Main", "[[9, 7], [9, 6]]"), line("8", "80", "3", "", "[[40, 40], [41, 40]]"),
		line("9", "80", "1", "9", "[[5, 2], [6, 2]]"), line("10", "25", "5", "", "[[6, 2], [6, 3]]"),
	}
	want := map[string]string{"1": "motorway_link", "2": "motorway_link", "3": "motorway", "4": "tertiary_link", "5": "tertiary",
		"6": "secondary", "7": "tertiary", "8": "primary", "9": "motorway", "10": "motorway_link"}
	for range 2 {
		path := filepath.Join(t.TempDir(), "roads.geojson")
		text := `{"type": "FeatureCollection", "features": [` + strings.Join(features, ",") + `]}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var r sourcetest.Record
		if err := Kind.Stage(t.Context(), source.Input{Path: path, Options: sourcetest.Options(t, "layout: statcan-rnf")}, &r); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Streets {
			if id := strings.TrimPrefix(s.Key, "statcan:rnf:"); s.Class != want[id] {
				t.Errorf("%s is a %s, want %s", id, s.Class, want[id])
			}
		}
		slices.Reverse(features)
	}
}
