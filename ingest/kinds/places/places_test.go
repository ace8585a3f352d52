package places

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/spatialite/spatialitetest"
)

func run(t testing.TB, options, text string) (*sourcetest.Record, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &sourcetest.Record{}
	return r, Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, r)
}

const plain = "{key: id, name: name, lng: lng, lat: lat, category: parks}"

func TestTable(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String("id,name,lng,lat\n1,Été,2,3\n")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, options, text string
		rows                string
		issues              []string
	}{
		{name: "plain", text: "id,name,lng,lat\n1,A,2,3\n2,B,4,5\n", rows: "s:1 2.0000,3.0000 A|s:2 4.0000,5.0000 B"},
		{name: "mark, CRLF, quotes, other columns, no end of line", text: "\ufeffname,\"id\",x,lat,lng\r\n\"A, \"\"B\"\"\nC\",1,,3,2",
			rows: "s:1 2.0000,3.0000 A, \"B\" C"},
		{name: "semicolons", options: "{name: name, key: id, lng: lng, lat: lat, category: parks, delimiter: ';'}",
			text: "id;name;lng;lat\n1;A,B;2;3\n", rows: "s:1 2.0000,3.0000 A,B"},
		{name: "cp1252", options: "{name: name, key: id, lng: lng, lat: lat, category: parks, encoding: cp1252}",
			text: "id,name,lng,lat\n1,Caf\xe9 \x80,2,3\n", rows: "s:1 2.0000,3.0000 Café €"},
		{name: "utf-16", options: "{name: name, key: id, lng: lng, lat: lat, category: parks, encoding: utf-16}", text: utf16,
			rows: "s:1 2.0000,3.0000 Été"},
		{name: "invalid rows among valid ones",
			text: "id,name,lng,lat\n1,a,2,3\n2,a,b,2,3\n3,\"a\"b,2,3\n4,caf\xe9,2,3\n,x,2,3\n5,x,,3\n6,x,two,3\n7,x,NaN,3\n8,x,Inf,3\n9,z,2,3\n",
			rows: "s:1 2.0000,3.0000 a|s:3 2.0000,3.0000 ab|s:4 2.0000,3.0000 café|s:9 2.0000,3.0000 z",
			issues: []string{"wrong_field_count @ f line 3", "assumed_windows_1252 @ f line 5",
				"missing_key @ f line 6", "missing_geometry @ f line 7", `invalid_coordinate @ f line 8: lng "two"`,
				`invalid_coordinate @ f line 9: lng "NaN"`, `invalid_coordinate @ f line 10: lng "Inf"`}},
		{name: "semicolons and decimal commas, found, behind a title",
			text: "sep=;\nPlaces;;;\nid;name;lng;lat\n1;A,B;-75,6954;45,4\n2;C;-75;45\n", rows: "s:1 -75.6954,45.4000 A,B|s:2 -75.0000,45.0000 C",
			issues: []string{`title_lines_skipped @ f lines 1 to 2`, `decimal_comma_found: lng @ f line 4: "-75,6954"`,
				`decimal_comma_found: lat @ f line 4: "45,4"`}},
		{name: "degrees are no thousands", text: "id,name,lng,lat\n1,A,\"-75,695\",\"45,421\"\n", rows: "s:1 -75.6950,45.4210 A"},
		{name: "degrees and minutes", text: "id,name,lng,lat\n1,A,75°41'51\"W,45°25'30\"N\n2,B,-75 41.5,45 25.5 N\n3,C,-75.7,45\n4,D," +
			strings.Repeat("9", 70) + "x,45\n", rows: "s:3 -75.7000,45.0000 C",
			issues: []string{`coordinate_in_minutes @ f line 2: lng "75°41'51"W"`, `coordinate_in_minutes @ f line 3: lng "-75 41.5"`,
				`invalid_coordinate @ f line 5: lng "` + strings.Repeat("9", 60) + `…"`}},
		{name: "metres with thousands", options: "{key: id, name: name, x: lng, y: lat, crs: 'EPSG:3857', category: parks}",
			text: "id;name;lng;lat\n1;A;-8.426.377,54;5 691 130,81\n", rows: "s:1 -75.6954,45.4405 A",
			issues: []string{`delimiter_found: ";" @ f`, `decimal_comma_found: lng @ f line 2: "-8.426.377,54"`,
				`thousands_separators_found: lng @ f line 2: "-8.426.377,54"`, `decimal_comma_found: lat @ f line 2: "5 691 130,81"`,
				`thousands_separators_found: lat @ f line 2: "5 691 130,81"`}},
		{name: "a decimal mark that is said",
			options: "{key: id, name: name, x: lng, y: lat, crs: 'EPSG:3857', category: parks, decimal: '.', skip: 1}",
			text:    "id,name,lng,lat\nid,name,lng,lat\n1,A,\"-8,426,377\",\"5,691,130\"\n", rows: "s:1 -75.6954,45.4405 A"},
		{name: "a column by its number", options: "{key: id, name: name#2, lng: lng, lat: lat, category: parks}",
			text: "id,name,name,lng,lat\n1,A,B,2,3\n", rows: "s:1 2.0000,3.0000 B"},
		{name: "schools are no category", options: "{name: name, key: id, lng: lng, lat: lat, category: [primary_school, daycares]}",
			text: "id,name,lng,lat\n1,Elm,2,3\n", rows: "s:1 2.0000,3.0000 Elm"},
		{name: "templates, constants, nulls",
			options: "{key: 'osm:{type}:{id}', name: '{name} ({type})', lng: lng, lat: lat, category: parks, nulls: ['..']}",
			text:    "type,id,name,lng,lat\nway,1,A,2,3\n,2,B,2,3\nnode,3,..,2,3\n",
			rows:    "osm:way:1 2.0000,3.0000 A (way)|osm:node:3 2.0000,3.0000 (node)",
			issues:  []string{"missing_key @ f line 3"}},
		{name: "category by column",
			options: "{key: id, lng: lng, lat: lat, category_of: name, categories: {A: parks, b: [libraries, fitness], c: skip}}",
			text:    "id,name,lng,lat\n1,a ,2,3\n2,B,2,3\n3,C,2,3\n4,D,2,3\n", rows: "s:1 2.0000,3.0000 |s:2 2.0000,3.0000 ",
			issues: []string{"excluded_by_option: categories @ f line 4", "excluded_by_option: categories @ f line 5"}},
		{name: "projected, and out of the projection's world",
			options: "{key: id, name: name, x: lng, y: lat, crs: 'EPSG:3857', category: parks, bbox: [-80, 40, -70, 50]}",
			text:    "id,name,lng,lat\n1,A,-8426377.54131978,5691130.81140602\n2,B,0,0\n", rows: "s:1 -75.6954,45.4405 A",
			issues: []string{"outside_bbox @ f line 3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.options == "" {
				tt.options = plain
			}
			if strings.Contains(tt.options, "crs:") {
				spatialitetest.Need(t)
			}
			r, err := run(t, tt.options, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if rows := r.Places(); rows != tt.rows {
				t.Errorf("rows %s\nwant %s", rows, tt.rows)
			}
			if !reflect.DeepEqual(r.Issues, tt.issues) {
				t.Errorf("issues %v\nwant %v", r.Issues, tt.issues)
			}
		})
	}
}

// A key made of name and position does not change when rows are added, removed or moved.
func TestGeneratedKeysAreStable(t *testing.T) {
	const options = "{name: name, lng: lng, lat: lat, category: parks}"
	first, err := run(t, options, "name,lng,lat\nB,4,5\nA,2,3\n")
	if err != nil {
		t.Fatal(err)
	}
	second, err := run(t, options, "name,lng,lat\nC,4,5\nA,2,3\nB,4,5\n")
	if err != nil || len(second.POIs) != 3 || first.POIs[0].Key != second.POIs[2].Key || first.POIs[1].Key != second.POIs[1].Key ||
		second.POIs[0].Key == second.POIs[2].Key {
		t.Errorf("%s, then %s, %v", first.Places(), second.Places(), err)
	}
}

func TestFeatures(t *testing.T) {
	r, err := run(t, "{key: '@id', name: '{n} {m}', category: parks}", `{"type":"FeatureCollection","features":[
	 {"type":"Feature","id":1,"properties":{"n":"A","m":5},"geometry":{"type":"Point","coordinates":[1,2]}},
	 {"type":"Feature","id":2,"properties":{"n":true,"m":null},"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}},
	 {"type":"Feature","id":3,"properties":null,"geometry":{"type":"MultiPoint","coordinates":[[1,2]]}},
	 {"type":"Feature","id":4,"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
	 {"type":"Feature","id":5,"geometry":null},
	 {"type":"Feature","id":6,"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[0,0]]]}},
	 {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[null,2]}},
	 {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if rows := r.Places(); rows != "s:1 1.0000,2.0000 A 5|s:2 1.0000,1.0000 true 49226557688 m²|s:3 1.0000,2.0000 " {
		t.Errorf("rows %s", rows)
	}
	if want := ([]string{
		"wrong_geometry_type @ f feature 4", "missing_geometry @ f feature 5",
		"invalid_coordinate @ f feature 7", "missing_key @ f feature 8",
		"zero_area @ f feature 6", // areas are measured when the batch is full
	}); !reflect.DeepEqual(r.Issues, want) {
		t.Errorf("issues %v", r.Issues)
	}
}

func TestFeaturesProjected(t *testing.T) {
	spatialitetest.Need(t)
	const features = `"features":[{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[-8426377.54131978,5691130.81140602]}},
	 {"type":"Feature","id":2,"geometry":{"type":"Polygon","coordinates":[[[-8426400,5691100],[-8426300,5691100],[-8426300,5691200],[-8426400,5691200],[-8426400,5691100]]]}}]}`
	for options, text := range map[string]string{
		"{key: '@id', category: parks, crs: 'EPSG:3857'}": `{"type":"FeatureCollection",` + features,
		"{key: '@id', category: parks}": `{"type":"FeatureCollection","crs":{"type":"name",` +
			`"properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},` + features,
	} {
		r, err := run(t, options, text)
		if rows := r.Places(); err != nil || rows != "s:1 -75.6954,45.4405 |s:2 -75.6952,45.4406  4924 m²" {
			t.Errorf("%s: %s, %v", options, rows, err)
		}
	}
	if _, err := run(t, "{key: '@id', category: parks}", `{"crs":{"type":"name","properties":{"name":"urn:nonsense"}},`+features); !errors.Is(
		err, source.ErrBadFile) {
		t.Errorf("unknown crs: %v", err)
	}
}

// The country and state of a row have precedence over those of the region, even if unknown.
func TestRegionOfRowsWithoutOne(t *testing.T) {
	m := &mapping{source: "x", country: "US", state: "OR"}
	if err := m.compile(Options{Category: source.List{"parks"}, Country: "c", State: "s"}); err != nil {
		t.Fatal(err)
	}
	for columns, want := range map[[2]string][2]string{
		{"", ""}:           {"US", "OR"},
		{"USA", ""}:        {"US", "OR"},
		{"", "Washington"}: {"US", "WA"},
		{"", "QC"}:         {"", "QC"},
		{"Canada", ""}:     {"CA", ""},
		{"Mexico", ""}:     {"", ""},
		{"", "Jalisco"}:    {"", ""},
		{"US", "Guam?"}:    {"US", ""},
	} {
		row, why := m.poi(func(column string) string { return map[string]string{"c": columns[0], "s": columns[1]}[column] })
		if got := [2]string{row.CountryCode, row.StateCode}; !why.OK() || got != want {
			t.Errorf("%q became %q, %v; want %q", columns, got, why, want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	spatialitetest.Need(t)
	for options, says := range map[string]string{
		"{lng: a, lat: b}":                                                 "category",
		"{lng: a, lat: b, category: caffe}":                                "the nearest are cafes",
		"{lng: a, category: parks}":                                        "lat",
		"{x: a, y: b, category: parks}":                                    "crs",
		"{x: a, y: b, lng: a, lat: b, category: parks}":                    "exclude",
		"{lng: a, lat: b, crs: 'EPSG:3857', category: parks}":              "EPSG:3857",
		"{lng: a, lat: b, category_of: c}":                                 "categories",
		"{lng: a, lat: b, category_of: c, categories: {x: nope}}":          "nope",
		"{lng: a, lat: b, category_of: c, categories: {x: [parks, skip]}}": "skip",
		"{lng: a, lat: b, category: parks, bbox: [1, 2, 3]}":               "bbox",
		"{lng: a, lat: b, category: parks, encoding: ebcdic}":              "ebcdic",
		"{lng: a, lat: b, category: parks, delimiter: '::'}":               "delimiter",
		"{lng: a, lat: b, category: parks, decimal: ';'}":                  "decimal",
		"{lng: a, lat: b, category: parks, skip: -1}":                      "skip",
		"{lng: a, lat: b, category: parks, delimiter: '\"'}":               "delimiter",
		"{lng: a, lat: b, category: parks, name: '{a'}":                    "name",
		"{lng: a, lat: b, category: parks, name: 'a}'}":                    "name",
		"{lng: a, lat: b, category: parks, name: '{}'}":                    "name",
		"{lng: a, lat: b, category: parks, constants: {key: x}}":           "constants",
		"{category: parks}":                                                "lng",
		"{x: a, y: b, crs: 'EPSG:99999999', category: parks}":              "EPSG:99999999",
		"{lng: a, lat: b, category: parks, colour: red}":                   "colour",
	} {
		if _, err := run(t, options, "a,b,twice,twice\n1,2,3,4\n"); !errors.Is(err, source.ErrBadOptions) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %s", options, err, says)
		}
	}
}

// Missing and duplicate columns are an error of the file.
func TestMissingColumns(t *testing.T) {
	for options, says := range map[string]string{
		"{lng: a, lat: b, category: parks, key: c}":                                 "no column c; there are: a, b, twice, twice",
		"{lng: a, lat: b, category: parks, name: twice}":                            "2 columns have the name twice; write twice#1",
		"{lng: a, lat: b, category: parks, only: {d: [1]}, address: '{e} {f} {a}'}": "no column d, nor e, nor f",
	} {
		if _, err := run(t, options, "a,b,twice,twice\n1,2,3,4\n"); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %s", options, err, says)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for _, text := range []string{
		"", "\ufeff", "\xff\xfei\x00d\x00", "id,n\xe9,lng,lat\n", "id,name,lng,lat\n1,A,\"1,5\",2\n2,B,1.5,2\n", "PK\x03\x04\x00\x00",
		"id,name,lng,lat\n1,\"a,2,3\n2,b,2,3\n", "{", `{"type":"Topology"}`,
	} {
		if _, err := run(t, plain, text); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "/f: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
	folder := source.Input{Path: t.TempDir(), Options: sourcetest.Options(t, "category: parks")}
	if err := Kind.Stage(t.Context(), folder, &sourcetest.Record{}); !errors.Is(err, source.ErrBadFile) {
		t.Errorf("a folder: %v", err)
	}
}

func TestTemplateFill(t *testing.T) {
	value := func(column string) string { return map[string]string{"a": "1", "b": " 2  3"}[column] }
	for text, want := range map[string]string{"a": "1", "{a}{b}": "1 2 3", "x {a} y {z}": "x 1 y", "{z} {y}": "", "z": "", "": ""} {
		parsed, err := parseTemplate(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := parsed.fill(value); got != want {
			t.Errorf("%s gives %q, want %q", text, got, want)
		}
	}
}

// Every row of a table is staged or counted, whatever its fields hold.
func TestEveryRowCounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(rt, "rows")
		var text strings.Builder
		text.WriteString("id,name,lng,lat\n")
		for i := range n {
			fields := []string{fmt.Sprint(i)}
			for _, name := range []string{"name", "lng", "lat"} {
				field := rapid.OneOf(rapid.SampledFrom([]string{"1", "-75.5", "", "x"}), rapid.String()).Draw(rt, name)
				fields = append(fields, `"`+strings.ReplaceAll(strings.ReplaceAll(field, `"`, `""`), "\x00", "")+`"`)
			}
			text.WriteString(strings.Join(fields, ",") + "\n")
		}
		r, err := run(t, plain, text.String())
		if err != nil {
			rt.Fatal(err)
		}
		counted := len(r.POIs) + len(r.Issues) - r.Repaired
		if r.Count != n || counted != n {
			rt.Fatalf("%d rows, %d read, %d staged or counted", n, r.Count, counted)
		}
	})
}

func FuzzTable(f *testing.F) {
	f.Add("id,name,lng,lat\n1,\"A\",2,3\n2,b\n")
	f.Add("id,name,lng,lat\n1,\"A,2,3\n2,b\"c,2,3\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := run(t, plain, text)
		if err != nil {
			if !errors.Is(err, source.ErrBadFile) {
				t.Error(err)
			}
			return
		}
		counted := len(r.POIs) + len(r.Issues) - r.Repaired
		if counted != r.Count {
			t.Errorf("%d read, %d staged or counted", r.Count, counted)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	f.Add("{a} {b}")
	f.Add("a}{")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parseTemplate(text)
		if err != nil {
			return
		}
		back := ""
		for _, p := range parsed {
			if p.column && len(parsed) > 1 || p.column && strings.Contains(text, "{") {
				back += "{" + p.text + "}"
			} else {
				back += p.text
			}
		}
		if back != text {
			t.Errorf("%q parsed is %q", text, back)
		}
	})
}
