package overture

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
	"gopkg.in/yaml.v3"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
	"quartier/schemas/staged"
)

// parquet writes the rows of a SELECT to a parquet file.
func parquet(t testing.TB, path, query string) string {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("COPY (" + query + ") TO " + geoparquet.Quote(path) + " (FORMAT parquet, ROW_GROUP_SIZE 2048)"); err != nil {
		t.Fatal(err)
	}
	return path
}

func input(t testing.TB, path, options string) source.Input {
	return source.Input{Source: "test", Path: path, Options: sourcetest.Options(t, options)}
}

func jsonFile(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f.geojson")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func at(lng, lat float64) string {
	return "unhex('" + hex.EncodeToString(wkb.MustMarshal(orb.Point{lng, lat})) + "')"
}

// current has rows in the schema of 2025, some of them invalid.
var current = `
SELECT * FROM (VALUES
 ('b', ` + at(-75.7, 45.4) + `, {'xmin': -75.7, 'xmax': -75.7, 'ymin': 45.4, 'ymax': 45.4},
  {'primary': 'Boulangerie Moulin', 'common': MAP {'en': 'Mill Bakery', 'fr': 'Boulangerie Moulin de Provence'}},
  {'primary': 'bakery', 'alternate': ['cafe', 'bakery']}, 'casual_eatery', {'primary': 'bakery', 'hierarchy': ['food_and_drink', 'bakery'], 'alternates': ['cafe']},
  0.9, ['https://moulin.example'], ['+1 613-555-0100', '+1 613-555-0101'],
  {'wikidata': 'Q1', 'names': {'primary': 'Moulin', 'common': MAP {'en': 'Mill'}}},
  [{'freeform': '55 rue ByWard Market', 'locality': 'Ottawa', 'postcode': 'K1N 9C3', 'region': 'CA-ON', 'country': 'CA'},
   {'freeform': 'elsewhere', 'locality': NULL, 'postcode': NULL, 'region': NULL, 'country': NULL}], 'open'),
 ('a', ` + at(-73.99, 40.73) + `, {'xmin': -73.99, 'xmax': -73.99, 'ymin': 40.73, 'ymax': 40.73},
  {'primary': '770 Deli', 'common': NULL}, NULL, NULL, {'primary': 'deli', 'hierarchy': ['deli'], 'alternates': NULL}, 0.3, NULL, NULL, NULL,
  [{'freeform': '770 Broadway, #802', 'locality': 'New York', 'postcode': NULL, 'region': 'NY', 'country': 'US'}], NULL),
 ('c', ` + at(-73.98, 40.74) + `, NULL, {'primary': 'Gone', 'common': NULL}, {'primary': 'bar', 'alternate': NULL}, NULL, NULL, 0.8, NULL, NULL, NULL, NULL, 'permanently_closed'),
 ('d', ` + at(-73.98, 40.75) + `, NULL, {'primary': 'Back soon', 'common': NULL}, {'primary': 'bar', 'alternate': NULL}, NULL, NULL, 0.8, NULL, NULL, NULL, NULL, 'temporarily_closed'),
 ('e', NULL, NULL, {'primary': 'Nowhere', 'common': NULL}, {'primary': 'bar', 'alternate': NULL}, NULL, NULL, 0.8, NULL, NULL, NULL, NULL, 'open'),
 ('f', unhex('0102'), NULL, {'primary': 'Broken', 'common': NULL}, {'primary': 'bar', 'alternate': NULL}, NULL, NULL, 0.8, NULL, NULL, NULL, NULL, 'open'),
 (NULL, ` + at(-73.98, 40.75) + `, NULL, {'primary': 'Nobody', 'common': NULL}, {'primary': 'bar', 'alternate': NULL}, NULL, NULL, 0.8, NULL, NULL, NULL, NULL, 'open'),
 ('g', ` + at(-73.98, 40.76) + `, NULL, NULL, {'primary': 'park', 'alternate': NULL}, NULL, NULL, 1.7, NULL, NULL, NULL, NULL, 'open'),
 ('b', ` + at(-75.7, 45.4) + `, NULL, {'primary': 'Twice', 'common': NULL}, {'primary': 'bakery', 'alternate': NULL}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'open'),
 ('h', ` + at(-73.97, 40.76) + `, NULL, {'primary': 'No class', 'common': NULL}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'open')
) t(id, geometry, bbox, names, categories, basic_category, taxonomy, confidence, websites, phones, brand, addresses, operating_status)`

// older has a row in the schema of 2023: other names of members, names as a list, no status, no taxonomy.
var older = `SELECT 'old' AS id, ` + at(-77.03, 38.9) + ` AS geometry,
 {'common': [{'value': 'Café Vieux', 'language': 'local'}, {'value': 'Old Café', 'language': 'en'}]} AS names,
 {'main': 'cafe', 'alternate': ['coffee_shop']} AS categories, 0.5 AS confidence,
 {'names': {'common': [{'value': 'Vieux', 'language': 'local'}]}, 'wikidata': NULL} AS brand,
 [MAP {'freeform': '1 Old St', 'locality': 'Washington', 'region': 'DC', 'country': 'US'}] AS addresses`

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	file := parquet(t, filepath.Join(dir, "place's [1].parquet"), current)
	issues := map[string]int64{
		"permanently_closed": 1, "temporarily_closed": 1, "missing_geometry": 1,
		"unreadable_geometry": 1, "missing_key": 1, "confidence_out_of_range_removed": 1,
		"duplicate_key": 1, "missing_class": 1,
	}
	folder := t.TempDir()
	parquet(t, filepath.Join(folder, "part-1.parquet"), older)
	parquet(t, filepath.Join(folder, "part-0.zstd.parquet"),
		strings.Replace(older, "'old' AS id", "'new' AS id, 'open' AS operating_status", 1))
	many := parquet(t, filepath.Join(t.TempDir(), "many.parquet"),
		"SELECT 'id' || (10000 - i) AS id, "+at(-75, 45)+
			" AS geometry, {'primary': 'n' || i} AS names, {'primary': 'cafe'} AS categories FROM range(10000) r(i)")
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "new schema", Path: file, Read: 10, Issues: issues,
			Rows: map[string]string{
				"SELECT source_key, name, name_fr, classes, brand, brand_wikidata, address, city, postal_code, state_code, country_code, phone, url, " +
					"confidence, lng, lat FROM poi": "" +
					"overture:a|770 Deli|∅|[\"deli\"]|∅|∅|770 Broadway, #802|New York|∅|NY|US|∅|∅|0.3|-73.99|40.73\n" +
					"overture:b|Boulangerie Moulin|Boulangerie Moulin de Provence|[\"bakery\",\"cafe\"]|Moulin|Q1|55 rue ByWard Market|Ottawa|K1N " +
					"9C3|ON|CA|+1 613-555-0100|https://moulin.example|0.9|-75.7|45.4\n" +
					"overture:g|∅|∅|[\"park\"]|∅|∅|∅|∅|∅|∅|∅|∅|∅|∅|-73.98|40.76",
			},
		},
		sourcetest.Case{
			Name: "old schema, folder", Path: folder, Read: 2,
			Rows: map[string]string{
				"SELECT source_key, name, classes, brand, address, state_code, confidence FROM poi": "" +
					"overture:new|Old Café|[\"cafe\",\"coffee_shop\"]|Vieux|1 Old St|DC|0.5\n" +
					"overture:old|Old Café|[\"cafe\",\"coffee_shop\"]|Vieux|1 Old St|DC|0.5",
			},
		},
		sourcetest.Case{Name: "many row groups", Path: many, Read: 10000,
			Rows: map[string]string{"SELECT count(*), first(source_key) FROM poi": "10000|overture:id1"}},
		sourcetest.Case{
			Name: "GeoJSON of the Netherlands", Path: testenv.Data("us-national/overture/places-sample-nl.geojson"), Read: 2049,
			Options: "category: public_plaza",
			Issues:  map[string]int64{"generated_key": 2049},
			Rows: map[string]string{
				"SELECT count(*), count(DISTINCT source_key) FROM poi":                     "2049|2049",
				"SELECT lng, lat FROM poi WHERE name = 'Zwembad Den Hommel'":               "5.1330209|52.113261",
				"SELECT count(*) FROM poi WHERE lng NOT BETWEEN 5 AND 5.3 OR name IS NULL": "0",
			},
		},
	)
}

func TestOptions(t *testing.T) {
	file := parquet(t, filepath.Join(t.TempDir(), "p.parquet"), current+" WHERE id IN ('a', 'b')")
	for options, want := range map[string]string{
		"":                           "a b b",
		"min_confidence: 0.5":        "b b",
		"bbox: [-76, 45, -75, 46]":   "b b",
		"bbox: [-74, 40, -73, 41]":   "a",
		"countries: [ca]":            "b b",
		"countries: [us]":            "a b",
		"bbox: [0, 0, 1, 1]":         "",
		"min_confidence: 0.95":       "b",
		"bbox: [-75.7, 45.4, 0, 50]": "b b",
	} {
		var r sourcetest.Record
		if err := Kind.Stage(t.Context(), input(t, file, options), &r); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.POIs {
			got = append(got, strings.TrimPrefix(p.Key, "overture:"))
		}
		if keys := strings.Join(got, " "); keys != want {
			t.Errorf("%s: %q, want %q", options, keys, want)
		}
		if r.Count != 3 || len(got)+len(r.Issues) != 3 {
			t.Errorf("%s: %d read, %d staged, issues %q", options, r.Count, len(got), r.Issues)
		}
	}
	for options, want := range map[string]int64{"": 3, "bbox: [-76, 45, -75, 46]": 2, "bbox: [0, 0, 1, 1]": 1} {
		if n := Kind.Rows(t.Context(), input(t, file, options)); n != want {
			t.Errorf("%s: %d rows by the headers, want %d", options, n, want)
		}
	}
	for _, options := range []string{"bbox: [1, 2, 3]", "bbox: [3, 2, 1, 5]", "min_confidence: 2", "min_confidence: .nan",
		"countries: [CAN]"} {
		if err := Kind.Stage(t.Context(), input(t, file, options), &sourcetest.Record{}); err == nil {
			t.Errorf("%s is accepted", options)
		}
	}
}

// A file of several pages is staged in order and leaves no file behind; too little memory is not an error of the file.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const rows = page + 10_000
	file := parquet(t, filepath.Join(t.TempDir(), "p.parquet"), fmt.Sprintf(
		"SELECT md5(i::VARCHAR) AS id, %s AS geometry, {'primary': repeat(md5(i::VARCHAR), 20)} AS names, {'primary': 'cafe'} AS categories "+
			"FROM range(%d) r(i)", at(-75, 45), rows))
	var r sourcetest.Record
	s := stager{out: &r, memory: geoparquet.Memory}
	if err := s.parquet(t.Context(), file, []string{file}); err != nil {
		t.Fatal(err)
	}
	s.memory = "10MB"
	if err := s.parquet(t.Context(), file, []string{file}); err == nil || errors.Is(err, source.ErrBadFile) ||
		!strings.Contains(err.Error(), file) {
		t.Errorf("with too little memory: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(r.POIs) != rows || len(left) > 0 {
		t.Errorf("%d rows, %d read, %d files left", len(r.POIs), r.Count, len(left))
	}
	last := ""
	for _, p := range r.POIs {
		if p.Key <= last || len(p.Name) != 640 {
			t.Fatalf("%s after %s", p.Key, last)
		}
		last = p.Key
	}
}

func TestMissingColumns(t *testing.T) {
	file := parquet(t, filepath.Join(t.TempDir(), "p.parquet"), "SELECT 'a' AS id, 5 AS brand")
	err := Kind.Stage(t.Context(), input(t, file, ""), &sourcetest.Record{})
	if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "geometry, names, categories") {
		t.Errorf("error %v", err)
	}
	file = parquet(t, filepath.Join(t.TempDir(), "p.parquet"),
		"SELECT 'a' AS id, 'POINT(1 2)' AS geometry, {'primary':'x'} AS names, {'primary':'x'} AS categories")
	err = Kind.Stage(t.Context(), input(t, file, ""), &sourcetest.Record{})
	if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "geometry is VARCHAR") {
		t.Errorf("error %v", err)
	}
}

// The examples that Overture publishes with its schema.
func TestPublishedExamples(t *testing.T) {
	for name, want := range map[string]source.POI{
		"place-with-taxonomy.yaml": {
			Key: "overture:overture:places:place:77", Scheme: "overture",
			Classes: []string{"gas_station_sushi", "gas_station", "sushi_restaurant"},
			Details: staged.Details{
				Name: "Bucky's Gas & Sushi", Brand: "Bucky's Gas & Sushi", BrandWikidata: "Q9999999",
				Address: "4200 South Congress Ave", City: "Austin", StateCode: "TX", PostalCode: "78745", CountryCode: "US",
				Phone: "+1 512-555-0123", URL: "https://www.buckysgas.example.com",
			},
		},
		"place2.yaml": {
			Key: "overture:overture:places:place:1", Scheme: "overture", Classes: []string{"some_category"},
			Details: staged.Details{
				Brand: "Example", BrandWikidata: "Q1000", Address: "770 Broadway, Floor 8", City: "New York",
				Phone: "+32 1207", URL: "https://www.example.com",
			},
		},
	} {
		data, err := os.ReadFile(testenv.NeedData(t, "us-national/overture/"+name))
		if err != nil {
			t.Fatal(err)
		}
		var feature map[string]any
		if err := yaml.Unmarshal(data, &feature); err != nil {
			t.Fatal(err)
		}
		feature["geometry"] = map[string]any{"type": "Point", "coordinates": []float64{1, 2}}
		var r sourcetest.Record
		if err := Kind.Stage(t.Context(), input(t, jsonFile(t, feature), ""), &r); err != nil || len(r.POIs) != 1 {
			t.Fatalf("%d rows, %v", len(r.POIs), err)
		}
		got := r.POIs[0]
		want.Point, got.Confidence = orb.Point{1, 2}, nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v\nwant %+v", name, got, want)
		}
	}
}

// TestForms reads a place as releases of each year and programs write it: in lines, behind record separators, with nested
// properties as texts of JSON, maps as pairs.
func TestForms(t *testing.T) {
	const point = `"geometry":{"type":"Point","coordinates":[-75,45]}`
	for name, properties := range map[string]string{
		"2023": `{"names":{"common":[{"value":"Moulin","language":"local"},{"value":"Mill","language":"en"}]},` +
			`"categories":{"main":"cafe","alternate":["bakery"]}}`,
		"2024": `{"names":{"primary":"Mill","common":{"fr":"Le ` +
			`moulin"}},"categories":{"primary":"cafe","alternate":["bakery"]},"phones":["1"]}`,
		"2026": `{"names":{"primary":"Mill"},"categories":null,"basic_category":"casual_eatery","operating_status":"open",` +
			`"taxonomy":{"primary":"cafe","hierarchy":["food_and_drink","cafe"],"alternates":["bakery"]}}`,
		"ogr2ogr": `{"names":"{\"primary\":\"Mill\",\"common\":{\"fr\":\"Le ` +
			`moulin\"}}","categories":"{\"primary\":\"cafe\",\"alternate\":[\"bakery\"]}","phones":"[\"1\"]"}`,
		"pandas": `{"names":{"primary":"Mill","common":[["fr","Le ` +
			`moulin"]]},"categories":{"primary":"cafe","alternate":["bakery"]},"phones":"1"}`,
		"keys and values": `{"names":{"primary":"Mill","common":[{"key":"fr","value":"Le ` +
			`moulin"}]},"categories":{"primary":"cafe","alternate":["bakery"]}}`,
		"a name in braces": `{"names":{"primary":"Mill"},"categories":{"primary":"cafe","alternate":["bakery"]},"websites":"{open"}`,
	} {
		for form, text := range map[string]string{
			"line":       `{"type":"Feature","id":"a","properties":` + properties + `,` + point + "}\n",
			"sequence":   "\x1e" + `{"type":"Feature","id":"a","properties":` + properties + `,` + point + "}\n",
			"collection": `{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":` + properties + `,` + point + `}]}`,
		} {
			path := filepath.Join(t.TempDir(), "p.geojsonseq")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var r sourcetest.Record
			if err := Kind.Stage(t.Context(), input(t, filepath.Dir(path), ""), &r); err != nil || len(r.POIs) != 1 || len(r.Issues) > 0 {
				t.Errorf("%s, %s: %v, %v", name, form, r.Issues, err)
				continue
			}
			p := r.POIs[0]
			if p.Name != "Mill" || !strings.HasPrefix(strings.Join(p.Classes, " "), "cafe bakery") {
				t.Errorf("%s, %s: %+v", name, form, p)
			}
			if (name == "2024" || name == "ogr2ogr" || name == "pandas") && (p.NameFR != "Le moulin" || p.Phone != "1") {
				t.Errorf("%s, %s: %+v", name, form, p)
			}
		}
	}
}

// TestGeometryReasons distinguishes a feature without geometry from one of another type.
func TestGeometryReasons(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.geojson")
	text := `{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{},"geometry":null},{"type":"Feature","id":"b","properties":{}},
	 {"type":"Feature","id":"c","properties":{},"geometry":{"type":"MultiPoint","coordinates":[[1,2]]}}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var r sourcetest.Record
	if err := Kind.Stage(t.Context(), input(t, path, ""), &r); err != nil {
		t.Fatal(err)
	}
	if got := r.Reasons(); got["missing_geometry"] != 2 || got["wrong_geometry_type"] != 1 || len(got) != 2 {
		t.Error(got)
	}
}

func FuzzFeature(f *testing.F) {
	f.Add(`{"names":{"primary":"x","common":{"fr":"y"}},"categories":{"primary":"cafe"},"addresses":[{"region":"US-NY"}]}`)
	f.Add(`{"names":"{\"primary\":\"x\"}","phones":"1","categories":"[]"}`)
	f.Add(`{"names":{"common":[["a","b"]]},"taxonomy":{"hierarchy":["x","y"]}}`)
	f.Add(`{"names":{"common":[{"value":"x","language":"local"}]}}`)
	f.Fuzz(func(t *testing.T, properties string) {
		path := filepath.Join(t.TempDir(), "f.geojson")
		text := fmt.Sprintf(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":%s,"geometry":{"type":"Point",`+
			`"coordinates":[1,2]}}]}`, properties)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var r sourcetest.Record
		if err := Kind.Stage(t.Context(), input(t, path, ""), &r); err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Error(err)
		}
		for _, p := range r.POIs {
			if p.Key == "overture:" || (p.Confidence != nil && !(*p.Confidence >= 0 && *p.Confidence <= 1)) {
				t.Errorf("staged %+v", p)
			}
		}
	})
}
