package demography

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	tract2    = "census:tract:24005000200" // of which no block group has an outline
	bgOfOther = "census:bg:240050002001"
)

// A tract is a small area where none of its block groups has an outline or blocks; else its tables are allocated to them.
func TestTractsAsSmallAreas(t *testing.T) {
	w := newWorld(t)
	w.survey("acs", 2, "2019-2023")
	w.zone(bg1, square(0, 0, 1))
	w.zone(tract, square(0, 0, 2)) // of bg1
	w.zone(tract2, square(2, 0, 2))
	w.table("acs", bg1, "population", 100)
	w.table("acs", tract, "population", 100)
	w.table("acs", tract, "tenure", 40, 30, 10)
	w.table("acs", tract2, "population", 300)
	w.table("acs", tract2, "tenure", 120, 50, 70)
	w.table("acs", tract2, "median_household_income", 60_000)
	w.table("acs", bgOfOther, "population", 290)
	o := w.derive()
	o.is(`SELECT source_key FROM small_area ORDER BY source_key`, bg1, tract2)
	o.is(areaValues,
		"01 population.total 100.0 ±10.0", "01 tenure.owner 30.0 ±3.0", "01 tenure.renter 10.0 ±1.0", "01 tenure.total 40.0 ±4.0",
		"00 median_household_income.value 60000.0 ±6000.0", "00 population.total 300.0 ±30.0", "00 tenure.owner 50.0 ±5.0",
		"00 tenure.renter 70.0 ±7.0", "00 tenure.total 120.0 ±12.0",
	)
	o.hasIssues(
		"1 statistic_without_outline: acs ("+bgOfOther+")",
		"1 tract_with_block_groups ("+tract+")",
	)
}

// Tables and outlines of tracts are compared as those of block groups are.
func TestTractsOfAnotherVintage(t *testing.T) {
	for _, c := range []struct {
		name  string
		stage func(*world)
		fails string
	}{
		{"a tract that was divided", func(w *world) {
			w.table("acs", tract, "population", 100)
			w.table("acs", "census:tract:24005000201", "population", 150)
			w.table("acs", "census:tract:24005000202", "population", 150)
		},
			"source acs has no data for 50.0 % of the small areas of its states, in 1 of 2 small areas; of its areas in the same counties 2 have " +
				"no outline, more than 5 %; without data is " + tract2 + ": it has data for areas without outline, such as census:tract:24005000201"},
		{"block groups alone", func(w *world) {
			w.table("acs", bg1, "population", 100)
			w.table("acs", bgOfOther, "population", 100)
		}, "source acs has data for small areas such as " + bg1 + ", but for none of the region's, such as " + tract},
	} {
		w := newWorld(t)
		w.survey("acs", 2, "2019-2023")
		w.zone(tract, square(0, 0, 2))
		w.zone(tract2, square(2, 0, 2))
		c.stage(w)
		if _, err := w.try(); err == nil || !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Without any outline there is a note of the tracts, where there are no block groups.
func TestTractsWithoutOutlines(t *testing.T) {
	w := newWorld(t)
	w.survey("acs", 2, "2019-2023")
	w.table("acs", tract, "population", 100)
	if diff := cmp.Diff(map[string]string{
		"tracts of source acs": "source acs has data for 1 tracts, and no source has their blocks or outlines: demographics around points are " +
			"absent",
	}, w.derive().Notes); diff != "" {
		t.Error(diff)
	}
}
