package demography

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// TestNobodyLivesOnWater has a zone of which a lake covers half, one with a pond below a hectare, one that is a bay, a block
// that the lake cuts, and one that is a lake.
func TestNobodyLivesOnWater(t *testing.T) {
	const bg3, bg4 = "census:bg:240050001003", "census:bg:240050001004"
	w := newWorld(t)
	w.survey("acs", 2, "2019-2023")
	for key, outline := range map[string]orb.MultiPolygon{bg1: square(0, 0, 4), bg2: square(4, 0, 4), bg3: square(8, 0, 4)} {
		w.zone(key, outline)
		w.table("acs", key, "population", 100)
	}
	w.block("b1", bg4, 30, -1, -1, square(0, 1, 4))
	w.block("b2", bg4, 0, -1, -1, square(4, 1, 4))
	w.table("acs", bg4, "population", 30)
	pond := square(5, 0, 1)
	for i := range pond[0][0] {
		pond[0][0][i][0] = (pond[0][0][i][0] + square(5, 0, 1).Bound().Min[0]) / 2
	}
	for _, water := range []orb.MultiPolygon{square(0, 0, 2), square(0, 1, 2), pond, square(8, 0, 4), square(4, 1, 4)} {
		w.Feature("land", "water", water)
	}
	o := w.derive()
	rows, err := o.derived.Query("SELECT source_key, persons, geom FROM small_area_part")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	hectares := map[string]float64{bg1: 2, bg2: 4, bg3: 4, "b1": 2, "b2": 4}
	for rows.Next() {
		var key string
		var persons float64
		var geom []byte
		if err := rows.Scan(&key, &persons, &geom); err != nil {
			t.Fatal(err)
		}
		outline, err := geo.MultiPolygon(geom)
		if err != nil {
			t.Fatal(err)
		}
		if got := geo.Area(outline) / 1e4; math.Abs(got-hectares[key]) > 0.02 {
			t.Errorf("%s has %.3f ha, want %v", key, got, hectares[key])
		}
		if want := map[string]float64{"b1": 30, "b2": 0}[key]; key[0] == 'b' && persons != want {
			t.Errorf("%s has the weight %v", key, persons)
		}
		if west := square(2, 0, 1).Bound().Min[0]; (key == bg1 || key == "b1") && math.Abs(outline.Bound().Min[0]-west) > 1e-6 {
			t.Errorf("%s begins at %v, not %v", key, outline.Bound().Min[0], west)
		}
		delete(hectares, key)
	}
	if len(hectares) > 0 {
		t.Errorf("no part %v", hectares)
	}
	o.is("SELECT CAST(sum(estimate) AS INTEGER)::VARCHAR FROM small_area_value WHERE cell = 'population.total'", "330")
	o.is("SELECT count(*)::VARCHAR FROM water", "4")
}
