package demography

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/schemas"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// Block groups of one tract, and one of another.
const (
	tract = "census:tract:24005000100"
	bg1   = "census:bg:240050001001"
	bg2   = "census:bg:240050001002"
	bg3   = "census:bg:240050001003"
	other = "census:bg:240050002001"
	da1   = "statcan:da:35060011"
	da2   = "statcan:da:35060012"
)

func TestSmallAreasAndParts(t *testing.T) {
	w := newWorld(t)
	w.block("b3", bg2, 30, 10, 12, square(40, 0, 1))
	w.block("b2", bg1, 20, 8, 9, square(1, 0, 1))
	w.block("b1", bg1, 10, 0, 1, square(0, 0, 1))
	w.zone(bg3, square(41, 0, 2))
	w.zone(bg1, square(0, 0, 2))
	w.block("c1", da1, 5, -1, 4, regiontest.Square(0, 40_000, 100, 40_100))
	w.block("far", "census:bg:240050009001", 1, 1, 1, regiontest.Square(0, -90_000, 100, -89_900))
	w.block("none", "", 1, 1, 1, square(3, 3, 1))
	w.block("odd", "census:bg:24", 1, 1, 1, square(4, 3, 1))
	w.zone("osm:relation:1", square(5, 3, 1))
	w.Exec(`INSERT INTO block (source_id, source_key, area_key, population, dwellings, households, geom)
		SELECT 'osm', source_key, area_key, 99, 99, 99, geom FROM block WHERE source_key = 'b3'`)
	w.Exec(`INSERT INTO zone (source_id, source_key, geom) SELECT 'osm', source_key, geom FROM zone WHERE source_key = ?`, bg3)
	o := w.derive()
	o.is(`SELECT concat_ws(' ', area, source_key, region_code) FROM small_area ORDER BY area`, // along the curve, not by key
		"0 "+bg2+" US_MD", "1 "+bg3+" US_MD", "2 "+bg1+" US_MD", "3 "+da1+" CA_ON")
	o.is(`SELECT concat_ws(' ', part, area, source_key, persons, households, dwellings) FROM small_area_part ORDER BY part`,
		"0 0 b3 99.0 99.0 99.0", "1 1 "+bg3+" 1.0 1.0 1.0", "2 2 b1 10.0 0.0 1.0", "3 2 b2 20.0 8.0 9.0", "4 3 c1 5.0 4.0 4.0")
	var geom []byte
	if err := o.derived.QueryRow("SELECT geom FROM small_area_part WHERE source_key = 'b2'").Scan(&geom); err != nil ||
		!bytes.Equal(geom, regiontest.WKB(t, square(1, 0, 1))) {
		t.Errorf("b2 has another outline; %v", err)
	}
	if o.Areas != 4 || o.Parts != 5 || o.Described != 0 {
		t.Errorf("%+v", o.Result)
	}
	o.hasIssues(
		"1 block_without_small_area (none)",
		"1 duplicate_key_in_other_source: block (b3)",
		"1 duplicate_key_in_other_source: zone ("+bg3+")",
		"1 unknown_area_scheme: block (odd)",
		"1 unknown_area_scheme: zone (osm:relation:1)",
		"1 zone_with_blocks ("+bg1+")",
		"1 outside_coverage (census:bg:240050009001)",
	)
}

func TestBlocksOnly(t *testing.T) {
	w := newWorld(t)
	w.block("b1", da1, 10, -1, 6, regiontest.Square(0, 40_000, 100, 40_100))
	w.block("b2", da1, 20, -1, 9, regiontest.Square(100, 40_000, 200, 40_100))
	w.block("b3", da2, 40, 15, 16, regiontest.Square(200, 40_000, 300, 40_100))
	w.block("b4", da2, -1, -1, -1, regiontest.Square(300, 40_000, 400, 40_100))
	w.zone(bg1, square(0, 0, 1)) // without counts
	o := w.derive()
	o.is(areaValues, "11 population.total 30.0", "12 households.total 15.0", "12 population.total 40.0")
	o.is(`SELECT concat_ws(' ', country_code, vintage) FROM vintage`, "CA 2021")
	if diff := cmp.Diff(map[string]string{
		"demographics by blocks CA": "the population of 2 of 2 small areas is that of their blocks, without a margin of error",
		"settlement US": "of 1 small areas without blocks, people are apportioned to parts by streets with houses in 0, by " +
			"buildings in 0, and by ground in 0 crowded ones and in 1 others",
	}, o.Notes); diff != "" {
		t.Error(diff)
	}
	o.hasIssues()
}

// Each table is that of the newest survey that has it completely.
func TestTwoSurveys(t *testing.T) {
	w := newWorld(t)
	w.survey("old", 2, "2014-2018")
	w.survey("new", 3, "2019-2023")
	w.block("b1", bg1, 10, 4, 5, square(0, 0, 1))
	w.block("b2", bg2, 20, 8, 9, square(1, 0, 1))
	w.table("old", bg1, "tenure", 90, 50, 40)
	w.table("new", bg1, "tenure", 100, 60, 40)
	w.table("old", bg1, "employment", 50, 45, 5)
	w.table("new", bg1, "employment", 60, -1, 6) // a part is missing
	w.table("new", bg1, "median_household_income", 54_321)
	w.table("old", bg1, "commute_mode", 50, 10, 5, 3, 2, -1) // home is optional
	w.table("new", bg2, "population", 22)
	w.table("old", bg2, "immigration", 20, -1, 3) // a part is missing
	w.statistic("new", bg1, "mother_tongue.total", 5, 1)
	o := w.derive()
	o.is(areaValues,
		"01 commute_mode.cycle 3.0 ±0.3", "01 commute_mode.drive 50.0 ±5.0", "01 commute_mode.foot 5.0 ±0.5", "01 commute_mode.other 2.0 ±0.2",
		"01 commute_mode.transit 10.0 ±1.0",
		"01 employment.employed 45.0 ±4.5", "01 employment.total 50.0 ±5.0", "01 employment.unemployed 5.0 ±0.5",
		"01 households.total 4.0", "01 median_household_income.value 54321.0 ±5432.1", "01 population.total 10.0",
		"01 tenure.owner 60.0 ±6.0", "01 tenure.renter 40.0 ±4.0", "01 tenure.total 100.0 ±10.0",
		"02 households.total 8.0", "02 population.total 22.0 ±2.2",
	)
	o.is(`SELECT concat_ws(' ', country_code, vintage) FROM vintage`, "US 2019-2023, 2014-2018")
	o.hasIssues(
		"1 small_area_without_table: new population ("+bg1+")",
		"2 small_area_without_table: new employment ("+bg1+")",
		"1 small_area_without_table: new tenure ("+bg2+")",
		"1 small_area_without_table: old commute_mode ("+bg2+")",
		"1 small_area_without_table: old employment ("+bg2+")",
		"1 small_area_without_table: old tenure ("+bg2+")",
		"2 small_area_without_table: old immigration ("+bg1+")",
		"1 cell_not_in_country: mother_tongue.total ("+bg1+" of new)",
		"1 incomplete_table: employment ("+bg1+" of new)",
		"1 incomplete_table: immigration ("+bg2+" of old)",
		"1 superseded_table: old ("+bg1+" tenure)",
	)
	if o.Described != 2 || o.Notes["demographics by blocks US"] == "" {
		t.Errorf("%+v", o.Result)
	}
}

func TestGeographies(t *testing.T) {
	w := newWorld(t)
	w.outline("census:place:2461400", schemas.Municipality, "Pikesville", square(0, 0, 5))
	w.outline("osm:relation:7", schemas.Municipality, "Nowhere", regiontest.Square(0, -90_000, 100, -89_900)) // is skipped
	w.survey("acs", 2, "2019-2023")
	w.survey("older", 3, "2014-2018")
	w.table("acs", "census:place:2461400", "tenure", 100, 60, 40)
	w.table("older", "census:place:2461400", "employment", 50, 45, 5)
	w.table("older", "census:place:2461400", "tenure", 90, 50, 40)
	w.survey("twin", 4, "2019-2023")
	w.table("twin", "census:place:2461400", "tenure", 95, 55, 40)
	w.table("acs", "statcan:pr:35", "population", 1000)
	w.table("acs", "osm:relation:7", "population", 1)
	w.table("acs", "census:county:24005", "population", 1)
	w.table("acs", "census:tract:24005000100", "population", 1) // a tract without block groups is ignored
	w.source("index", 4, "2024-01-01")
	for _, v := range []struct {
		source, key string
		year        int
		dollars     float64
	}{
		{"acs", "census:place:2461400", 2022, 300_000}, {"acs", "census:place:2461400", 2023, 310_000},
		{"index", "census:place:2461400", 2021, 1},
		{"index", "census:state:24", 2023, 400_000}, {"index", "census:county:24005", 2023, 1},
	} {
		regiontest.Stage(w.Region, "home_value", staged.HomeValue{SourceID: v.source, AreaKey: v.key, Year: int32(v.year), Dollars: v.dollars,
			Months: 12})
	}
	o := w.derive()
	o.is(`SELECT concat_ws(' ', source_key, cell, estimate, moe, vintage) FROM geography_value ORDER BY source_key, cell`,
		"census:place:2461400 employment.employed 45.0 4.5 2014-2018", "census:place:2461400 employment.total 50.0 5.0 2014-2018",
		"census:place:2461400 employment.unemployed 5.0 0.5 2014-2018",
		"census:place:2461400 tenure.owner 60.0 6.0 2019-2023", "census:place:2461400 tenure.renter 40.0 4.0 2019-2023",
		"census:place:2461400 tenure.total 100.0 10.0 2019-2023",
		"statcan:pr:35 population.total 1000.0 100.0 2019-2023")
	o.is(`SELECT concat_ws(' ', source_key, year, dollars) FROM home_value ORDER BY source_key, year`,
		"census:place:2461400 2022 300000.0", "census:place:2461400 2023 310000.0", "census:state:24 2023 400000.0")
	o.hasIssues(
		"1 duplicate_key_in_other_source: home value (census:place:2461400)",
		"1 statistic_without_outline (census:county:24005)",
		"1 home_value_without_geography (census:county:24005)",
		"1 statistic_of_skipped_boundary (osm:relation:7)",
		"1 superseded_table: older (census:place:2461400 tenure)",
		"1 superseded_table: twin (census:place:2461400 tenure)",
	)
	if o.Published != 2 {
		t.Errorf("%d published", o.Published)
	}
}

// Tables that do not match the outlines: a few people are counted, many are an error.
func TestAnotherVintageOfBoundaries(t *testing.T) {
	for _, c := range []struct {
		name         string
		people, left int64 // of bg1, which the survey has, and of bg2, which it has not
		note, fails  string
		issues       []string
		accepted     float64 // max_unmatched of the source; 0: not set
	}{
		{name: "all match", people: 1000, left: 0},
		{name: "a few do not", people: 960, left: 40,
			note: "source acs has no data for 4.0 % of the people of its states, in 1 of 2 small areas; of its areas in the same counties 1 " +
				"have no outline",
			issues: []string{"1 statistic_without_outline: acs (census:bg:240050001009)", "1 small_area_without_table: acs (" + bg2 + ")"}},
		{name: "many do not", people: 900, left: 100,
			fails: "source acs has no data for 10.0 % of the people of its states, in 1 of 2 small areas; of its areas in the same counties 1 " +
				"have no outline, more than 5 %; without data is " + bg2 +
				": it has data for areas without outline, such as census:bg:240050001009, so that the outlines are probably of another vintage"},
		{name: "many do not, which is accepted", people: 900, left: 100, accepted: 0.1,
			note: "source acs has no data for 10.0 % of the people of its states, in 1 of 2 small areas; of its areas in the same counties 1 " +
				"have no outline",
			issues: []string{"1 statistic_without_outline: acs (census:bg:240050001009)", "1 small_area_without_table: acs (" + bg2 + ")",
				"1 small_area_without_table: acs population (" + bg2 + ")"}},
		{name: "more than is accepted", people: 890, left: 110, accepted: 0.1,
			fails: "for 11.0 % of the people of its states, in 1 of 2 small areas; of its areas in the same counties 1 have no outline, more than " +
				"10 %"},
		{name: "no counts", people: -1, left: -1,
			fails: "source acs has no data for 50.0 % of the small areas of its states"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.survey("acs", 2, "2019-2023")
			if c.accepted > 0 {
				w.Exec(fmt.Sprintf("UPDATE survey SET max_unmatched = %v", c.accepted))
			}
			w.block("b1", bg1, c.people, -1, -1, square(0, 0, 1))
			w.block("b2", bg2, c.left, -1, -1, square(1, 0, 1))
			w.block("b3", da1, 1000, -1, -1, regiontest.Square(0, 40_000, 100, 40_100)) // in no state of the survey
			w.table("acs", bg1, "population", 1000)
			if c.left != 0 {
				w.table("acs", "census:bg:240050001009", "population", 0)
			}
			o, err := w.try()
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("%v does not contain %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if o.Notes["demographics of source acs"] != c.note {
				t.Errorf("note %q", o.Notes["demographics of source acs"])
			}
			o.hasIssues(c.issues...)
		})
	}
}

// An area has the tables of the newest survey that has them, and an older one fills the others.
func TestOlderSurveyFills(t *testing.T) {
	w := newWorld(t)
	w.survey("acs", 2, "2019-2023")
	w.survey("older", 3, "2014-2018")
	w.zone(bg1, square(0, 0, 1))
	w.zone(bg2, square(1, 0, 1))
	w.table("acs", bg1, "population", 100)
	w.table("acs", bg1, "tenure", 20, 10, 10)
	w.table("older", bg1, "population", 90)
	w.table("older", bg2, "population", 80)
	o := w.derive()
	if got := o.Notes["demographics of source acs"]; got !=
		"source acs has no data for 50.0 % of the small areas of its states, in 1 of 2 small areas; 1 of these have data of other surveys" {
		t.Errorf("note %q", got)
	}
	o.is("SELECT DISTINCT area || ' ' || cell || ' ' || vintage FROM small_area_value WHERE cell IN ('population.total', 'tenure.total') "+
		"ORDER BY 1",
		"0 population.total 2019-2023", "0 tenure.total 2019-2023", "1 population.total 2014-2018")
	o.is(areaValues,
		"01 population.total 100.0 ±10.0",
		"01 tenure.owner 10.0 ±1.0", "01 tenure.renter 10.0 ±1.0", "01 tenure.total 20.0 ±2.0",
		"02 population.total 80.0 ±8.0",
	)
}

// In a tract that a newer survey divides in another way the older one is used, whose block groups are those of the outlines.
func TestTractThatWasDivided(t *testing.T) {
	w := newWorld(t)
	w.survey("acs", 2, "2019-2023")
	w.survey("older", 3, "2014-2018")
	w.zone(bg1, square(0, 0, 1))
	w.zone(bg2, square(1, 0, 1))
	for i, key := range []string{bg1, bg2, "census:bg:240050001009"} {
		w.table("acs", key, "population", 100+float64(i))
	}
	w.table("older", bg1, "population", 90)
	w.table("older", bg2, "population", 80)
	w.derive().is(areaValues, "01 population.total 90.0 ±9.0", "02 population.total 80.0 ±8.0")
}

func TestUnknownSurveyOrCell(t *testing.T) {
	for _, row := range [][2]string{{"none", "tenure.total"}, {"acs", "tenure.none"}} {
		w := newWorld(t)
		w.survey("acs", 2, "2021")
		w.zone(bg1, square(0, 0, 1))
		w.statistic(row[0], bg1, row[1], 1, 1)
		if _, err := w.try(); err == nil || !strings.Contains(err.Error(), bg1) {
			t.Errorf("%s: %v", row, err)
		}
	}
}
