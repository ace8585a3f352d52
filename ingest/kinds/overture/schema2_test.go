package overture

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

// schema2 writes places as GeoParquet of schema 2.0, with its columns and types.
func schema2(t *testing.T, places []map[string]any) string {
	t.Helper()
	var lines strings.Builder
	for _, p := range places {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	rows := filepath.Join(t.TempDir(), "rows.json")
	if err := os.WriteFile(rows, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return parquet(t, filepath.Join(t.TempDir(), "places.parquet"), "SELECT * EXCLUDE (type, theme), "+
		at(-75.7, 45.4)+` AS geometry FROM read_json(`+geoparquet.Quote(rows)+`, columns = {
		id: 'VARCHAR', version: 'INTEGER', sources: 'STRUCT(property VARCHAR, dataset VARCHAR, record_id VARCHAR, confidence DOUBLE)[]',
		names: 'STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR))',
		taxonomy: 'STRUCT("primary" VARCHAR, hierarchy VARCHAR[], alternates VARCHAR[])', basic_category: 'VARCHAR',
		confidence: 'DOUBLE', websites: 'VARCHAR[]', socials: 'VARCHAR[]', phones: 'VARCHAR[]',
		brand: 'STRUCT(wikidata VARCHAR, names STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR)))',
		addresses: 'STRUCT(freeform VARCHAR, locality VARCHAR, postcode VARCHAR, region VARCHAR, country VARCHAR)[]',
		operating_status: 'VARCHAR', theme: 'VARCHAR', type: 'VARCHAR'})`)
}

// TestSchema2 reads eight places of the schema without categories, and others that are not as it requires.
func TestSchema2(t *testing.T) {
	taxonomy := func(path string, alternates ...string) map[string]any {
		ids := strings.Split(path, " > ")
		return map[string]any{"primary": ids[len(ids)-1], "hierarchy": ids, "alternates": alternates}
	}
	cafe := taxonomy("food_and_drink > casual_eatery > cafe")
	meta := func(confidence float64) []any {
		return []any{map[string]any{"property": "/properties/brand", "dataset": "msft", "confidence": .1},
			map[string]any{"property": "", "dataset": "meta", "confidence": confidence}, map[string]any{"property": "/x", "dataset": "meta"}}
	}
	var r sourcetest.Record
	file := schema2(t, []map[string]any{
		{"id": "1", "operating_status": "open", "taxonomy": taxonomy("services_and_business > financial_service > bank_or_credit_union > bank",
			"atm"),
			"basic_category": "bank_or_credit_union", "confidence": .9},
		{"id": "2", "operating_status": "open", "taxonomy": taxonomy("food_and_drink > restaurant > afghani_restaurant"), "sources": meta(.75)},
		{"id": "3", "operating_status": nil, "taxonomy": taxonomy("health_care > outpatient_care_facility > dental_clinic"),
			"confidence": .5, "sources": meta(.75)},
		{"id": "4", "operating_status": "open",
			"taxonomy": taxonomy("travel_and_transportation > fueling_station > gas_station", "convenience_store")},
		{"id": "5", "operating_status": "open", "taxonomy": taxonomy("food_and_drink > casual_eatery > cafe > moon_cafe", "bakery"),
			"basic_category": "cafe"},
		{"id": "6", "operating_status": "open", "basic_category": "casual_eatery"},
		{"id": "7", "operating_status": "open"},
		{"id": "8", "operating_status": "open", "taxonomy": taxonomy("travel_and_transportation > buses_and public_transit")},
		{"id": "permanently closed", "operating_status": "permanently_closed", "taxonomy": cafe, "confidence": 0},
		{"id": "temporarily closed", "operating_status": "temporarily_closed", "taxonomy": cafe},
		{"id": "does not exist", "operating_status": "open", "taxonomy": cafe, "confidence": 0},
		{"id": "other status", "operating_status": "blah", "taxonomy": cafe},
		{"id": "no hierarchy", "operating_status": "open", "taxonomy": map[string]any{"primary": "cafe", "alternates": []string{"bakery"}}},
		{"id": "no primary", "operating_status": "open", "taxonomy": map[string]any{"hierarchy": []string{"food_and_drink", "cafe"}}},
		{"id": "no word", "operating_status": "open", "taxonomy": cafe, "basic_category": "woof__"},
	})
	if err := Kind.Stage(t.Context(), input(t, file, ""), &r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range r.POIs {
		confidence := ""
		if p.Confidence != nil {
			confidence = strings.TrimRight(strings.Replace(jsonText(t, *p.Confidence), "0.", " .", 1), "0")
		}
		got = append(got, strings.TrimPrefix(p.Key, "overture:")+" "+strings.Join(p.Classes, ",")+confidence)
	}
	want := []string{"1 bank,atm .9", "2 afghani_restaurant .75", "3 dental_clinic .5", "4 gas_station,convenience_store",
		"5 moon_cafe,cafe,casual_eatery,bakery", "6 casual_eatery", "7 ", "8 buses_and public_transit"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	reasons := map[string]int{"permanently_closed": 2, "temporarily_closed": 1, "invalid_operating_status": 1, "incomplete_taxonomy": 2,
		"invalid_category": 1, "dataset_found: meta": 2, "dataset_found: msft": 2}
	if got := r.Reasons(); !maps.Equal(got, reasons) {
		t.Errorf("reasons %v, want %v", got, reasons)
	}
}

func jsonText(t *testing.T, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSchema2Examples reads the good and the bad examples that Overture publishes with schema 2.0.
func TestSchema2Examples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.NeedData(t, "formats/overture/schema-v2/examples"), "*.yaml"))
	if err != nil || len(files) != 12 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	var places []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var feature struct{ Properties map[string]any }
		if err := yaml.Unmarshal(data, &feature); err != nil {
			t.Fatal(err)
		}
		p := feature.Properties
		if _, isNumber := p["confidence"].(float64); !isNumber { // an example lacks the line before its websites
			delete(p, "confidence")
		}
		delete(p, "categories")
		delete(p, "ext_expected_errors")
		if p["names"] != nil {
			delete(p["names"].(map[string]any), "rules")
		}
		p["id"] = strings.TrimSuffix(filepath.Base(file), ".yaml")
		places = append(places, p)
	}
	var r sourcetest.Record
	if err := Kind.Stage(t.Context(), input(t, schema2(t, places), ""), &r); err != nil {
		t.Fatal(err)
	}
	if r.Count != 12 || len(r.POIs) != 7 {
		t.Errorf("%d read, %d staged", r.Count, len(r.POIs))
	}
	reasons := map[string]int{"permanently_closed": 1, "invalid_operating_status": 1, "incomplete_taxonomy": 2, "invalid_category": 1}
	got := r.Reasons()
	maps.DeleteFunc(got, func(code string, _ int) bool { return strings.HasPrefix(code, "dataset_found") })
	if !maps.Equal(got, reasons) {
		t.Errorf("reasons %v, want %v", got, reasons)
	}
}
