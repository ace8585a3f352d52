package main

import (
	"encoding/csv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
)

// wardTables has the rows of the city's file, counted from its header, for the total and the parts of each table. Labels are
// not unique there.
var wardTables = []struct {
	category, total string
	row             int
	heading         string
	parts           map[string][]int
}{
	{"population_age", "population_age_total", 2, "Total - Age groups",
		map[string][]int{"age_00_04": {4}, "age_05_09": {5}, "age_10_14": {6}, "age_15_19": {8}, "age_20_24": {9}, "age_25_29": {10},
			"age_30_34": {11}, "age_35_39": {12}, "age_40_44": {13}, "age_45_49": {14}, "age_50_54": {15}, "age_55_59": {16}, "age_60_64": {17},
			"age_65_69": {19}, "age_70_74": {20}, "age_75_79": {21}, "age_80_84": {22}, "age_85_plus": {23}}},
	{"marital_status", "marital_status_total", 47, "Total - Marital status",
		map[string][]int{"marital_status_married": {48}, "marital_status_never_married": {56}, "marital_status_separated": {57},
			"marital_status_divorced": {58}, "marital_status_widowed": {59}}},
	{"housing_type", "housing_type_total", 215, "Total - Occupied private dwellings by structural type",
		map[string][]int{"apt_dttachd": {216, 223}, "apt_attachd": {217, 218, 222}, "apt_plex": {219}, "apt_bldg_sm": {220},
			"apt_bldg_lg": {221}}},
	{"household_composition", "household_size_total_count", 224, "Total - Private households by household size",
		map[string][]int{"household_size_1_person_percent": {225}, "household_size_2_people_percent": {226},
			"household_size_3_people_percent": {227}, "household_size_4_people_percent": {228}, "household_size_5_plus_people_percent": {229}}},
	{"households", "households_total", 224, "Total - Private households by household size", nil},
	{"households_children", "home_households_total", 231, "Total - Household type",
		map[string][]int{"home_kids": {234, 236, 237, 238}, "home_no_kids": {235, 240, 241}}},
	{"income_level", "household_income_total", 257, "Total - Household total income groups in 2020",
		map[string][]int{"inc_00_09": {258, 259}, "inc_10_19": {260, 261}, "inc_20_34": {262, 263, 264}, "inc_35_49": {265, 266, 267},
			"inc_100_149": {274, 275}, "inc_150_200": {276}, "inc_200_plus": {277}}}, // 70,000 to 79,999 is split: below
	{"property_tenure", "property_tenure_total", 298, "Total - Private households by tenure",
		map[string][]int{"prop_owner": {299}, "prop_renter": {300}}},
	{"housing_bedroom_count", "housing_units_total", 305, "Total - Occupied private dwellings by number of bedrooms",
		map[string][]int{"housing_0_bedroom": {306}, "housing_1_bedroom": {307}, "housing_2_bedrooms": {308}, "housing_3_bedrooms": {309},
			"housing_4_plus_bedrooms": {310}}},
	{"housing_construction_year", "housing_units_total", 324, "Total - Occupied private dwellings by period of construction",
		map[string][]int{"housing_construction_year_before_1961": {325}, "housing_construction_year_1961_to_1980": {326},
			"housing_construction_year_1981_to_1990": {327}, "housing_construction_year_1991_to_2000": {328},
			"housing_construction_year_2001_to_2005": {329}, "housing_construction_year_2006_to_2010": {330},
			"housing_construction_year_2011_to_2015": {331}, "housing_construction_year_2016_to_2021": {332}}},
	{"official_language_knowledge", "official_language_total", 426, "Total - Knowledge of official languages",
		map[string][]int{"official_language_english_only": {427}, "official_language_french_only": {428},
			"official_language_english_and_french": {429}, "official_language_neither": {430}}},
	{"mother_tongue", "mother_tongue_total", 436, "Total - Mother tongue", map[string][]int{"mother_tongue_english": {439},
		"mother_tongue_french": {440}, "mother_tongue_other": {441}, "mother_tongue_multiple": {761}}},
	{"immigration", "immigration_total", 1484, "Total - Immigrant status",
		map[string][]int{"immigration_non_immigrants": {1485}, "immigration_immigrants": {1486}, "immigration_non_permanent_residents": {1494}}},
	{"education_level", "education_level_total", 1980, "Total - Highest certificate, diploma or degree",
		map[string][]int{"no_high_school": {1981}, "high_school": {1982}, "trade_certificate": {1985}, "college_certificate": {1988},
			"university_certifcate": {1989}, "bachelor_degree": {1991, 1992}, "medical_degree": {1993}, "masters_degree": {1994},
			"doctorate": {1995}}},
	{"commute_mode", "commute_mode_total", 2574, "Total - Main mode of commuting",
		map[string][]int{"drive": {2575}, "transit": {2578}, "foot": {2579}, "bicycle": {2580}, "other": {2581}}},
	{"commute_time", "commute_time_total", 2582, "Total - Commuting duration", map[string][]int{"commute_time_00_to_14_minutes": {2583},
		"commute_time_15_to_29_minutes": {2584}, "commute_time_30_to_44_minutes": {2585},
		"commute_time_45_to_59_minutes": {2586}, "commute_time_60_plus_minutes": {2587}}},
}

// wardFigures are the rows of single figures.
var wardFigures = []struct {
	category, variable string
	row                int
	label              string
}{
	{"income_stats", "median_individual_income", 62, "Median total income in 2020  among recipients ($)"},
	{"income_stats", "avg_individual_income", 63, "Average total income in 2020 among recipients ($)"},
	{"income_stats", "median_household_income", 243, "Median total income of household in 2020 ($)"},
	{"income_stats", "avg_household_income", 244, "Average total income of household in 2020 ($)"},
	{"households_children", "avg_children_per_household", 401, "Average number of children in census families with children"},
}

// checkWards compares the wards and the city with the columns of the city's file, and the population with the blocks.
func checkWards(t *testing.T, release, data string, ask func(t *testing.T, key string) peopleOf) {
	dir := filepath.Join(data, "ca-ottawa")
	f, err := os.Open(filepath.Join(dir, "census-wards", "census2021_longform_wards_en.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	people := blocksOf(t, dir)
	sum, asked := 0.0, 0
	for column := 1; column < len(file[0]); column++ {
		key := "statcan:csd:3506008"
		if _, ward, ok := strings.Cut(file[0][column], "Ward "); ok {
			key = "ottawa:ward:" + ward
		} else if column > 1 {
			t.Fatalf("column %d is %q", column, file[0][column])
		}
		of := ask(t, key)
		asked += checkColumn(t, key, file, column, of)
		all := of["population_total"]["total_individuals"].Value
		if column > 1 {
			sum += all
			if math.Abs(all-people[key]) > 2 {
				t.Errorf("%s has %v people, its blocks %.1f", key, all, people[key])
			}
		} else if all != 1017449 {
			t.Errorf("Ottawa has %v people", all)
		}
	}
	t.Logf("%d figures of 24 wards and the city are those of the file; the wards have %.0f people", asked, sum)
	if math.Abs(sum-1017449) > 500 {
		t.Errorf("the wards have %v people in all", sum)
	}
	if all := ask(t, "statcan:cd:3506")["population_total"]["total_individuals"].Value; all != 1017449 {
		t.Errorf("Ottawa's census division has %v people", all)
	}
	demographics := filepath.Join(release, schemas.DemographicsFile)
	for cell, want := range map[string]string{"population.total": "1017449", "households.total": "407252"} {
		if got := rows(t, demographics,
			"SELECT CAST(round(sum(v.estimate)) AS INTEGER) FROM small_area a JOIN small_area_value v ON v.area = a.fid WHERE a.region = "+
				"'ca-ottawa' AND v.cell = ?", cell)[0][0]; got != want {
			t.Errorf("%s of the dissemination areas is %s, want %s", cell, got, want)
		}
	}
	hoods := rows(t, filepath.Join(release, schemas.GeographiesFile),
		"SELECT source_key FROM geography WHERE region = 'ca-ottawa' AND level = 10")
	for i := 0; i < len(hoods); i += 10 {
		of := ask(t, hoods[i][0])
		if got := slices.Sorted(maps.Keys(of)); !slices.Equal(got, []string{"households", "population_total"}) {
			t.Errorf("%s has %v", hoods[i][0], got)
		}
	}
}

// checkColumn compares the figures of a ward or the city with its column and counts them. There must be no others.
func checkColumn(t *testing.T, key string, file [][]string, column int, of peopleOf) (figures int) {
	at := func(rows ...int) (sum float64) {
		for _, row := range rows {
			sum += number(t, file[row][column])
		}
		return sum
	}
	left := maps.Clone(of)
	delete(left, "population_total")
	want := func(category, variable string, value, within float64) {
		figures++
		if got, ok := of[category][variable]; !ok || math.Abs(got.Value-value) > within || got.ConfidenceInterval != nil {
			t.Errorf("%s: %s is %+v, the file has %v", key, variable, got, value)
		}
	}
	expected := map[string]int{"population_total": 1}
	for _, table := range wardTables {
		if heading := file[table.row][0]; !strings.HasPrefix(heading, table.heading) {
			t.Fatalf("row %d is %q, not %q", table.row, heading, table.heading)
		}
		parts, all := map[string]float64{}, 0.0
		for id, rows := range table.parts {
			parts[id] = at(rows...)
		}
		if table.category == "income_level" {
			parts["inc_50_74"] = at(268, 269) + at(270)/2
			parts["inc_75_100"] = at(270)/2 + at(271, 272)
		}
		for _, n := range parts {
			all += n
		}
		want(table.category, table.total, at(table.row), 0)
		expected[table.category] += 1 + len(parts)
		for id, n := range parts {
			want(table.category, id, n/all, 0.0001) // rounded so that a table adds up to one: a ten-thousandth at most
		}
	}
	for _, f := range wardFigures {
		if label := strings.TrimSpace(file[f.row][0]); label != f.label {
			t.Fatalf("row %d is %q, not %q", f.row, label, f.label)
		}
		want(f.category, f.variable, at(f.row), 0)
		expected[f.category]++
	}
	for category, variables := range of {
		if len(variables) != expected[category] {
			t.Errorf("%s: %d figures of %s, the file has %d", key, len(variables), category, expected[category])
		}
	}
	return figures
}

// blocksOf returns the population of blocks by ward, apportioned by area where a border cuts a block.
func blocksOf(t *testing.T, dir string) map[string]float64 {
	t.Helper()
	count := map[string]float64{}
	for _, row := range table(t, filepath.Join(dir, "statcan-2021", "ottawa_db_pop_2021.csv")) {
		count[row["DBUID"]] = number(t, row["dbpop2021"])
	}
	const canadaAlbers = "ESRI:102001"
	o := newOverlay(t)
	o.load("block", filepath.Join(dir, "statcan-2021", "ottawa_db_2021.geojson"), canadaAlbers,
		func(p map[string]any) string { return p["DBUID"].(string) })
	wards, err := filepath.Abs(filepath.Join(dir, "wards", "Wards_2022-2026"))
	if err != nil {
		t.Fatal(err)
	}
	o.do("CREATE VIRTUAL TABLE shapes USING VirtualShape('" + wards + "', 'UTF-8', 4326)")
	o.do("CREATE TABLE ward AS SELECT 'ottawa:ward:' || CAST(WARD AS INTEGER) AS name, ST_Transform(Geometry, 102003, NULL, 'EPSG:4326', '" +
		canadaAlbers + "') AS geometry FROM shapes")
	people := map[string]float64{}
	for pair, share := range o.shares("block", "ward", "geometry") {
		people[pair.hood] += share * count[pair.group]
	}
	return people
}
