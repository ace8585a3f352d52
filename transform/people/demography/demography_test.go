package demography

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/schemas"
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
	w.Exec(`INSERT INTO block SELECT 'osm', source_key, area_key, 99, 99, 99, NULL, geom FROM block WHERE source_key = 'b3'`)
	w.Exec(`INSERT INTO zone SELECT 'osm', source_key, geom FROM zone WHERE source_key = ?`, bg3)
	o := w.derive()
	o.is(`SELECT concat_ws(' ', area, source_key, region_code) FROM small_area ORDER BY area`, // along the curve, not by key
		"0 "+bg2+" US_MD", "1 "+bg3+" US_MD", "2 "+bg1+" US_MD", "3 "+da1+" CA_ON")
	o.is(`SELECT concat_ws(' ', part, area, source_key, persons, households, dwellings) FROM small_area_part ORDER BY part`,
		"0 0 b3 99.0 99.0 99.0", "1 1 "+bg3+" 1.0 1.0 1.0", "2 2 b1 10.0 0.0 1.0", "3 2 b2 20.0 8.0 9.0", "4 3 c1 5.0 4.0 4.0")
	var geom []byte
	if err := o.derived.QueryRow("SELECT geom FROM small_area_part WHERE source_key = 'b2'").Scan(&geom); err != nil || !bytes.Equal(geom, w.wkb(square(1, 0, 1))) {
		t.Errorf("b2 has another outline; %v", err)
	}
	if o.Areas != 4 || o.Parts != 5 || o.Described != 0 {
		t.Errorf("%+v", o.Result)
	}
	o.left(
		"1 block of an unknown kind of area: odd",
		"1 block of no area: none",
		"1 block that another source tells: b3",
		"1 zone of an area whose blocks are known: "+bg1,
		"1 zone of an unknown kind of area: osm:relation:1",
		"1 zone that another source tells: "+bg3,
		"1 small area outside every known state: census:bg:240050009001",
	)
}

func TestBlocksAlone(t *testing.T) {
	w := newWorld(t)
	w.block("b1", da1, 10, -1, 6, regiontest.Square(0, 40_000, 100, 40_100))
	w.block("b2", da1, 20, -1, 9, regiontest.Square(100, 40_000, 200, 40_100))
	w.block("b3", da2, 40, 15, 16, regiontest.Square(200, 40_000, 300, 40_100))
	w.block("b4", da2, -1, -1, -1, regiontest.Square(300, 40_000, 400, 40_100))
	w.zone(bg1, square(0, 0, 1)) // nobody counted
	o := w.derive()
	o.is(told, "11 population.total 30.0", "12 households.total 15.0", "12 population.total 40.0")
	o.is(`SELECT concat_ws(' ', country_code, vintage) FROM vintage`, "CA 2021")
	if diff := cmp.Diff(map[string]string{"demographics by blocks CA": "people of 2 of 2 small areas are those of their blocks, without a margin of error"}, o.Notes); diff != "" {
		t.Error(diff)
	}
	o.left()
}

// Each table is the newest survey's that tells it wholly.
func TestTwoSurveys(t *testing.T) {
	w := newWorld(t)
	w.survey("old", 2, "2014-2018")
	w.survey("new", 3, "2019-2023")
	w.block("b1", bg1, 10, 4, 5, square(0, 0, 1))
	w.block("b2", bg2, 20, 8, 9, square(1, 0, 1))
	w.table("old", bg1, "tenure", 90, 50, 40)
	w.table("new", bg1, "tenure", 100, 60, 40)
	w.table("old", bg1, "employment", 50, 45, 5)
	w.table("new", bg1, "employment", 60, -1, 6) // lacks a part
	w.table("new", bg1, "median_household_income", 54_321)
	w.table("old", bg1, "commute_mode", 50, 10, 5, 3, 2, -1) // home is optional
	w.table("new", bg2, "population", 22)
	w.table("old", bg2, "immigration", 20, -1, 3) // lacks a part
	w.Exec(`INSERT INTO statistic VALUES ('new', ?, 'mother_tongue.total', 5, NULL)`, bg1)
	o := w.derive()
	o.is(told,
		"01 commute_mode.cycle 3.0 ±0.3", "01 commute_mode.drive 50.0 ±5.0", "01 commute_mode.foot 5.0 ±0.5", "01 commute_mode.other 2.0 ±0.2", "01 commute_mode.transit 10.0 ±1.0",
		"01 employment.employed 45.0 ±4.5", "01 employment.total 50.0 ±5.0", "01 employment.unemployed 5.0 ±0.5",
		"01 households.total 4.0", "01 median_household_income.value 54321.0 ±5432.1", "01 population.total 10.0",
		"01 tenure.owner 60.0 ±6.0", "01 tenure.renter 40.0 ±4.0", "01 tenure.total 100.0 ±10.0",
		"02 households.total 8.0", "02 population.total 22.0 ±2.2",
	)
	o.is(`SELECT concat_ws(' ', country_code, vintage) FROM vintage`, "US 2019-2023, 2014-2018")
	o.left(
		"1 inhabited small area of which source new does not tell population: "+bg1,
		"2 inhabited small area of which source new does not tell employment: "+bg1,
		"1 inhabited small area of which source new does not tell tenure: "+bg2,
		"1 inhabited small area of which source old does not tell commute_mode: "+bg2,
		"1 inhabited small area of which source old does not tell employment: "+bg2,
		"1 inhabited small area of which source old does not tell tenure: "+bg2,
		"2 inhabited small area of which source old does not tell immigration: "+bg1,
		"1 cell mother_tongue.total is none of US: "+bg1+" of new",
		"1 table employment lacks a cell: "+bg1+" of new",
		"1 table immigration lacks a cell: "+bg2+" of old",
		"1 table of source old that a newer survey tells: "+bg1+" tenure",
	)
	if o.Described != 2 || o.Notes["demographics by blocks US"] == "" {
		t.Errorf("%+v", o.Result)
	}
}

func TestGeographies(t *testing.T) {
	w := newWorld(t)
	w.outline("census:place:2461400", schemas.Municipality, "Pikesville", square(0, 0, 5))
	w.outline("osm:relation:7", schemas.Municipality, "Nowhere", regiontest.Square(0, -90_000, 100, -89_900)) // becomes none
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
	w.table("acs", "census:tract:24005000100", "population", 1) // a tract without block groups is none's business
	w.source("index", 4, "2024-01-01")
	for _, v := range []struct {
		source, key string
		year        int
		dollars     float64
	}{
		{"acs", "census:place:2461400", 2022, 300_000}, {"acs", "census:place:2461400", 2023, 310_000}, {"index", "census:place:2461400", 2021, 1},
		{"index", "census:state:24", 2023, 400_000}, {"index", "census:county:24005", 2023, 1},
	} {
		w.Exec(`INSERT INTO home_value VALUES (?, ?, ?, ?, 12)`, v.source, v.key, v.year, v.dollars)
	}
	o := w.derive()
	o.is(`SELECT concat_ws(' ', source_key, cell, estimate, moe, vintage) FROM geography_value ORDER BY source_key, cell`,
		"census:place:2461400 employment.employed 45.0 4.5 2014-2018", "census:place:2461400 employment.total 50.0 5.0 2014-2018", "census:place:2461400 employment.unemployed 5.0 0.5 2014-2018",
		"census:place:2461400 tenure.owner 60.0 6.0 2019-2023", "census:place:2461400 tenure.renter 40.0 4.0 2019-2023", "census:place:2461400 tenure.total 100.0 10.0 2019-2023",
		"statcan:pr:35 population.total 1000.0 100.0 2019-2023")
	o.is(`SELECT concat_ws(' ', source_key, year, dollars) FROM home_value ORDER BY source_key, year`,
		"census:place:2461400 2022 300000.0", "census:place:2461400 2023 310000.0", "census:state:24 2023 400000.0")
	o.left(
		"1 home value that another source tells: census:place:2461400",
		"1 statistic of an area without an outline: census:county:24005",
		"1 home value of no geography: census:county:24005",
		"1 statistics of an outline that became no geography: osm:relation:7",
		"1 table of source older that a newer survey tells: census:place:2461400 tenure",
		"1 table of source twin that another source tells: census:place:2461400 tenure",
	)
	if o.Published != 2 {
		t.Errorf("%d published", o.Published)
	}
}

// Tables that do not join the outlines: a few people are told, many fail the region.
func TestAnotherVintageOfBoundaries(t *testing.T) {
	for _, c := range []struct {
		name         string
		people, left int64 // of bg1, which the survey tells, and of bg2, which it does not
		note, fails  string
		issues       []string
	}{
		{name: "all are told", people: 1000, left: 0},
		{name: "a few are not", people: 960, left: 40,
			note:   "source acs: 4 % of the people live in areas of which it tells nothing",
			issues: []string{"1 statistic of source acs of a small area without an outline: census:bg:240050001009", "1 inhabited small area of which source acs tells nothing: " + bg2}},
		{name: "many are not", people: 900, left: 100,
			fails: "source acs tells nothing of 10.0 % of the people of its states, such as those of " + bg2 + ": it tells of areas that have no outline, such as census:bg:240050001009, so that the outlines look like those of another vintage"},
		{name: "nobody counted them", people: -1, left: -1,
			fails: "source acs tells nothing of 50.0 % of the small areas of its states"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.survey("acs", 2, "2019-2023")
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
					t.Errorf("%v does not tell %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if o.Notes["demographics of source acs"] != c.note {
				t.Errorf("note %q", o.Notes["demographics of source acs"])
			}
			o.left(c.issues...)
		})
	}
}

func TestFiguresOfNoSurveyOrCell(t *testing.T) {
	for _, row := range []string{"('none', 'x', 'tenure.total', 1, 1)", "('acs', 'x', 'tenure.none', 1, 1)"} {
		w := newWorld(t)
		w.survey("acs", 2, "2021")
		w.zone(bg1, square(0, 0, 1))
		w.Exec("INSERT INTO statistic VALUES " + strings.Replace(row, "'x'", "'"+bg1+"'", 1))
		if _, err := w.try(); err == nil || !strings.Contains(err.Error(), bg1) {
			t.Errorf("%s: %v", row, err)
		}
	}
}
