package demography

import (
	"fmt"
	"testing"

	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// street stages a residential street, whose points are given in metres.
func (w *world) street(xy ...float64) {
	regiontest.Stage(w.Region, "street", staged.Street{SourceID: "osm", SourceKey: fmt.Sprint("street:", xy), Class: "residential",
		Car: "both", Geom: regiontest.WKB(w.t, regiontest.Line(xy...))})
}

// Three block groups without blocks and one with: along a street, crowded, and without a street; the streets in the corners
// are those of a map of all of them.
func TestZonesAreDividedWhereStreetsShowHomes(t *testing.T) {
	w := newWorld(t)
	for _, corner := range []float64{-3000, 3000} {
		w.street(corner, -3000, corner+50, -3000)
		w.street(corner, 3000, corner+50, 3000)
	}
	w.street(0, 50, 200, 50)
	w.street(2000, 50, 2200, 50)
	w.street(1000, 50, 1200, 50)
	const withBlocks = "census:bg:240050001004"
	w.survey("acs", 2, "2019-2023")
	w.zone(bg1, square(0, 0, 8))
	w.zone(bg2, square(20, 0, 8))
	w.zone(bg3, square(0, 10, 8))
	w.block("b", withBlocks, 40, -1, -1, square(10, 0, 8))
	for key, people := range map[string]float64{bg1: 60, bg2: 600, bg3: 50, withBlocks: 40} {
		w.table("acs", key, "population", people)
	}
	o := w.derive()
	c := calibration.Standard().Demographics
	o.is(`SELECT concat_ws(' ', right(a.source_key, 2), count(*) > 1, round(sum(persons), 9), round(sum(households), 9), `+
		`round(sigma_between, 3)) FROM small_area AS a JOIN small_area_part USING (area) GROUP BY a.source_key, sigma_between ORDER BY ALL`,
		"01 true 1.0 1.0 "+fmt.Sprint(c.Settlement.Between), "02 false 1.0 1.0 0.0", "03 false 1.0 1.0 0.0", "04 false 40.0 40.0 0.0")
	o.is(`SELECT concat_ws(' ', right(source_key, 2), round(sigma_within, 3)) FROM small_area WHERE source_key IN ('`+bg1+`', '`+withBlocks+
		`') ORDER BY 1`,
		"01 "+fmt.Sprint(c.Settlement.Within), "04 "+fmt.Sprint(c.Ground.Block))
	o.is(`SELECT concat_ws(' ', min(part), max(part), count(DISTINCT part)) FROM small_area_part`, fmt.Sprintf("0 %d %d", o.Parts-1, o.Parts))
	note := "of 3 small areas without blocks, people are apportioned to parts by streets with houses in 1, by buildings in 0, and by ground " +
		"in 1 crowded ones and in 1 others"
	if got := o.Notes["settlement US"]; got != note {
		t.Errorf("note %q", got)
	}
}
