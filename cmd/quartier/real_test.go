package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
)

// extracts is the folder of the state extract in the module cache.
func extracts(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata")
}

// TestDelawareFromOneExtract builds a state of one file and asks the server for two of its cities.
func TestDelawareFromOneExtract(t *testing.T) {
	t.Parallel()
	release := filepath.Join(t.TempDir(), "delaware")
	mustRun(t, "build", "--pbf", filepath.Join(extracts(t), "delaware-latest.osm.pbf"), "--out", release)
	mustRun(t, "verify", release)
	file := filepath.Join(release, schemas.GeographiesFile)
	for level, want := range map[string]string{"30": "76", "37": "3", "60": "1", "70": "0"} {
		if got := rows(t, file, `SELECT count(*) FROM geography WHERE level = ?`, level)[0][0]; got != want {
			t.Errorf("%s geographies of level %s, want %s", got, level, want)
		}
	}
	state := rows(t, file, `SELECT name_en, country_code, state_codes, area_m2 BETWEEN 6.2e9 AND 6.7e9 FROM geography WHERE level = 60`)
	if !slices.Equal(state[0], []string{"Delaware", "US", "US_DE", "1"}) {
		t.Errorf("the state is %v", state)
	}
	checkExplained(t, release, 100)
	s := startServer(t, release)
	_, token := s.account(t)
	for path, names := range map[string][]string{
		"/v3/enhanced-pois?lat=39.7459&lng=-75.5466&radius=500": {"Wilmington Public Library", "Chelsea Tavern", "H. Fletcher Brown Park"},
		"/v3/enhanced-pois?lat=39.1582&lng=-75.5244&radius=800": {"Biggs Museum of American Art", "Dover Public Library",
			"Kent General Hospital"},
	} {
		status, body := s.get(t, token, path)
		var answer schemas.EnhancedPOIsAnswer
		if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s: %v", path, status, body, err)
		}
		for _, name := range names {
			if !slices.ContainsFunc(answer.Data.Results, func(p schemas.EnhancedPOI) bool {
				return p.Name == name && p.State == "DE" && p.Country == "United States"
			}) {
				t.Errorf("%s does not give %s", path, name)
			}
		}
	}
	if status, body := s.get(t, token, "/v3/geographies?lat=43.6532&lng=-79.3832"); status != http.StatusNotFound {
		t.Errorf("Toronto gives %d %s of a release of Delaware", status, body)
	}
}

var realBuilt sync.Once

// realRelease is what make real builds, with its work folder beside it, built once for all tests of this package.
func realRelease(t *testing.T) string {
	t.Helper()
	data, release := testenv.NeedData(t, ""), filepath.Join(scratch, "real")
	realBuilt.Do(func() {
		mustRun(t, "build", "--release", "../../regions/real.yaml", "--data", data, "--var", "OSM_TESTDATA="+extracts(t), "--out", release)
	})
	if _, err := os.Stat(release); err != nil {
		t.Fatalf("the real regions were not built: %v", err)
	}
	return release
}

// TestRealRegions holds the real regions to what is known of the places.
func TestRealRegions(t *testing.T) {
	t.Parallel()
	release, data := realRelease(t), testenv.Data("")
	mustRun(t, "verify", release)
	checkProfiles(t, release, 5000)
	checkTexts(t, release, 0.6)
	geographies, pois := filepath.Join(release, schemas.GeographiesFile), filepath.Join(release, schemas.POIsFile)
	facts := []struct{ what, file, query, want string }{
		{"Ottawa's wards", geographies, `SELECT count(*) FROM geography WHERE region = 'ca-ottawa' AND level = 20`, "24"},
		{"a ward's French name", geographies, `SELECT name_fr FROM geography WHERE source_key = 'ottawa:ward:11'`, "Beacon Hill-Cyrville"},
		{"Ottawa's neighbourhoods", geographies, `SELECT count(*) FROM geography WHERE region = 'ca-ottawa' AND level = 10`, "111"},
		{"Ottawa lies in Ontario", geographies, `SELECT state_codes FROM geography WHERE source_key = 'statcan:csd:3506008'`, "CA_ON"},
		{"Ottawa's area, 2,790 km² and the river's half", geographies,
			`SELECT area_m2 BETWEEN 2.75e9 AND 2.95e9 FROM geography WHERE source_key = 'statcan:csd:3506008'`, "1"},
		{"Quebec's French name", geographies, `SELECT name_fr FROM geography WHERE source_key = 'statcan:pr:24'`, "Québec"},
		{"Portland's neighbourhoods", geographies,
			`SELECT count(*) FROM geography WHERE region = 'us-portland' AND level = 10 AND source_key LIKE 'portland:%'`, "63"},
		{"Hillsdale's city", geographies,
			`SELECT c.name_en FROM geography g JOIN geography c ON c.geog_id = g.city_id WHERE g.name_en = 'Hillsdale' AND g.region = 'us-portland'`,
			"Portland"},
		{"Portland's metro has two states", geographies, `SELECT state_codes FROM geography WHERE source_key = 'census:cbsa:38900'`,
			"US_OR,US_WA"},
		{"Seattle's ZIP codes", geographies, `SELECT count(*) FROM geography WHERE region = 'us-seattle' AND level = 32`, "32"},
		{"Seattle's districts lie in Seattle", geographies,
			`SELECT count(*) FROM geography g JOIN geography c ON c.geog_id = g.city_id WHERE g.region = 'us-seattle' AND g.level = 20 AND ` +
				`c.name_en = 'Seattle'`, "7"},
		{"Pikesville's area, 32 km²", geographies, `SELECT area_m2 BETWEEN 3.1e7 AND 3.3e7 FROM geography WHERE name_en = 'Pikesville'`, "1"},
		{"states and provinces", geographies,
			`SELECT group_concat(name_en, ', ') FROM (SELECT name_en FROM geography WHERE level = 60 ORDER BY name_en)`,
			"Delaware, District of Columbia, Maryland, New York, Ontario, Oregon, Quebec, Washington"},
		{"countries", geographies,
			`SELECT group_concat(name_en || '/' || name_fr, ', ') FROM (SELECT * FROM geography WHERE level = 70 ORDER BY name_en)`,
			"Canada/Canada, United States/États-Unis"},
		{"Ottawa's libraries", pois,
			`SELECT count(*) FROM poi p JOIN poi_category c USING (fid) WHERE p.region = 'ca-ottawa' AND category_id = 'libraries'`, "34"},
		{"every POI has a category", pois, `SELECT count(*) FROM poi WHERE fid NOT IN (SELECT fid FROM poi_category)`, "0"},
		{"Ottawa's POIs lie in Ontario, Quebec or Massena, New York", pois,
			`SELECT count(*) FROM poi WHERE region = 'ca-ottawa' AND state_code NOT IN ('ON', 'QC', 'NY')`, "0"},
		{"Pikesville's one café and one bar are not all", pois,
			`SELECT count(*) FROM known_ground WHERE region = 'us-pikesville' AND (categories || base_categories LIKE '%cafes%' OR categories || ` +
				`base_categories LIKE '%nightlife%')`, "0"},
		{"Pikesville's banks are known", pois, `SELECT count(*) FROM known_ground WHERE region = 'us-pikesville' AND categories LIKE '%banks%'`,
			"1"},
		{"Ottawa's lists have no banks and pharmacies", pois,
			`SELECT count(*) FROM known_ground WHERE region = 'ca-ottawa' AND (categories LIKE '%banks%' OR categories LIKE '%pharmacies%')`, "0"},
		{"Ottawa's cafés are known", pois,
			`SELECT count(*) FROM known_ground WHERE region = 'ca-ottawa' AND ',' || categories LIKE '%,cafes,%' AND base_categories LIKE '%cafes%'`,
			"1"},
		{"a tenth of Delaware's banks are not all", pois,
			`SELECT count(*) FROM known_ground WHERE region = 'us-delaware' AND categories LIKE '%banks%'`, "0"},
		{"Tim Hortons is a brand of Ottawa", pois,
			`SELECT count(*) > 100 FROM poi p JOIN poi_brand b USING (fid) WHERE p.region = 'ca-ottawa' AND brand_id = 'tim_hortons'`, "1"},
	}
	checkScores(t, release)
	checkPeople(t, release, data)
	checkSchools(t, release)
	checkCustom(t, release, release+".work")
	g := openNames(t, release)
	g.expect(t, realNames)
	g.checkTyped(t, 500)
	for _, fact := range facts {
		if got := rows(t, fact.file, fact.query); len(got) != 1 || got[0][0] != fact.want {
			t.Errorf("%s: %v, want %s", fact.what, got, fact.want)
		}
	}
}
