package acs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

var (
	portland  = testenv.Data("us-portland/acs")
	income    = portland + "/acs_household_income_2014_blkgrp.csv"
	education = portland + "/acs_educational_attainment_2010_2014_blkgrp.csv"
)

func TestConformance(t *testing.T) {
	tenure := filepath.Join(write(t, map[string]string{"acsdt5y2023-b25003.dat": b25003}), "acsdt5y2023-b25003.dat")
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "household income of NHGIS", Path: income, Read: 7417,
			Rows: map[string]string{
				"SELECT vintage, title FROM survey": "2010-2014|American Community Survey, 5-year estimates",
				"SELECT cell, estimate, moe FROM statistic WHERE area_key = 'census:bg:410019501001' AND cell IN ('households.total', " +
					"'household_income.000000_009999', 'median_household_income.value') ORDER BY cell": "household_income.000000_009999|41|20\n" +
					"households.total|431|65\nmedian_household_income.value|39141|7610",
				"SELECT estimate, moe FROM statistic WHERE cell = 'median_household_income.value' AND estimate > " +
					"249999": "250001|∅\n250001|∅",
				"SELECT count(*) FROM statistic WHERE cell LIKE " +
					"'household_income_sum%'": "0",
			},
			Issues: map[string]int64{"census_form_found": 1, "missing_estimate": 43, "median_in_open_bin": 2},
			Check: func(t *testing.T, db *duck.DB) {
				cells := map[string]string{"household_income.total": "ABDO 1", "household_income.000000_009999": "ABDO 2",
					"household_income.060000_074999": "ABDO 12",
					"household_income.200000_plus":   "ABDO 17", "households.total": "ABDO 1", "median_household_income.value": "ABDP 1"}
				checkSums(t, db, income, cells)
			},
		},
		sourcetest.Case{
			Name: "educational attainment of NHGIS", Issues: map[string]int64{"census_form_found: NHGIS": 1}, Path: education, Read: 7417,
			Rows: map[string]string{
				// Of eleven zeros with a margin of 12 one counts.
				"SELECT estimate, round(moe, 3) FROM statistic WHERE area_key = 'census:bg:410019501001' AND cell = 'education.none'": "81|38.717",
				"SELECT count(*), count(moe) FROM statistic": "66753|66753",
			},
			Check: func(t *testing.T, db *duck.DB) {
				checkSums(t, db, education, map[string]string{"education.total": "ABC4 1",
					"education.none": "ABC4 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", "education.high_school": "ABC4 17 18",
					"education.university_certificate": "ABC4 19 20", "education.college": "ABC4 21", "education.bachelor": "ABC4 22",
					"education.masters": "ABC4 23", "education.medical": "ABC4 24", "education.doctorate": "ABC4 25"})
			},
		},
		sourcetest.Case{
			Name: "a folder, one county of it", Path: portland, Options: "where: bg:41051", Read: 2 * 7417,
			Rows: map[string]string{
				"SELECT count(DISTINCT area_key), min(area_key), max(area_key) FROM statistic": "521|census:bg:410510001001|census:bg:410519800001",
			},
			Issues: map[string]int64{
				"census_form_found":  1,
				"excluded_by_option": 2 * (7417 - 521),
				"unused_file":        1,
				"missing_estimate":   1,
			},
		},
		sourcetest.Case{
			Name: "data.census.gov, block groups of New York", Path: testenv.Data("us-newyork/acs-2020"), Read: 4 * 6807,
			Rows: map[string]string{
				"SELECT vintage FROM survey": "2016-2020",
				"SELECT count(*), sum(estimate)::BIGINT, count(moe) FROM statistic WHERE cell = 'population.total'": "6807|" +
					"8379552|6807",
				"SELECT estimate, moe FROM statistic WHERE area_key = 'census:bg:360050001001' AND cell = " +
					"'population.total'": "6600|684",
				"SELECT count(*), count(moe), min(estimate), max(estimate) FROM statistic WHERE cell = 'median_household_income.value'": "5705|" +
					"5637|2499|250001",
				"SELECT count(*) FROM statistic WHERE cell = 'median_household_income.value' AND estimate IN (2499, 250001) AND moe IS NULL": "68",
				"SELECT count(DISTINCT cell) FROM statistic WHERE cell LIKE 'commute_mode.%' OR cell LIKE 'households.%'":                    "7",
			},
			Issues: map[string]int64{"census_form_found": 1, "missing_estimate": 1102, "median_in_open_bin": 68},
		},
		sourcetest.Case{
			Name: "American FactFinder, block groups of Washington", Issues: map[string]int64{"census_form_found: American FactFinder": 1},
			Path: testenv.Data("us-dc/acs-2015/ACS_15_5YR_B01003_with_ann.csv"), Read: 450,
			Rows: map[string]string{
				"SELECT vintage, (SELECT count(*) FROM statistic), (SELECT sum(estimate)::BIGINT FROM statistic), (SELECT count(moe) FROM statistic) " +
					"FROM survey": "2011-2015|450|647484|450",
				"SELECT estimate, moe FROM statistic WHERE area_key = " +
					"'census:bg:110010001001'": "1431|343",
			},
		},
		sourcetest.Case{
			Name: "American FactFinder, a zip as it comes", Issues: map[string]int64{"census_form_found: American FactFinder": 1},
			Path: testenv.Data("us-dc/acs-2015/ACS_15_5YR_B01003.zip"),
			Rows: map[string]string{"SELECT estimate, moe FROM statistic WHERE area_key = 'census:zcta:20001'": "43731|1438"},
		},
		sourcetest.Case{
			Name: "tidycensus, with geometry", Issues: map[string]int64{"census_form_found: tidycensus, long": 1},
			Path: testenv.Data("us-dc/boundaries/dc_block_group_tidycensus_2018.geojson"), Options: "vintage: 2014-2018", Read: 450,
			Rows: map[string]string{"SELECT estimate, moe FROM statistic WHERE area_key = 'census:bg:110010001001'": "1604|366",
				"SELECT count(*), sum(estimate)::BIGINT FROM statistic": "450|684498"},
		},
		sourcetest.Case{
			Name: "data.census.gov, several levels", Issues: map[string]int64{"census_form_found: data.census.gov": 1},
			Path: testenv.Data("formats/census/ACSDT5Y2023.B01003-Data.csv"), Read: 246,
			Rows: map[string]string{
				"SELECT split_part(area_key, ':', 2) AS level, count(*), sum(estimate)::BIGINT FROM statistic GROUP BY level ORDER BY " +
					"level": "county|1|836321\nstate|1|39242785\ntract|244|836321",
				"SELECT moe FROM statistic WHERE area_key = 'census:state:06'": "0",
			},
		},
		sourcetest.Case{
			Name: "data.census.gov, annotations", Issues: map[string]int64{"census_form_found: data.census.gov": 1},
			Path: testenv.Data("formats/census/ACSDT5Y2020.B01003-Data.csv"), Read: 58,
			Rows: map[string]string{"SELECT estimate::BIGINT, moe FROM statistic WHERE area_key IN ('census:county:06001', 'census:county:06003') " +
				"ORDER BY area_key": "1661584|0\n1159|172"},
		},
		sourcetest.Case{
			Name: "a summary file", Path: tenure, Options: "states: [OR]\nlevels: [bg, tract, state, cbsa, country]", Read: 18,
			Rows: map[string]string{
				"SELECT vintage FROM survey": "2019-2023",
				"SELECT area_key, estimate::BIGINT, moe FROM statistic WHERE cell = 'tenure.owner' ORDER BY area_key": "census:bg:410510001001|900|" +
					"∅\ncensus:cbsa:38900|630000|0\ncensus:country:US|82000000|0\ncensus:state:41|1090000|8000\ncensus:tract:41051000100|1500|90",
			},
			Issues: map[string]int64{
				"census_form_found":          1,
				"excluded_by_option":         3,
				"unread_summary_level":       1,
				"geographic_component":       1,
				"missing_estimate":           2,
				"invalid_geoid":              2,
				"duplicate_key":              1,
				"negative_count":             1,
				"part_exceeds_total":         1,
				"assumed_windows_1252":       1,
				"implausible_margin_removed": 1,
				"invalid_number":             1,
				"wrong_field_count":          1,
			},
		},
	)
}

const b25003 = "GEO_ID|B25003_E001|B25003_M001|B25003_E002|B25003_M002|B25003_E003|B25003_M003\n" +
	"0100000US|127000000|-555555555|82000000|-555555555|45000000|200000\n" +
	"0400000US41|1730000|5000|1090000|8000|640000|7000\n" +
	"0400001US41|1400000|5000|800000|8000|600000|7000\n" + // urban parts of it
	"0400000US53|3000000|5000|1900000|8000|1100000|7000\n" +
	"310M700US38900|1000000|-555555555|630000|-555555555|370000|4000\n" +
	"0500000US41051|350000|900|190000|1000|160000|1000\n" +
	"9700000US4110040|90000|900|50000|1000|40000|1000\n" + // a school district
	"1400000US41051000100|2500|100|1500|90|1000|80\n" +
	"1400000US41051000200|-666666666|-222222222|-666666666|-222222222|-666666666|-222222222\n" +
	"1500000US410510001001|1600|100|900|-222222222|700|-1\n" + // -1: no margin that is known of
	"ZZZ|1|1|1|1|1|1\n" +
	"1500000US410510001001|1600|100|900|100|700|10\n" +
	"1500000US410510001002|100|10|-3|10|103|10\n" +
	"1500000US410510001003|100|10|120|10|0|10\n" +
	"1500000US41051000100|100|10|60|10|40|10\n" +
	"1500000US410510001004|100|10|60|10|4\xe9|10\n" +
	"1500000US410510001005|100|10|60\n" +
	"1500000US530330001001|1100|100|600|60|500|50\n"

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// checkSums compares the sum of cells over all areas with that of columns of a CSV, named such as "ABC4 17 18".
func checkSums(t *testing.T, db *duck.DB, path string, cells map[string]string) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for cell, columns := range cells {
		code, lines, _ := strings.Cut(columns, " ")
		sum := 0
		for _, line := range strings.Fields(lines) {
			number, _ := strconv.Atoi(line)
			column := slices.Index(rows[0], fmt.Sprintf("%sE%03d", code, number))
			for _, row := range rows[1:] {
				n, _ := strconv.Atoi(row[column]) // blank where it is missing
				sum += n
			}
		}
		if got := sourcetest.Ask(t, db, "SELECT sum(estimate)::BIGINT FROM statistic WHERE cell = '"+cell+"'"); got != fmt.Sprint(sum) {
			t.Errorf("%s: %s in all areas, %d in the file", cell, got, sum)
		}
	}
}

func run(t *testing.T, path, options string) (*sourcetest.Record, error) {
	t.Helper()
	out := &sourcetest.Record{}
	return out, Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, out)
}

// written formats the statistics as "key cell estimate±margin".
func written(out *sourcetest.Record) (list []string) {
	for _, s := range out.Statistics {
		moe := math.NaN()
		if s.MOE != nil {
			moe = *s.MOE
		}
		list = append(list, fmt.Sprintf("%s %s %v±%v", strings.TrimPrefix(s.AreaKey, "census:"), s.Cell, s.Estimate, moe))
	}
	return list
}

// A table with cells from two files is staged once both rows of an area were read.
func TestTableOfTwoFiles(t *testing.T) {
	files := map[string]string{
		"acsdt5y2022-b11001.dat": "GEO_ID|B11001_001E|B11001_001M\n0500000US41051|100|9\n0500000US41005|50|5\n",
		"acsdt5y2022-b19025.dat": "GEO_ID|B19025_001E|B19025_001M\n0500000US41003|7000|70\n0500000US41051|9000000|90000\n",
		"acsdt5y2022-b02001.dat": "GEO_ID|B02001_E001|B02001_M001\n0500000US41003|1|1\n",
	}
	out, err := run(t, write(t, files), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"county:41051 households.total 100±9", "county:41005 households.total 50±5",
		"county:41051 household_income_sum.households 100±9", "county:41051 household_income_sum.dollars 9e+06±90000"}
	if diff := cmp.Diff(want, written(out)); diff != "" {
		t.Error(diff)
	}
	issues := map[string]int{"census_form_found: summary file": 1, "missing_table_line: household_income_sum": 2, "unused_file": 1}
	if diff := cmp.Diff(issues, out.Reasons()); diff != "" {
		t.Error(diff)
	}
}

// A source of one file has the tables that the file of another source completes, and not the other's own.
func TestTableOfTwoSources(t *testing.T) {
	households := filepath.Join(write(t, map[string]string{
		"acsdt5y2022-b11001.dat": "GEO_ID|B11001_001E|B11001_001M\n0500000US41051|100|9\n0500000US41005|50|5\n"}), "acsdt5y2022-b11001.dat")
	dollars := filepath.Join(write(t, map[string]string{
		"acsdt5y2022-b19025.dat": "GEO_ID|B19025_001E|B19025_001M\n0500000US41003|7000|70\n0500000US41051|9000000|90000\n"}),
		"acsdt5y2022-b19025.dat")
	out := &sourcetest.Record{}
	if err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: dollars, With: []string{households}}, out); err != nil {
		t.Fatal(err)
	}
	want := []string{"county:41051 household_income_sum.households 100±9", "county:41051 household_income_sum.dollars 9e+06±90000"}
	if diff := cmp.Diff(want, written(out)); diff != "" {
		t.Error(diff)
	}
	issues := map[string]int{"census_form_found: summary file": 1, "missing_table_line: household_income_sum": 2}
	if diff := cmp.Diff(issues, out.Reasons()); diff != "" {
		t.Error(diff)
	}
}

// The median value of homes is B25077's, else the total of B25097, as in a metro area's and its county's files of 2020–24.
func TestMedianHomeValue(t *testing.T) {
	files := map[string]string{"acsdt5y2024-b25097.dat": "GEO_ID|B25097_E001|B25097_M001|B25097_E002|B25097_M002|B25097_E003|B25097_M003\n" +
		"310M700US47900|600000|4000|610000|4000|570000|9000\n0500000US11001|2000001|-333333333|2000001|-333333333|900000|20000\n"}
	want := []string{"cbsa:47900 median_home_value.value 600000±4000", "county:11001 median_home_value.value 2.000001e+06±NaN"}
	out, err := run(t, write(t, files), "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, written(out)); diff != "" {
		t.Error(diff)
	}
	files["acsdt5y2024-b25077.dat"] = "GEO_ID|B25077_E001|B25077_M001\n310M700US47900|601000|3900\n"
	if out, err = run(t, write(t, files), ""); err != nil {
		t.Fatal(err)
	}
	if got := written(out); !slices.Contains(got, "cbsa:47900 median_home_value.value 601000±3900") {
		t.Errorf("with both tables %q", got)
	}
}

const tenureBook = "Year:             2015-2019\nGeographic level: County (by State)\nBreakdown(s):     Geographic Subarea:\n            " +
	"         Total area (00)\n" +
	"Tables:\n1. Tenure\n   Source code: B25003\n   NHGIS code:  ALZL\n"

// NHGIS gives estimates and margins of error in two files to those who ask for it.
func TestEstimatesAndMarginsApart(t *testing.T) {
	files := map[string]string{
		"x_E_codebook.txt": tenureBook,
		"x_E.csv": "GISJOIN,NAME_E,ALZLE001,ALZLE002,ALZLE003\nGIS Join Match Code,Area Name,Total,Owner,Renter\n" +
			"G4100010,Baker,9,5,4\nG4100030,Benton,8,5,3\nG4100050,Clackamas,7,4,3\n",
		"x_M.csv": "GISJOIN,NAME_M,ALZLM001,ALZLM002,ALZLM003\nGIS join match code,Area name,Total,Owner,Renter\n" +
			"G4100030,Benton,2,2,1\nG4100070,Clatsop,1,1,1\nG4100010,Baker,3,,2\n",
	}
	folder := write(t, files)
	if _, err := run(t, folder, ""); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "2 of 4 areas (50.0 %)") {
		t.Errorf("half of the areas are in one file only: %v", err)
	}
	out, err := run(t, folder, "most_unpaired: 0.5")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"county:41003 tenure.total 8±2", "county:41003 tenure.owner 5±2", "county:41003 tenure.renter 3±1",
		"county:41003 households.total 8±2",
		"county:41001 tenure.total 9±3", "county:41001 tenure.owner 5±NaN", "county:41001 tenure.renter 4±2", "county:41001 households.total 9±3"}
	if diff := cmp.Diff(want, written(out)); diff != "" {
		t.Error(diff)
	}
	issues := []string{"census_form_found: NHGIS @ x_E.csv", "missing_margins @ x_E.csv line 5: G4100050",
		"missing_estimates @ x_M.csv line 4: G4100070"}
	if diff := cmp.Diff(issues, out.Issues); diff != "" {
		t.Error(diff)
	}
	if _, err := run(t, filepath.Join(folder, "x_E.csv"), ""); !errors.Is(err, source.ErrBadFile) ||
		!strings.Contains(err.Error(), "the folder that holds both") {
		t.Errorf("one of two files: %v", err)
	}
}

// Who asks NHGIS for estimates alone gets no margins of error, which then are not known.
func TestEstimatesAlone(t *testing.T) {
	out, err := run(t, write(t, map[string]string{"x_codebook.txt": tenureBook,
		"x.csv": "GISJOIN,ALZLE001,ALZLE002,ALZLE003\nG4100010,9,5,4\n"}), "")
	if err != nil || !slices.Equal(out.Issues, []string{"census_form_found: NHGIS @ x.csv", "no_margins_of_error @ x.csv"}) {
		t.Fatal(err, out.Issues)
	}
	if diff := cmp.Diff([]string{"county:41001 tenure.total 9±NaN", "county:41001 tenure.owner 5±NaN", "county:41001 tenure.renter 4±NaN",
		"county:41001 households.total 9±NaN"}, written(out)); diff != "" {
		t.Error(diff)
	}
}

func TestBadFiles(t *testing.T) {
	const dat, rows = "acsdt5y2023-b01003.dat", "GEO_ID|B01003_E001|B01003_M001\n0400000US41|1|1\n"
	for name, test := range map[string]struct {
		files   map[string]string
		options string
		want    string
	}{
		"other tables": {map[string]string{dat: "GEO_ID|B02001_E001|B02001_M001\n0400000US41|1|1\n"}, "", "B01001, B01003, B05002"},
		"no GEO_ID": {map[string]string{dat: "AREA|B01003_E001|B01003_M001\n"}, "",
			"no column with areas (GEO_ID, GEO.id, GEOID, or state, county, tract, block group)"},
		"some margins": {map[string]string{dat: "GEO_ID|B25003_E001|B25003_M001|B25003_E002|B25003_E003\n0400000US41|9|1|5|4\n"}, "",
			"no margin of error of B25003_002, but those of other lines"},
		"no line": {map[string]string{dat: "GEO_ID|B23025_E003|B23025_M003|B23025_E004|B23025_M004\n"}, "",
			"no table can be assembled: B23025 lacks B23025_005"},
		"a header alone":         {map[string]string{dat: "GEO_ID|B01003_E001|B01003_M001\n"}, "", "no rows"},
		"its last row cut":       {map[string]string{dat: rows + "0400000US53|1"}, "", "within a row"},
		"GEO_ID apart by blanks": {map[string]string{dat: "GEO_ID B01003_E001 B01003_M001\n0400000US41 1 1\n"}, "", "no column with areas"},
		"a view": {map[string]string{
			"ACSDT5Y2020.B01003-2022.csv": "Label (Grouping),\"Alameda County, California!!Estimate\"\nTotal,\"1,661,584\"\n"}, "",
			"it is a view of data.census.gov with areas by name"},
		"no estimates": {map[string]string{dat: "GEO_ID|B01003_M001\n0400000US41|1\n"}, "", "no estimates of B01003_001"},
		"no estimates among more": {map[string]string{dat: "GEO_ID|B01003_M001\n0400000US41|1\n", "acsdt5y2023-b25003.dat": b25003}, "",
			"no estimates of B01003"},
		"bad GEO_IDs": {map[string]string{dat: "GEO_ID|B01003_E001|B01003_M001\n41|1|1\n53|1|1\n0400001US41|1|1\n"}, "",
			"2 of 3 rows: invalid_geoid (first: " + dat + " line 2: 41)"},
		"nothing kept":         {map[string]string{dat: rows}, "states: WA", "none of its 1 rows"},
		"no years":             {map[string]string{"b01003.dat": rows}, "", "option vintage"},
		"a survey of one year": {map[string]string{"acsdt1y2023-b01003.dat": rows}, "", "a 1-year survey by its name"},
		"two surveys":          {map[string]string{dat: rows, "acsdt5y2022-b25003.dat": b25003}, "", "must be of one survey"},
		"half of a table": {map[string]string{"acsdt5y2023-b19025.dat": "GEO_ID|B19025_E001|B19025_M001\n0400000US41|1|1\n"}, "",
			"B19025 alone is not enough"},
		"no codebook": {map[string]string{"x.csv": "GISJOIN,ALZLE001\n"}, "", "whose codebook, x_codebook.txt, is missing"},
		"no codebook among more": {map[string]string{"x_E.csv": "GISJOIN,ALZLE001\n", dat: rows}, "",
			"whose codebook, x_codebook.txt, is missing"},
		"no codebook of that name": {map[string]string{"x.csv": "GISJOIN,ALZLE001\n", "x_codebook.txt": tenureBook}, "codebook: nope.txt",
			"its codebook, nope.txt, is missing"},
		"no margins of NHGIS": {map[string]string{"x.csv": "GISJOIN,ALZLE001,ALZLE002,ALZLE003\nG4100010,9,5,4\n",
			"x_codebook.txt": tenureBook + "Data Type (M):\n"}, "", "no margins of error, although its codebook, x_codebook.txt, does"},
		"margins missing": {map[string]string{"x_E.csv": "GISJOIN,ALZLE001,ALZLE002,ALZLE003\n", "x_codebook.txt": tenureBook}, "",
			"x_M.csv, are missing"},
		"margins alone": {map[string]string{"x_M.csv": "GISJOIN,ALZLM001\n", "x_codebook.txt": tenureBook}, "",
			"margins of error only"},
		"urban parts": {map[string]string{"x.csv": "GISJOIN\n",
			"x_codebook.txt": strings.Replace(tenureBook, "Total area (00)", "Urban (01)", 1)}, "", "not of entire areas"},
		"a level of NHGIS": {map[string]string{"x.csv": "GISJOIN\n",
			"x_codebook.txt": strings.Replace(tenureBook, "County (", "Tribal Census Tract (", 1)}, "", "Tribal Census Tract"},
		"a codebook of one year": {map[string]string{"x.csv": "GISJOIN\n",
			"x_codebook.txt": strings.Replace(tenureBook, "2015-2019", "2019", 1)}, "", "five years"},
		"no codebook of NHGIS": {map[string]string{"x.csv": "GISJOIN\n", "x_codebook.txt": "Hello."}, "", "is it a codebook of NHGIS?"},
	} {
		folder := write(t, test.files)
		if _, err := run(t, folder, test.options); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, options := range []string{"states: Oregon", "levels: block", "where: 41051", "vintage: 2023", "vintage: 2019-2022",
		"codebook: ../x.txt", "most_unpaired: 2"} {
		if _, err := run(t, write(t, map[string]string{dat: rows}), options); !errors.Is(err, source.ErrBadOptions) {
			t.Errorf("%s: %v", options, err)
		}
	}
	for _, files := range []map[string]string{{dat: rows},
		{"x.csv": "GISJOIN,ALZLE001\n", "x_codebook.txt": strings.Replace(tenureBook, "2015-2019", "2019-2023", 1)}} {
		if _, err := run(t, write(t, files), "vintage: 2018-2022"); !errors.Is(err, source.ErrBadOptions) ||
			!strings.Contains(err.Error(), "vintage is 2018-2022, but ") || !strings.Contains(err.Error(), " is of 2019-2023") {
			t.Errorf("a survey of other years than the option's: %v", err)
		}
	}
	if out, err := run(t, write(t, map[string]string{"b01003.dat": rows}), "vintage: 2018-2022"); err != nil ||
		out.Surveys[0].Vintage != "2018-2022" {
		t.Error(out.Surveys, err)
	}
}
