package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// writeText writes a text and returns its path.
func writeText(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDownloadedTables builds Washington and Manhattan from census tables as they are downloaded.
func TestDownloadedTables(t *testing.T) {
	t.Parallel()
	data := testenv.NeedData(t, "us-dc")
	regions, err := filepath.Abs("../../regions")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := writeText(t, filepath.Join(dir, "census.yaml"),
		fmt.Sprintf("release: census\nregions: [%s/us-washington.yaml, %s/us-manhattan.yaml]\n", regions, regions))
	release := filepath.Join(dir, "census")
	mustRun(t, "build", "--release", file, "--data", filepath.Dir(data), "--out", release)
	mustRun(t, "verify", release)
	people := filepath.Join(release, schemas.DemographicsFile)
	for region, want := range map[string]string{"us-washington": "450 684498", "us-manhattan": "1168 1621125"} {
		got := rows(t, people,
			"SELECT count(*) || ' ' || CAST(sum(estimate) AS INTEGER) FROM small_area JOIN small_area_value ON area = fid WHERE region = ? AND "+
				"cell = 'population.total'", region)
		if got[0][0] != want {
			t.Errorf("%s has %s areas and people, want %s", region, got[0][0], want)
		}
	}
	s := startServer(t, release)
	_, token := s.account(t)
	city := s.peopleOf(t, token, geogID(t, release, "census:place:1150000"))["population_total"]["total_individuals"].Value
	wards := 0.0
	for ward := range 8 {
		wards += s.peopleOf(t, token, geogID(t, release, fmt.Sprintf("dc:ward:%d", ward+1)))["population_total"]["total_individuals"].Value
	}
	if math.Abs(city-684_498) > 200 || math.Abs(wards-city) > 8 {
		t.Errorf("Washington has %.0f people, its wards %.0f, and 684,498 are published", city, wards)
	}
	if on := s.people(t, token, "lat=38.853&lng=-77.026&radius=300"); on != nil {
		t.Errorf("on the Potomac live %v", on)
	}
	if n := counted(s.people(t, token, "lat=38.8755&lng=-77.0165&radius=500")); n < 1000 { // the shore of the Southwest Waterfront
		t.Errorf("%.0f people at the Waterfront", n)
	}
	checkDryGround(t, people, data)
	if n := counted(s.people(t, token, "lat=40.7831&lng=-73.9712")); n < 10_000 {
		t.Errorf("%.0f people in the Upper West Side", n)
	}
	commuters := s.peopleOf(t, token, geogID(t, release, "census:county:36061"))["commute_mode"]
	if v := commuters["transit"].Value; v < 0.6 || v > 0.7 {
		t.Errorf("%v of Manhattan's commuters by transit", v)
	}
	for query, want := range map[string]string{"Ward 8": "Ward 8", "Congress Heights": "Congress Heights, Bellevue, Washington Highlands",
		"20001": "20001", "10025": "10025", "Washington": "Washington", "New York": "New York"} {
		status, body := s.get(t, token, "/v3/geographies?name="+url.QueryEscape(query))
		var answer schemas.GeographiesAnswer
		if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK || len(answer.Meta.Order) == 0 {
			t.Errorf("%s: %d %s: %v", query, status, body, err)
			continue
		}
		if name := answer.Data.Geographies[answer.Meta.Order[0]].Name.EN; name != want {
			t.Errorf("%s finds %s", query, name)
		}
	}
}

// TestVintagesRefused builds Manhattan without the older survey, which has what the newer one lacks.
func TestVintagesRefused(t *testing.T) {
	data := testenv.NeedData(t, "us-newyork")
	region, err := os.ReadFile("../../regions/us-manhattan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	before, after, _ := strings.Cut(string(region), "  - id: acs-2018\n")
	_, after, found := strings.Cut(after, "  - id: acs-2020\n")
	if !found {
		t.Fatal("the region has other surveys")
	}
	text := before + "  - id: acs-2020\n" + after
	path := writeText(t, filepath.Join(dir, "us-manhattan.yaml"), text)
	code, _, errs := quartier("build", "--region", path, "--data", filepath.Dir(data), "--out", filepath.Join(dir, "out"))
	want := "source acs-2020 has no data for 7.9 % of the small areas of its states, in 92 of 1168 small areas; of its areas in the same " +
		"counties 216 have no outline, more than 5 %; without data is census:bg:360610029001"
	if code != exitBadInput || !strings.Contains(errs, want) || !strings.Contains(errs, "max_unmatched") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

// TestTractsInPlaceOfBlockGroups builds the clusters of Washington from block groups, and from tracts that have the sums of
// their block groups: the people are the same, within errors that are wider.
func TestTractsInPlaceOfBlockGroups(t *testing.T) {
	t.Parallel()
	data := testenv.NeedData(t, "us-dc")
	dir := t.TempDir()
	groups := filepath.Join(data, "acs-2015", "ACS_15_5YR_B01003_with_ann.csv")
	tracts, squares := map[string]float64{}, map[string]float64{}
	for _, row := range table(t, groups)[1:] {
		id := row["GEO.id2"][:11]
		tracts[id] += number(t, row["HD01_VD01"])
		squares[id] += math.Pow(number(t, row["HD02_VD01"]), 2)
	}
	text := "GEO_ID,NAME,B01003_001E,B01003_001M,\nGeography,Geographic Area Name,Estimate!!Total,Margin of Error!!Total,\n"
	for _, id := range slices.Sorted(maps.Keys(tracts)) {
		text += fmt.Sprintf("1400000US%s,Census Tract,%.0f,%.0f,\n", id, tracts[id], math.Sqrt(squares[id]))
	}
	summed := writeText(t, filepath.Join(dir, "ACSDT5Y2015.B01003-Data.csv"), text)
	type interval struct{ value, low, high float64 }
	build := func(name, zones, options, acs string) map[string]interval {
		source := "  - {id: %s, kind: %s, path: %q, as_of: 2015-12-31, licence: x, attribution: x, options: %s}\n"
		region := "region: us-dc\ntitle: Washington\ncountry: US\nstate: DC\nsources:\n" +
			fmt.Sprintf(source, "states", "boundaries", filepath.Join(data, "..", "us-national", "cb_2019_us_state_5m.zip"),
				"{layout: tiger-state, where: {STUSPS: DC}}") +
			fmt.Sprintf(source, "clusters", "boundaries", filepath.Join(data, "boundaries", "neighborhood_cluster.geojson"),
				`{level: 10, scheme: "dc:cluster", key: NAME, name: NBH_NAMES}`) +
			fmt.Sprintf(source, "wards", "boundaries", filepath.Join(data, "boundaries", "ward.geojson"),
				`{level: 20, scheme: "dc:ward", key: WARD_ID, name: NAME}`) +
			fmt.Sprintf(source, "zones", "zones", filepath.Join(data, "boundaries", zones), options) +
			fmt.Sprintf(source, "acs", "acs", acs, "{}")
		out := filepath.Join(dir, name)
		mustRun(t, "build", "--region", writeText(t, filepath.Join(dir, name+".yaml"), region), "--out", out)
		keys, list := map[string]string{}, map[string]interval{}
		for _, row := range rows(t, filepath.Join(out, schemas.GeographiesFile), "SELECT geog_id, source_key FROM geography") {
			keys[row[0]] = row[1]
		}
		for _, row := range rows(t, filepath.Join(out, schemas.DemographicsFile),
			"SELECT geog_id, value, lower, upper FROM geography_variable WHERE variable = 'total_individuals'") {
			list[keys[row[0]]] = interval{number(t, row[1]), number(t, row[2]), number(t, row[3])}
		}
		return list
	}
	small := build("groups", "tl_2019_11_bg.shp", "{layout: tiger-bg}", groups)
	large := build("tracts", "census_tract.geojson", "{layout: tiger-tract, key: NAME}", summed)
	if len(small) != 39+8 || len(large) != len(small) {
		t.Fatalf("%d clusters and wards by block groups, %d by tracts", len(small), len(large))
	}
	held, wider, total := 0, 0, 0.0
	for _, key := range slices.Sorted(maps.Keys(small)) {
		a, b := small[key], large[key]
		if strings.HasPrefix(key, "dc:ward:") {
			total += a.value
		}
		if b.low <= a.value && a.value <= b.high {
			held++
		}
		if b.high-b.low >= a.high-a.low {
			wider++
		}
	}
	if held < 43 || wider < 43 {
		t.Errorf("of 47 intervals by tracts %d hold the value by block groups, and %d are wider", held, wider)
	}
	if math.Abs(total-647_484) > 200 {
		t.Errorf("%.0f people in all wards, and 647,484 are published", total)
	}
	t.Logf("of 47 intervals by tracts %d hold the value by block groups, %d are wider; %.0f people", held, wider, total)
}

// checkDryGround compares the ground of Washington's small areas with their area of land by the Census Bureau.
func checkDryGround(t *testing.T, people, data string) {
	t.Helper()
	ground := map[string]float64{}
	for _, row := range rows(t, people,
		"SELECT a.source_key, hex(p.geometry) FROM small_area AS a JOIN small_area_part AS p ON p.area = a.fid WHERE a.region = "+
			"'us-washington'") {
		blob, err := hex.DecodeString(row[1])
		if err != nil {
			t.Fatal(err)
		}
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			t.Fatal(err)
		}
		ground[row[0]] += geo.Area(outline)
	}
	off, all, land := 0, 0.0, 0.0
	for _, row := range table(t, filepath.Join(data, "boundaries", "dc_bg_2019_aland_awater.csv")) {
		m2, published := ground["census:bg:"+row["GEOID"]], number(t, row["ALAND"])
		all, land = all+m2, land+published
		if math.Abs(m2-published) > 0.1*published {
			off++
		}
	}
	t.Logf("%.2f km² of ground, %.2f of land are published; %d of %d block groups differ by more than a tenth", all/1e6, land/1e6, off,
		len(ground))
	if math.Abs(all-land) > 0.03*land || off > 15 {
		t.Errorf("the ground of the small areas is not their land")
	}
}
