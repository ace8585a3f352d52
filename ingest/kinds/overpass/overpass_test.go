package overpass

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "Seattle, nodes and ways by reference", Path: testenv.Data("us-seattle/osm/overpass-1.json"), Read: 34877,
			Issues: map[string]int64{"not_in_use": 3, "not_a_place": 830, "place_as_line": 16,
				"street_furniture": 731, "untagged_element": 30943},
			Rows: map[string]string{
				"SELECT count(*), count(area_m2) FROM poi": "2354|1967",
				"SELECT name, round(lng, 4), round(lat, 4), round(area_m2 / 1e4) FROM poi WHERE source_key = 'osm:way:47570199'": "East Queen Anne " +
					"Playfield|-122.3538|47.6361|1",
			},
		},
		sourcetest.Case{
			Name: "Seattle, four files that repeat objects and a GeoJSON", Path: testenv.Data("us-seattle/osm"), Read: 56099,
			Issues: map[string]int64{
				"malformed_hstore": 9, "multipart_merged": 2,
				"repeated_element": 2296, "place_as_line": 16, "not_in_use": 74, "not_a_place": 1083,
				"street_furniture": 786, "untagged_element": 43090,
			},
			Rows: map[string]string{
				"SELECT count(*), count(DISTINCT source_key) FROM poi": "8752|8752",
				// tagged in all of files 2, 3 and 4
				"SELECT name, brand FROM poi WHERE source_key = 'osm:node:31095542'": "AMC Dine-In Seattle 10|AMC",
			},
		},
		sourcetest.Case{
			Name: "food in Ottawa, overpass turbo", Path: testenv.Data("ca-ottawa/osm/osm_overpass_ottawa_food_2023-05-19.geojson"), Read: 4561,
			Issues: map[string]int64{"not_in_use": 2},
			Rows: map[string]string{
				"SELECT count(*), count(area_m2) FROM poi": "4559|2296",
				"SELECT name, lng, lat, house_number, street, classes->>'amenity' FROM poi WHERE source_key = " +
					"'osm:node:60890260'": "D'Arcy McGee's|-75.6958229|45.4234025|44|Sparks Street|pub",
				"SELECT name, brand, brand_wikidata, postal_code, round(area_m2) FROM poi WHERE source_key = " +
					"'osm:way:68577837'": "Metro|Metro|Q1145669|K1E 3P6|2992",
			},
		},
		sourcetest.Case{
			Name: "parks of Seattle, osm2pgsql", Path: testenv.Data("us-seattle/osm/seattle-parks-osm.geojson"), Read: 545,
			Options: "tags: {leisure: park}",
			Issues: map[string]int64{
				"malformed_hstore": 9, "multipart_merged": 93,
			},
			Rows: map[string]string{
				"SELECT count(*), count(DISTINCT source_key), count(area_m2) FROM poi": "452|452|452",
				"SELECT source_key, name, round(area_m2 / 1e4, 1), url FROM poi WHERE name IN ('Carkeek Park', 'Green Lake " +
					"Park')": "osm:way:9108781|Carkeek Park|70.3|http://www.seattle.gov/parks/environment/carkeek.htm\n" +
					"osm:way:35084228|Green Lake Park|137.9|http://www.seattle.gov/parks/park_detail.asp?ID=307",
			},
		},
		sourcetest.Case{
			Name: "stops in Vancouver", Path: testenv.Data("formats/overpass_vancouver_transit_stops_2026-07.json"), Read: 2426,
			Issues: map[string]int64{"not_a_place": 79, "place_as_line": 7, "relation_without_outline": 1, "untagged_element": 495},
			Rows: map[string]string{
				"SELECT name, lng, lat FROM poi WHERE source_key = 'osm:node:3066889968'": "Eton St (WB) at North Renfrew St|-123.0447011|49.287794"},
		},
		sourcetest.Case{
			Name: "lines of public transport", Path: "testdata/lines.json", Read: 8,
			Issues: map[string]int64{"line_outside_extract": 1, "not_a_place": 1, "route_master": 1, "untagged_element": 1},
			Rows: map[string]string{
				"SELECT source_key, name, mode FROM route ORDER BY 1": "osm:relation:10|9|trolleybus\nosm:relation:12|Line|subway",
				"SELECT route_key, stop_key FROM stop_service ORDER BY 1, 2": "osm:relation:10|osm:node:1\nosm:relation:10|osm:node:2\n" +
					"osm:relation:10|osm:node:3",
				"SELECT name FROM stop ORDER BY source_key": "Elm\nosm:node:2\nosm:node:3",
				"SELECT route_key, part FROM route_shape":   "osm:relation:12|0",
				"SELECT source_key FROM poi":                "osm:node:1",
			},
		},
	)
}

func run(t testing.TB, options string, texts ...string) (*sourcetest.Record, error) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &sourcetest.Record{}
	return r, Kind.Stage(t.Context(), source.Input{Source: "test", Path: dir, Options: sourcetest.Options(t, options)}, r)
}

// expect stages one file and compares places and issues.
func expect(t *testing.T, options, text, places string, reasons map[string]int) {
	t.Helper()
	r, err := run(t, options, text)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Places(); got != places {
		t.Errorf("places %s\nwant %s", got, places)
	}
	if n := accounted(r); n != r.Count {
		t.Errorf("%d objects read, %d staged, skipped or rejected", r.Count, n)
	}
	if got := r.Reasons(); !reflect.DeepEqual(got, reasons) {
		t.Errorf("issues %v\nwant %v", got, reasons)
	}
}

// accounted is how many objects were staged, skipped or all that were read.
func accounted(r *sourcetest.Record) int {
	return len(r.POIs) + len(r.Issues) - r.Repaired
}

// A square of 0.001 degrees at 1, 1 in the forms of Overpass JSON.
const (
	corners = `{"type":"node","id":1,"lat":1,"lon":1},{"type":"node","id":2,"lat":1,"lon":1.001},
	           {"type":"node","id":3,"lat":1.001,"lon":1.001},{"type":"node","id":4,"lat":1.001,"lon":1}`
	line1234 = `[{"lat":1,"lon":1},{"lat":1,"lon":1.001},{"lat":1.001,"lon":1.001},{"lat":1.001,"lon":1},{"lat":1,"lon":1}]`
)

func TestElements(t *testing.T) {
	tests := []struct {
		name, elements string
		rows           string
		issues         map[string]int
	}{
		{name: "way before its nodes", elements: `{"type":"way","id":9,"nodes":[1,2,3,4,1],"tags":{"shop":"bakery","name":"B"}},` + corners,
			rows: "osm:way:9 1.0005,1.0005 B 12307 m²", issues: map[string]int{"untagged_element": 4}},
		{name: "way with geometry", elements: `{"type":"way","id":9,"nodes":[1,2,3,4,1],"geometry":` + line1234 + `,"tags":{"shop":"bakery"}}`,
			rows: "osm:way:9 1.0005,1.0005  12307 m²"},
		{name: "way with a clipped geometry and bounds",
			elements: `{"type":"way","id":9,"bounds":{"minlat":1,"minlon":1,"maxlat":3,"maxlon":3},"geometry":[null,{"lat":1,"lon":1}],` +
				`"tags":{"shop":"bakery"}}`,
			rows: "osm:way:9 2.0000,2.0000 "},
		{name: "way with center", elements: `{"type":"way","id":9,"center":{"lat":5,"lon":6},"nodes":[1,2,1],"tags":{"shop":"bakery"}}`,
			rows: "osm:way:9 6.0000,5.0000 "},
		{name: "open way", elements: `{"type":"way","id":9,"nodes":[1,2,3],"tags":{"leisure":"track"}},` + corners,
			issues: map[string]int{"place_as_line": 1, "untagged_element": 4}},
		{name: "closed way that is no area", elements: `{"type":"way","id":9,"geometry":` + line1234 + `,"tags":{"leisure":"track","area":"no"}}`,
			issues: map[string]int{"place_as_line": 1}},
		{name: "way whose nodes are missing", elements: `{"type":"way","id":9,"nodes":[1,2,3,1],"tags":{"shop":"bakery"}}`,
			issues: map[string]int{"incomplete_outline": 1}},
		{name: "multipolygon of two ways, by reference and with geometry", elements: `{"type":"relation","id":7,"tags":{"type":"multipolygon","leisure":"park"},
			"members":[{"type":"way","ref":8,"role":"outer"},{"type":"way","ref":10,"role":"outer","geometry":[{"lat":1.001,"lon":1.001},{"lat":1.001,"lon":1},{"lat":1,"lon":1}]}]},
			{"type":"way","id":8,"nodes":[1,2,3]},` + corners,
			rows: "osm:relation:7 1.0005,1.0005  12307 m²", issues: map[string]int{"untagged_element": 5}},
		{name: "open multipolygon",
			elements: `{"type":"relation","id":7,"tags":{"leisure":"park"},"members":[{"type":"way","ref":8}]},{"type":"way","id":8,"nodes":[1,2,` +
				`3]},` + corners,
			issues: map[string]int{"open_outline": 1, "untagged_element": 5}},
		{name: "route with a center, site without",
			elements: `{"type":"relation","id":7,"tags":{"type":"route","tourism":"attraction"},"center":{"lat":1,"lon":2}},{"type":"relation",` +
				`"id":8,"tags":{"type":"site","tourism":"museum"}}`,
			rows: "osm:relation:7 2.0000,1.0000 ", issues: map[string]int{"relation_without_outline": 1}},
		{name: "skeleton first, tags later, tags again",
			elements: `{"type":"node","id":1,"lat":1,"lon":2},{"type":"node","id":1,"lat":3,"lon":4,"tags":{"shop":"a","name":"first"}},` +
				`{"type":"node","id":1,"tags":{"shop":"b","name":"second"}}`,
			rows: "osm:node:1 2.0000,1.0000 first", issues: map[string]int{"repeated_element": 2}},
		{name: "without tags again and again",
			elements: `{"type":"node","id":1,"lat":1,"lon":2,"tags":{"shop":"a"}},{"type":"node","id":1,"lat":1,"lon":2},` + corners,
			rows:     "osm:node:1 2.0000,1.0000 ", issues: map[string]int{"repeated_element": 2, "untagged_element": 3}},
		{name: "negative id, no coordinates, null coordinates",
			elements: `{"type":"node","id":-1,"lat":1,"lon":2,"tags":{"shop":"a"}},{"type":"node","id":2,"tags":{"shop":"a"}},{"type":"node",` +
				`"id":3,"lat":null,"lon":1,"tags":{"shop":"a"}}`,
			rows: "osm:node:-1 2.0000,1.0000 ", issues: map[string]int{"missing_geometry": 2}},
		{name: "not an element",
			elements: `5,{"type":"area","id":3,"tags":{"shop":"a"}},{"type":"node","tags":{"shop":"a"}},{"type":"node","id":1,"tags":{"shop":5}},` +
				`{"type":"node","id":4,"tags":{"a":"` + "\xff" + `"}}`,
			issues: map[string]int{"malformed_record": 2, "missing_key": 2, "invalid_utf8": 1}},
		{name: "no places", elements: `{"type":"node","id":1,"lat":1,"lon":1,"tags":{"amenity":"bench"}},{"type":"node","id":2,"lat":1,"lon":1,"tags":{"shop":"vacant"}},
			{"type":"node","id":3,"lat":1,"lon":1,"tags":{"shop":"a","disused":"yes"}},{"type":"node","id":4,"lat":1,"lon":1,"tags":{"highway":"crossing"}}`,
			issues: map[string]int{"street_furniture": 1, "not_in_use": 2, "not_a_place": 1}},
		{name: "order of rows",
			elements: `{"type":"relation","id":1,"center":{"lat":1,"lon":1},"tags":{"shop":"a"}},{"type":"node","id":10,"lat":1,"lon":1,` +
				`"tags":{"shop":"a"}},{"type":"node","id":9,"lat":1,"lon":1,"tags":{"shop":"a"}}`,
			rows: "osm:node:9 1.0000,1.0000 |osm:node:10 1.0000,1.0000 |osm:relation:1 1.0000,1.0000 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, "", `{"version":0.6,"elements":[`+tt.elements+`],"remark":"all fine"}`, tt.rows, tt.issues)
		})
	}
}

// Stations are of the same kinds as in an extract: by tracks, lines, then the network.
func TestStations(t *testing.T) {
	station := func(id int, tags string) string {
		return fmt.Sprintf(`{"type":"node","id":%d,"lat":45.5,"lon":-73.6,"tags":{"railway":"station"%s}}`, id, tags)
	}
	r, err := run(t, "", `{"elements":[`+strings.Join([]string{
		`{"type":"way","id":2,"nodes":[1,2],"tags":{"railway":"subway"}}`,
		station(1, ""), station(2, `,"station":"light_rail"`), station(3, ""), station(4, `,"network":"Métro"`), station(5, ""),
		station(6, `,"operator":"Agence métropolitaine de transport"`),
		`{"type":"relation","id":7,"tags":{"type":"route","route":"tram","ref":"1"},"members":[{"type":"node","ref":3,"role":"stop"}]}`,
	}, ",")+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, p := range r.POIs {
		kinds = append(kinds, p.Key+" "+p.Tags["station"])
	}
	if got, want := strings.Join(kinds, "|"),
		"osm:node:1 subway|osm:node:2 light_rail|osm:node:3 light_rail|osm:node:4 subway|osm:node:5 |osm:node:6 "; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestFeatures(t *testing.T) {
	point := func(rest string) string {
		return `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},` + rest + `}`
	}
	box := func(x int, rest string) string {
		return fmt.Sprintf(`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[%d,1],[%d.001,1],[%d.001,1.001],[%d,1.001],[%d,`+
			`1]]]},%s}`, x, x, x, x, x, rest)
	}
	tests := []struct {
		name, features, options, rows string
		issues                        map[string]int
	}{
		{name: "turbo", features: point(`"id":"node/5","properties":{"@id":"node/5","@version":"3","shop":"a","name":"N"}`),
			rows: "osm:node:5 1.0000,2.0000 N"},
		{name: "turbo, center of a way", features: point(`"properties":{"@id":"way/5","@geometry":"center","shop":"a"}`),
			rows: "osm:way:5 1.0000,2.0000 "},
		{name: "osmtogeojson", features: point(`"id":"node/5","properties":{"type":"node","id":5,"tags":{"shop":"a","name":"N"},"meta":{}}`),
			rows: "osm:node:5 1.0000,2.0000 N"},
		{name: "osmtogeojson without the feature's id", features: point(`"properties":{"type":"way","id":5,"tags":{"shop":"a"}}`),
			rows: "osm:way:5 1.0000,2.0000 "},
		{name: "osm_id by geometry and sign", features: point(`"properties":{"osm_id":5.0,"shop":"a"}`) + "," +
			box(1, `"properties":{"osm_id":5.000000,"shop":"a"}`) + "," + box(1, `"properties":{"osm_id":-5,"shop":"a"}`),
			rows: "osm:node:5 1.0000,2.0000 |osm:way:5 1.0005,1.0005  12307 m²|osm:relation:5 1.0005,1.0005  12307 m²"},
		{name: "GDAL", features: box(1, `"properties":{"osm_id":null,"osm_way_id":"6","name":"N","other_tags":"\"shop\"=>\"a\""}`),
			rows: "osm:way:6 1.0005,1.0005 N 12307 m²"},
		{name: "truncated hstore", features: point(`"properties":{"osm_id":5,"tags":"\"shop\"=>\"a\", \"na"}`), rows: "osm:node:5 1.0000,2.0000 ",
			issues: map[string]int{"malformed_hstore": 1}},
		{name: "parts and a repetition", features: box(1, `"properties":{"osm_id":-5,"shop":"a"}`) + "," +
			box(2, `"properties":{"osm_id":-5,"shop":"a"}`) + "," + box(2, `"properties":{"osm_id":-5,"shop":"a"}`),
			rows:   "osm:relation:5 1.0005,1.0005  24614 m²",
			issues: map[string]int{"multipart_merged": 1, "repeated_element": 1}},
		{name: "extra tags", options: "tags: {leisure: park, name: X}",
			features: box(1, `"properties":{"osm_id":5,"name":"N","tags":null}`) + "," + box(2, `"properties":{"osm_id":6}`),
			rows:     "osm:way:5 1.0005,1.0005 N 12307 m²|osm:way:6 2.0005,1.0005 X 12307 m²"},
		{name: "lines",
			features: `{"properties":{"@id":"way/1","leisure":"track"},"geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]}},` +
				`{"properties":{"@id":"way/2","leisure":"track"},"geometry":{"type":"LineString","coordinates":[[1,1],[1.001,1],[1.001,1.001],[1,` +
				`1.001],[1,1]]}}`,
			rows: "osm:way:2 1.0005,1.0005  12307 m²", issues: map[string]int{"place_as_line": 1}},
		{name: "invalid features", features: point(`"properties":{"shop":"a"}`) + "," + point(`"properties":{"osm_id":0.5,"shop":"a"}`) +
			`,{"properties":{"@id":"node/1","shop":"a"}},{"geometry":{"type":"Point","coordinates":[1]}}` + "," +
			point(`"properties":{"@id":"node/2"}`),
			issues: map[string]int{"missing_key": 2, "missing_geometry": 1, "invalid_coordinate": 1, "untagged_element": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, tt.options, `{"type":"FeatureCollection","features":[`+tt.features+`]}`, tt.rows, tt.issues)
		})
	}
}

func TestAcrossFiles(t *testing.T) {
	r, err := run(t, "", `{"elements":[{"type":"way","id":9,"nodes":[1,2,3,4,1],"tags":{"shop":"a","name":"first"}}]}`,
		`{"elements":[{"type":"way","id":9,"tags":{"shop":"a","name":"second"}},`+corners+`]}`)
	if err != nil || len(r.POIs) != 1 || !strings.Contains(r.Places(), "first 12307 m²") || r.Reasons()["repeated_element"] != 1 {
		t.Errorf("%q, %q, %v", r.Places(), r.Issues, err)
	}
}

func TestBadFiles(t *testing.T) {
	for _, text := range []string{
		"", "[]", "{}", `{"elements":{}}`, `{"elements":[]} x`, `{"elements":[}`, `{"features":5}`, `<osm/>`,
		`{"elements":[],"remark":"runtime error: Query timed out in \"query\" at line 3 after 180 seconds."}`,
	} {
		if _, err := run(t, "", text); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "0.json") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := run(t, ""); !errors.Is(err, source.ErrBadFile) {
		t.Errorf("empty folder: %v", err)
	}
}

func TestHstore(t *testing.T) {
	for text, want := range map[string]map[string]string{
		``:                                   {},
		`"a"=>"b"`:                           {"a": "b"},
		` "a" => "b" , c=>d,"e"=>NULL `:      {"a": "b", "c": "d"},
		`"q\"q"=>"b\\s, =>", "null"=>"NULL"`: {`q"q`: `b\s, =>`, "null": "NULL"},
		`"a"=>"1", "a"=>"2"`:                 {"a": "1"},
		`""=>""`:                             {"": ""},
	} {
		got, err := parseHstore(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives %v, %v", text, got, err)
		}
	}
	for text, pairs := range map[string]int{`"a"`: 0, `a=>`: 0, `"a"=>"b`: 0, `"a"=>"b",`: 1, `"a"=>"b" "c"=>"d"`: 1, `=>"b"`: 0,
		`"a"=>"b\`: 0, `{"a":"b"}`: 0} {
		if got, err := parseHstore(text); err == nil || len(got) != pairs {
			t.Errorf("%s gives %v, %v", text, got, err)
		}
	}
}

func TestHstoreRoundTrip(t *testing.T) {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "pairs")
		var pairs []string
		for k, v := range want {
			pairs = append(pairs, `"`+escape.Replace(k)+`"=>"`+escape.Replace(v)+`"`)
		}
		got, err := parseHstore(strings.Join(pairs, ", "))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q gives %q, %v", pairs, got, err)
		}
	})
}

func FuzzHstore(f *testing.F) {
	f.Add(`"a"=>"b", c=>NULL`)
	f.Add(`"a\"=>"`)
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := parseHstore(text)
		if err == nil && len(pairs) > len(text) {
			t.Errorf("%d pairs", len(pairs))
		}
	})
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"elements":[{"type":"way","id":9,"nodes":[1,2,3,4,1],"tags":{"shop":"a"}},` + corners + `]}`))
	f.Add([]byte(`{"elements":[{"type":"relation","id":9,"members":[{"type":"way","ref":1,"geometry":` + line1234 +
		`}],"tags":{"shop":"a"}}]}`))
	f.Add(
		[]byte(`{"type":"FeatureCollection","features":[{"properties":{"osm_id":-1.0,"tags":"\"shop\"=>\"a\""},"geometry":{"type":"Polygon",` +
			`"coordinates":[[[1,1],[2,1],[2,2],[1,1]]]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &sourcetest.Record{}
		c, err := newCollection(nil, source.Limits{}, r)
		if err != nil {
			t.Fatal(err)
		}
		err = c.readFrom(t.Context(), "f", bytes.NewReader(data))
		if err == nil {
			err = c.stageAll(t.Context())
		}
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Error(err)
		}
		if n := accounted(r); err == nil && n != r.Count {
			t.Errorf("%d objects read, %d staged, skipped or rejected", r.Count, n)
		}
		seen := map[string]bool{}
		for _, p := range r.POIs {
			if seen[p.Key] {
				t.Errorf("duplicate %s", p.Key)
			}
			seen[p.Key] = true
		}
	})
}
