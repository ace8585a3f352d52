package transform

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/transform/people/demography"
)

// stage makes a staged database of a town in Delaware with a few places from two sources. The statements in extra are
// executed at the end.
func stage(t *testing.T, extra ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "staged.duckdb")
	db, err := duck.Create(path, schemas.Staged)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	for i, id := range []string{"osm", "overture"} {
		exec(`INSERT INTO source (source_id, priority, kind, path, sha256, bytes, as_of, licence, attribution, rows_read, rows_staged)
			VALUES (?, ?, 'osm', 'x', 'x', 1, '2024-01-01', 'x', 'x', 1, 1)`, id, i)
	}
	outline := func(west, south, east, north float64) []byte {
		data, err := geo.WKB(orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	exec(`INSERT INTO boundary (source_id, source_key, level, name_en, country_code, state_code, geom) VALUES ('osm', 'osm:relation:1', 60, `+
		`'Delaware', 'US', 'DE', ?)`, outline(-76, 38, -75, 40))
	exec(`INSERT INTO boundary (source_id, source_key, level, name_en, population, geom) VALUES ('osm', 'osm:relation:2', 30, 'Dover', `+
		`37366, ?)`, outline(-75.6, 39.1, -75.5, 39.2))
	place := `INSERT INTO poi (source_id, source_key, lng, lat, name, scheme, classes, house_number, street, address, postal_code, ` +
		`state_code, phone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	exec(place, "osm", "osm:node:1", -75.55, 39.15, "Joe's Café", "osm", `{"amenity":"cafe","diet:vegan":"yes"}`, "12", "Main Street", nil,
		"19901-1234", "MD", nil)
	exec(place, "overture", "overture:1", -75.5502, 39.1501, "Joes Cafe", "overture", `["coffee_shop","cafe"]`, nil, nil, "12 Main St",
		"19901", "DE", "(302) 555-0100")
	exec(place, "osm", "osm:node:2", -75.55, 39.16, nil, "osm", `{"highway":"bus_stop"}`, nil, nil, nil, nil, nil, nil)
	exec(place, "osm", "osm:node:3", -75.55, 39.16, "Bench", "osm", `{"amenity":"bench"}`, nil, nil, nil, nil, nil, nil)
	exec(place, "osm", "osm:node:4", -70.0, 39.16, "Far Out", "osm", `{"amenity":"cafe"}`, nil, nil, nil, nil, nil, nil)
	exec(place, "osm", "osm:node:5", -75.51, 39.11, "McDonalds", "osm", `{"amenity":"fast_food"}`, nil, nil, nil, nil, nil, nil)
	exec(place, "overture", "osm:node:5", -75.51, 39.11, "McDonalds", "osm", `{"amenity":"fast_food"}`, nil, nil, nil, "bad", nil, nil)
	exec("UPDATE poi SET opening_hours = 'Mo-Fr  08:00-18:00' WHERE source_key = 'overture:1'")
	exec("UPDATE poi SET wheelchair = 'designated' WHERE source_key = 'osm:node:1'")
	exec("UPDATE poi SET wheelchair = 'only' WHERE source_key = 'osm:node:5'")
	exec(`INSERT INTO brand_rule (source_id, brand_id, brand_name, wikidata, key, value, names, countries, tags) VALUES ('osm', ` +
		`'mcdonalds', 'McDonald''s', 'Q38076', 'amenity', 'fast_food', '["mcd"]', '["us"]', '{"cuisine":"burger"}')`)
	for _, statement := range extra {
		exec(statement)
	}
	return path
}

// dump returns a table as text, in the order of the file.
func dump(t *testing.T, path, query string) []string {
	t.Helper()
	db, err := duck.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestRegion(t *testing.T) {
	staged, derived := stage(t), filepath.Join(t.TempDir(), "derived.duckdb")
	report, err := Region(context.Background(), staged, "", derived, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Boundaries != 2 || report.Geographies != 2 || report.Records != 7 || report.POIs != 3 || report.Merged != 1 ||
		report.Brands != 1 {
		t.Errorf("report %+v", report)
	}
	for _, c := range []struct {
		name, query string
		want        []string
	}{
		{"geography", `SELECT concat_ws('|', source_key, level, country_code, state_codes, population, round(area_m2/1e6)) FROM geography`,
			[]string{"osm:relation:1|60|US|US_DE|19233.0", "osm:relation:2|30|US|US_DE|37366|96.0"}},
		{"coverage", `SELECT concat_ws('|', region_code, source_key) FROM coverage`, []string{"US_DE|osm:relation:1"}},
		{"poi",
			`SELECT concat_ws('|', poi_key, name, address, city, state_code, postal_code, phone, opening_hours, wheelchair, categories, ` +
				`brands, tags, base_categories) FROM poi ORDER BY poi_key`,
			[]string{
				"osm:node:1|Joe's Café|12 Main Street|Dover|DE|19901-1234|+1 302-555-0100|Mo-Fr " +
					"08:00-18:00|yes|cafes,shops_and_services||coffee_shop,independent,vegan|cafes",
				"osm:node:2|Bus stop|Dover|DE|bus_stops|||bus_stops",
				"osm:node:5|McDonalds|Dover|DE|restaurants,shops_and_services|mcdonalds|burger,chain,fast_food,unhealthy|restaurants",
			}},
		{"brand", `SELECT concat_ws('|', brand_id, brand_name) FROM brand`, []string{"mcdonalds|McDonald's"}},
		{"poi_merge", `SELECT concat_ws('|', kept_key, merged_key, round(distance_m), name_similarity, reason) FROM poi_merge`,
			[]string{"osm:node:1|overture:1|21.0|1.0|same name nearby"}},
		{"transform_issue", `SELECT concat_ws('|', step, severity, code, detail, "rows", example) FROM transform_issue`,
			[]string{
				"poi|skipped|duplicate_key_in_other_source||1|osm:node:5",
				"poi|skipped|outside_coverage||1|osm:node:4 of osm",
				"poi|skipped|unmapped_category|amenity=bench|1|osm:node:3 of osm",
			}},
	} {
		if diff := cmp.Diff(c.want, dump(t, derived, c.query)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// A region with jobs has places with jobs, the note of what became of them and the issues of those that it cannot place.
func TestRegionWithJobs(t *testing.T) {
	staged, derived := stage(t,
		"INSERT INTO job (source_id, source_key, lng, lat, jobs) VALUES ('osm', 'jobs:1', -75.55, 39.15, 12500)",
		"INSERT INTO job (source_id, source_key, jobs) VALUES ('osm', 'census:block:100010401001000', 3000)"),
		filepath.Join(t.TempDir(), "derived.duckdb")
	if _, err := Region(context.Background(), staged, "", derived, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{"SELECT concat_ws('|', job_place, source_id, source_key, place_key, lng, lat, jobs) FROM job_place",
			"0|osm|jobs:1|jobs:1|-75.55|39.15|12500"},
		{"SELECT text FROM note WHERE topic = 'jobs'", "12 jobs are at 1 place; 3 more are in areas that the region does not have"},
		{`SELECT concat_ws('|', code, "rows", example) FROM transform_issue WHERE step = 'jobs'`,
			"jobs_beyond_region|1|census:block:100010401001000"},
	} {
		if diff := cmp.Diff([]string{c.want}, dump(t, derived, c.query)); diff != "" {
			t.Errorf("%s:\n%s", c.query, diff)
		}
	}
}

// A region without streets has demographics too, and the notes of all steps are in one table.
func TestRegionWithDemographics(t *testing.T) {
	derived := filepath.Join(t.TempDir(), "derived.duckdb")
	report, err := Region(context.Background(), stage(t,
		`INSERT INTO zone (source_id, source_key, geom) SELECT 'osm', 'census:bg:100010405001', geom FROM boundary WHERE level = 30`,
		`INSERT INTO block (source_id, source_key, area_key, population, geom) SELECT 'osm', 'b' || i, 'census:bg:100010405002', i, geom FROM `+
			`boundary, range(1, 3) AS r(i) WHERE level = 30`,
		`INSERT INTO survey (source_id, vintage, title) VALUES ('osm', '2019-2023', 'x')`,
		`INSERT INTO statistic (source_id, area_key, cell, estimate, moe) VALUES ('osm', 'census:bg:100010405001', 'population.total', 1000, `+
			`50), ('osm', 'osm:relation:2', 'population.total', 900, 40)`,
		`INSERT INTO statistic (source_id, area_key, cell, estimate, moe) VALUES ('osm', 'census:bg:100010405002', 'households.total', 2, 1)`,
	), "", derived, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.SmallAreas != 2 || report.SmallAreaParts != 3 || report.Described != 2 || report.Published != 1 {
		t.Errorf("report %+v", report)
	}
	for query, want := range map[string][]string{
		`SELECT topic FROM note ORDER BY topic`: {"demographics by blocks US", "settlement US", "streets", "tables of source osm"},
		`SELECT concat_ws('|', source_key, cell, estimate, moe) FROM small_area_value JOIN small_area USING (area) ORDER BY ALL`: {
			"census:bg:100010405001|population.total|1000.0|50.0", "census:bg:100010405002|households.total|2.0|1.0",
			"census:bg:100010405002|population.total|3.0",
		},
		`SELECT concat_ws('|', source_key, cell, estimate, moe, vintage) FROM geography_value`: {
			"osm:relation:2|population.total|900.0|40.0|2019-2023"},
		`SELECT concat_ws('|', country_code, vintage) FROM vintage`: {"US|2019-2023"},
	} {
		if diff := cmp.Diff(want, dump(t, derived, query)); diff != "" {
			t.Errorf("%s:\n%s", query, diff)
		}
	}
}

func TestRegionLeavesNothingBehindWhenItFails(t *testing.T) {
	staged := stage(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	derived := filepath.Join(t.TempDir(), "derived.duckdb")
	if _, err := Region(ctx, staged, "", derived, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if files, _ := os.ReadDir(filepath.Dir(derived)); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	if err := os.WriteFile(derived, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Region(context.Background(), staged, "", derived, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(derived); string(data) != "mine" {
		t.Error("the existing file was removed")
	}
	if _, err := Region(context.Background(), filepath.Join(t.TempDir(), "none"), "", derived+"2", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestRegionNamesTheRowThatItCannotRead(t *testing.T) {
	for _, c := range []struct{ spoil, want string }{
		{`UPDATE poi SET classes = '{' WHERE source_key = 'osm:node:2'`, "osm:node:2 of osm: classes"},
		{`UPDATE boundary SET geom = '\x00'::BLOB WHERE level = 30`, "osm:relation:2: read wkb"},
		{`UPDATE boundary SET level = 31 WHERE level = 30`, "osm:relation:2: unknown level 31"},
		{`UPDATE brand_rule SET names = '['`, "brand rule mcdonalds of osm: names"},
		{`DELETE FROM source WHERE source_id = 'overture'`, "priority"}, // no row may vanish for want of its source
		{`INSERT INTO coverage (source_id, country_code, state_code, geom) VALUES ('osm', 'US', 'XX', '')`, "extent of osm: no state"},
	} {
		derived := filepath.Join(t.TempDir(), "derived.duckdb")
		_, err := Region(context.Background(), stage(t, c.spoil), "", derived, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v does not contain %q", c.spoil, err, c.want)
		}
		if _, err := os.Stat(derived); err == nil {
			t.Errorf("%s: a file is left behind", c.spoil)
		}
	}
}

// An error about sources names them, and not the staged database.
func TestRegionWithMismatchedSurvey(t *testing.T) {
	staged := stage(t,
		`INSERT INTO zone (source_id, source_key, geom) SELECT 'osm', 'census:bg:100010405001', geom FROM boundary WHERE level = 30`,
		`INSERT INTO survey (source_id, vintage, title) VALUES ('overture', '2019-2023', 'x')`,
		`INSERT INTO statistic (source_id, area_key, cell, estimate, moe) VALUES ('overture', 'census:bg:100010405009', 'population.total', `+
			`1000, 50)`,
	)
	_, err := Region(context.Background(), staged, "", filepath.Join(t.TempDir(), "derived.duckdb"), nil)
	if !errors.Is(err, demography.ErrMismatch) || !strings.Contains(err.Error(), "source overture") || strings.Contains(err.Error(), staged) {
		t.Errorf("error %v", err)
	}
}
