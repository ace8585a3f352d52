package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quartier/schemas"
)

// enrichedRows is how many rows TestEnrichedRowsAreTheAPIs compares.
const enrichedRows = 1000

// pointsFile writes rows with points near streets of a release, some elsewhere and some without a point, and returns them as
// [lat, lng] as text.
func pointsFile(t *testing.T, release, path string) (points [][2]string) {
	t.Helper()
	nodes := rows(t, filepath.Join(release, schemas.AccessFile), "SELECT xmin, ymin FROM idx_street_edge_geometry ORDER BY pkid")
	random := rand.New(rand.NewPCG(17, 1))
	var file bytes.Buffer
	out := csv.NewWriter(&file)
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(out.Write([]string{"name", "Latitude", "Longitude"}))
	for i := range enrichedRows {
		node := nodes[random.IntN(len(nodes))]
		lng, err := strconv.ParseFloat(node[0], 64)
		check(err)
		lat, err := strconv.ParseFloat(node[1], 64)
		check(err)
		spread := 0.002
		if i%10 == 0 {
			spread = 0.3 // lakes, woods, beyond the border of what is covered
		}
		p := [2]string{
			strconv.FormatFloat(lat+spread*(random.Float64()-0.5), 'f', 7, 64), strconv.FormatFloat(lng+spread*(random.Float64()-0.5), 'f', 7, 64),
		}
		switch i {
		case 17:
			p = [2]string{"", ""}
		case 18:
			p = [2]string{"91", "0"}
		case 19:
			p = [2]string{"0", "0"}
		}
		points = append(points, p)
		check(out.Write([]string{fmt.Sprintf("row %q, %d", "a", i), p[0], p[1]}))
	}
	out.Flush()
	check(os.WriteFile(path, file.Bytes(), 0o644))
	return points
}

// TestEnrichedRowsAreTheAPIs enriches rows with all groups of columns and compares every value that was added with the answers
// of the API, as text.
func TestEnrichedRowsAreTheAPIs(t *testing.T) {
	root := publishedTowns(t)
	in, out := filepath.Join(t.TempDir(), "in.csv"), filepath.Join(t.TempDir(), "out.csv")
	points := pointsFile(t, filepath.Join(root, "places"), in)
	mustRun(t, "enrich", "--release", root, "--in", in, "--out", out, "--add",
		"scores,measures,typology,geographies,pois,demographics,schools",
		"--nearest", "groceries:2,cafes:1", "--market", "30d:single_family,12m:all_residential_properties", "--levels",
		"10,20,30,32,35,37,38,40,60,70")
	text, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	table, err := csv.NewReader(text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(table) != enrichedRows+1 {
		t.Fatalf("%d rows", len(table)-1)
	}
	s := startServer(t, root)
	_, token := s.account(t)
	compared, known := 0, 0
	for i, cells := range table[1:] {
		want := s.askAll(t, token, points[i][0], points[i][1])
		if cells[1] != points[i][0] || cells[2] != points[i][1] || !strings.HasSuffix(cells[0], fmt.Sprintf(", %d", i)) {
			t.Fatalf("row %d is %q", i, cells[:3])
		}
		for c, name := range table[0][3:] {
			got := cells[3+c]
			if got != want[name] {
				t.Fatalf("row %d at %v: %s is %q, the API answers %q", i, points[i], name, got, want[name])
			}
			compared++
			if got != "" {
				known++
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Fatalf("row %d: the API answers %v, for which there is no column", i, want)
		}
	}
	if known < compared/3 {
		t.Errorf("only %d of %d values are known", known, compared)
	}
	t.Logf("%d values, %d of them known", compared, known)
}

// answer is the JSON of an answer, with numbers as they are written.
func (s *server) answer(t *testing.T, token, path string) (int, map[string]any) {
	t.Helper()
	status, body := s.get(t, token, path)
	if status != http.StatusOK {
		return status, nil
	}
	var found map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&found); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return status, found
}

// at is the value at a path of members; nil where there is none.
func at(value any, path ...string) any {
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// put adds a value to those of columns, unless it is absent.
func put(columns map[string]string, name string, value any) {
	if value != nil {
		columns[name] = fmt.Sprint(value)
	}
}

// askAll asks the API for all that a row has, and returns it by column.
func (s *server) askAll(t *testing.T, token, lat, lng string) map[string]string {
	t.Helper()
	columns := map[string]string{}
	place := "lat=" + lat + "&lng=" + lng
	status, snapshot := s.answer(t, token, "/v3/data?include=demographics,measures_all,pois_count,scores_all&"+place)
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		columns["quartier_status"] = "bad_coordinates"
		return columns
	case http.StatusNotFound:
		columns["quartier_status"] = "outside"
		return columns
	}
	members := func(prefix, suffix string, value any) {
		list, _ := value.(map[string]any)
		for name, v := range list {
			put(columns, prefix+name+suffix, v)
		}
	}
	members("score_", "", at(snapshot, "data", "scores"))
	members("measure_", "", at(snapshot, "data", "measures"))
	members("pois_", "_5000m", at(snapshot, "data", "pois", "counts", "total_by_category"))
	put(columns, "pois_total_5000m", at(snapshot, "data", "pois", "counts", "total_count"))
	people, _ := at(snapshot, "data", "demographics").(map[string]any)
	for _, category := range people {
		for _, v := range at(category, "variables").([]any) {
			put(columns, at(v, "variable").(string), at(v, "value"))
			if open := at(v, "open"); open != nil {
				put(columns, at(v, "variable").(string)+"_open", open)
			}
		}
	}
	typology, cell := s.answer(t, token, "/v3/typologies?"+place)
	classes, _ := at(cell, "data").(map[string]any)
	for name, density := range classes {
		columns["typology"] = name
		put(columns, "typology_population_per_square_km", at(density, "population_per_square_km"))
		put(columns, "typology_households_per_square_km", at(density, "households_per_square_km"))
	}
	columns["quartier_status"] = "ok"
	if typology == http.StatusNoContent && at(snapshot, "data", "scores") == nil && at(snapshot, "data", "measures") == nil && people == nil {
		columns["quartier_status"] = "nothing_here"
	}
	s.askGeographies(t, token, place, columns)
	s.askNear(t, token, place, columns)
	return columns
}

// askGeographies adds the geographies of a place and their market statistics.
func (s *server) askGeographies(t *testing.T, token, place string, columns map[string]string) {
	t.Helper()
	_, found := s.answer(t, token, "/v3/geographies?"+place)
	order, _ := at(found, "meta", "order").([]any)
	for _, id := range order {
		id := id.(string)
		level := id[1:3]
		if columns["geog_"+level+"_id"] != "" {
			continue
		}
		columns["geog_"+level+"_id"] = id
		put(columns, "geog_"+level+"_name", at(found, "data", "geographies", id, "name", "en"))
		if level >= "60" {
			continue
		}
		_, stats := s.answer(t, token, "/v3/market-stats/"+id+"?property_types=single_family,all_residential_properties&intervals=30d,12m")
		for _, asked := range [][2]string{{"30d", "single_family"}, {"12m", "all_residential_properties"}} {
			period := at(stats, "data", "property_types", asked[1], asked[0])
			for member, column := range marketMembers {
				put(columns, "market_"+level+"_"+asked[0]+"_"+asked[1]+"_"+column, at(period, strings.Split(member, ".")...))
			}
		}
	}
}

// askNear adds the nearest POIs and schools.
func (s *server) askNear(t *testing.T, token, place string, columns map[string]string) {
	t.Helper()
	for category, limit := range map[string]int{"groceries": 2, "cafes": 1} {
		_, found := s.answer(t, token, fmt.Sprintf("/v3/enhanced-pois?%s&radius=25000&categories=%s&limit=%d", place, category, limit))
		list, _ := at(found, "data", "results").([]any)
		for i, poi := range list {
			name := fmt.Sprintf("nearest_%s_%d", category, i+1)
			put(columns, name+"_name", at(poi, "name"))
			put(columns, name+"_m", at(poi, "proximity", "linear_distance_m"))
		}
	}
	_, schools := s.answer(t, token, "/v3/schools?"+place)
	for name, list := range map[string]string{"school_primary": "primary_schools", "school_high": "high_schools"} {
		if found, _ := at(schools, "data", list).([]any); len(found) > 0 {
			put(columns, name+"_name", at(found[0], "name"))
			put(columns, name+"_m", at(found[0], "proximity", "linear_distance"))
		}
	}
}

// marketMembers are the columns of the members of market statistics.
var marketMembers = map[string]string{
	"point_in_time.active_listings_count":            "active_listings",
	"point_in_time.pending_listings_count":           "pending_listings",
	"point_in_time.under_contract_listings_count":    "under_contract_listings",
	"point_in_time.active_listings_median_age_days":  "active_median_age_days",
	"point_in_time.active_listings_median_size_sqft": "active_median_size_sqft",
	"point_in_time.asking_price.min":                 "ask_min",
	"point_in_time.asking_price.median":              "ask_median",
	"point_in_time.asking_price.max":                 "ask_max",
	"point_in_time.asking_price.median_per_sqft":     "ask_median_per_sqft",
	"point_in_time.asking_price.percentiles.10":      "ask_p10",
	"point_in_time.asking_price.percentiles.25":      "ask_p25",
	"point_in_time.asking_price.percentiles.75":      "ask_p75",
	"point_in_time.asking_price.percentiles.90":      "ask_p90",
	"point_in_time.median_days_on_market":            "dom_median",
	"point_in_time.days_on_market_percentiles.10":    "dom_p10",
	"point_in_time.days_on_market_percentiles.25":    "dom_p25",
	"point_in_time.days_on_market_percentiles.75":    "dom_p75",
	"point_in_time.days_on_market_percentiles.90":    "dom_p90",
	"interval_wide.homes_sold_count":                 "homes_sold",
	"interval_wide.new_listings_count":               "new_listings",
	"interval_wide.sales_price.min":                  "sale_min",
	"interval_wide.sales_price.median":               "sale_median",
	"interval_wide.sales_price.max":                  "sale_max",
	"interval_wide.sales_price.median_per_sqft":      "sale_median_per_sqft",
	"interval_wide.sales_price.percentiles.10":       "sale_p10",
	"interval_wide.sales_price.percentiles.25":       "sale_p25",
	"interval_wide.sales_price.percentiles.75":       "sale_p75",
	"interval_wide.sales_price.percentiles.90":       "sale_p90",

	"interval_wide.asking_to_sales_price.median_difference":         "median_difference",
	"interval_wide.asking_to_sales_price.median_percent_difference": "median_percent_difference",

	"interval_wide.percent_sold_above_asking":    "share_above_asking",
	"interval_wide.percent_sold_below_asking":    "share_below_asking",
	"interval_wide.median_construction_year":     "median_construction_year",
	"interval_wide.median_size_sqft":             "sold_median_size_sqft",
	"interval_wide.absorption_rate":              "absorption_rate",
	"interval_wide.total_sales_volume":           "total_sales_volume",
	"interval_wide.median_days_on_market":        "sold_median_dom",
	"interval_wide.median_days_to_sell":          "days_to_sell_median",
	"interval_wide.days_to_sell_percentiles.10":  "days_to_sell_p10",
	"interval_wide.days_to_sell_percentiles.25":  "days_to_sell_p25",
	"interval_wide.days_to_sell_percentiles.75":  "days_to_sell_p75",
	"interval_wide.days_to_sell_percentiles.90":  "days_to_sell_p90",
	"interval_wide.market_conditions.assessment": "market_assessment",
	"interval_wide.market_conditions.qualifier":  "market_qualifier",
}

// TestKilledEnrichmentContinues kills a run in the middle and continues it: the bytes are those of a run that was not killed.
func TestKilledEnrichmentContinues(t *testing.T) {
	release, dir := filepath.Join(townsDir(t), "first"), t.TempDir()
	in := filepath.Join(dir, "in.csv")
	pointsFile(t, release, in)
	first, rest, _ := strings.Cut(readText(t, in), "\n")
	writeText(t, in, first+"\n"+strings.Repeat(strings.TrimSuffix(rest, "\n")+"\n", 200))
	args := []string{"enrich", "--release", release, "--in", in, "--add", "scores,measures,geographies,demographics,pois,schools",
		"--jobs", "1"}
	whole, out := filepath.Join(dir, "whole.parquet"), filepath.Join(dir, "out.parquet")
	mustRun(t, append(args, "--out", whole)...)
	killAfterPart(t, out, append(args, "--out", out)...)
	mustRun(t, append(args, "--out", out, "--resume", "--force")...)
	if readText(t, out) != readText(t, whole) {
		t.Error("the bytes differ")
	}
}
