package demography

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

var unknown = math.NaN()

func TestWeigh(t *testing.T) {
	m2 := []float64{100, 300}
	for _, c := range []struct {
		name  string
		parts []counts // people, households, dwellings
		want  []weights
		size  weights
	}{
		{"all known", []counts{{10, 4, 5}, {30, 6, 10}}, []weights{{10, 4, 5}, {30, 6, 10}}, weights{40, 10, 15}},
		{"no households", []counts{{10, unknown, 5}, {30, unknown, 10}}, []weights{{10, 5, 5}, {30, 10, 10}}, weights{40, 15, 15}},
		{"households of one part only", []counts{{10, 4, 5}, {30, unknown, 10}}, []weights{{10, 5, 5}, {30, 10, 10}}, weights{40, 15, 15}},
		{"people only", []counts{{10, unknown, unknown}, {30, unknown, unknown}}, []weights{{10, 10, 10}, {30, 30, 30}}, weights{40, 40, 40}},
		{"dwellings only", []counts{{unknown, unknown, 3}, {unknown, unknown, 1}}, []weights{{3, 3, 3}, {1, 1, 1}}, weights{4, 4, 4}},
		{"a part without counts", []counts{{10, 4, 5}, {unknown, unknown, unknown}}, []weights{{10, 4, 5}, {0, 0, 0}}, weights{10, 4, 5}},
		{"no counts", []counts{{unknown, unknown, unknown}, {unknown, unknown, unknown}}, []weights{{100, 100, 100}, {300, 300, 300}},
			weights{unknown, unknown, unknown}},
		{"no people", []counts{{0, 0, 0}, {0, 0, 0}}, []weights{{100, 100, 100}, {300, 300, 300}}, weights{0, 0, 0}},
		{"empty homes", []counts{{0, 0, 7}, {0, 0, 2}}, []weights{{100, 100, 7}, {300, 300, 2}}, weights{0, 0, 9}},
	} {
		list, size, _ := weigh(c.parts, m2)
		if diff := cmp.Diff(fmt.Sprint(c.want, c.size), fmt.Sprint(list, size)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestAllocateResidual(t *testing.T) {
	for _, c := range []struct {
		name   string
		stage  func(w *world)
		want   []string
		note   string // tables of the note
		issues []string
	}{
		{"none has it: by blocks", func(w *world) {
			w.table("acs", tract, "tenure", 200, 100, 100)
		}, []string{
			// owners: √(0.36 · 10² + 1.645² · 0.066 · 100 · 100 · 0.36 · 0.64), as 100 of the households are others
			"01 tenure.owner 36.0 ±22.44", "01 tenure.renter 36.0 ±22.44", "01 tenure.total 72.0 ±12.0",
			"02 tenure.owner 64.0 ±23.06", "02 tenure.renter 64.0 ±23.06", "02 tenure.total 128.0 ±16.0",
			"03 tenure.owner 0.0 ±0.0", "03 tenure.renter 0.0 ±0.0", "03 tenure.total 0.0 ±0.0",
		}, "tenure to 3", nil},
		{"one has it: the rest", func(w *world) {
			w.table("acs", tract, "tenure", 200, 100, 100)
			w.table("acs", bg1, "tenure", 75, 0, 75)
		}, []string{
			"01 tenure.owner 0.0 ±12.0", "01 tenure.renter 75.0 ±7.5", "01 tenure.total 75.0 ±7.5",
			// √(20² − 7.5²); bg1 has 0 ± 12 owners, which is more than the tract's ± 10
			"02 tenure.owner 100.0 ±10.0", "02 tenure.renter 25.0 ±6.61", "02 tenure.total 125.0 ±18.54",
			"03 tenure.owner 0.0 ±0.0", "03 tenure.renter 0.0 ±0.0", "03 tenure.total 0.0 ±0.0",
		}, "tenure to 2", nil},
		{"nothing is left", func(w *world) {
			w.table("acs", tract, "tenure", 200, 100, 100)
			w.table("acs", bg1, "tenure", 210, 110, 100)
		}, []string{
			"01 tenure.owner 110.0 ±11.0", "01 tenure.renter 100.0 ±10.0", "01 tenure.total 210.0 ±21.0",
			"02 tenure.owner 0.0 ±10.0", "02 tenure.renter 0.0 ±10.0", "02 tenure.total 0.0 ±20.0",
			"03 tenure.owner 0.0 ±0.0", "03 tenure.renter 0.0 ±0.0", "03 tenure.total 0.0 ±0.0",
		}, "tenure to 2", nil},
		{"no households: by people, 10, 20 and 30 of them", func(w *world) {
			w.Exec("UPDATE block SET households = 0")
			w.table("acs", tract, "tenure", 200, 100, 0)
		}, []string{
			"01 tenure.owner 16.67 ±7.37", "01 tenure.renter 0.0 ±12.0", "01 tenure.total 33.33 ±14.73",
			"02 tenure.owner 33.33 ±9.67", "02 tenure.renter 0.0 ±12.0", "02 tenure.total 66.67 ±19.34",
			"03 tenure.owner 50.0 ±10.85", "03 tenure.renter 0.0 ±12.0", "03 tenure.total 100.0 ±21.69", // √(½ · 20² + (1.645 · 200 · 0.1 · ½)²)
		}, "tenure to 3", nil},
		{"medians are not allocated", func(w *world) {
			w.table("acs", tract, "median_household_income", 50_000)
			w.table("acs", tract, "employment", 100, 90, -1)
		}, nil, "", []string{"3 small_area_without_table: acs employment (" + bg1 + ")",
			"1 incomplete_table: employment (" + tract + " of acs)"}},
		{"beyond the region", func(w *world) {
			w.table("acs", tract, "tenure", 200, 100, 100)
			w.table("acs", "census:bg:240050001009", "population", 80)
		}, nil, "", []string{"3 small_area_without_table: acs tenure (" + bg1 + ")", "1 tract_beyond_region: tenure (" + bg1 + ")"}},
		{"no people beyond the region", func(w *world) {
			w.Exec("UPDATE block SET households = 1")
			w.table("acs", tract, "tenure", 3, 0, 3)
			w.table("acs", "census:bg:240050001000", "population", 0)
		}, []string{
			"01 tenure.owner 0.0 ±12.0", "01 tenure.renter 1.0 ±0.17", "01 tenure.total 1.0 ±0.17",
			"02 tenure.owner 0.0 ±12.0", "02 tenure.renter 1.0 ±0.17", "02 tenure.total 1.0 ±0.17",
			"03 tenure.owner 0.0 ±12.0", "03 tenure.renter 1.0 ±0.17", "03 tenure.total 1.0 ±0.17",
		}, "tenure to 3", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.survey("acs", 2, "2019-2023")
			w.block("b1", bg1, 10, 36, 40, square(0, 0, 1))
			w.block("b2", bg2, 20, 64, 70, square(1, 0, 1))
			w.block("b3", bg3, 30, 0, 80, square(2, 0, 2))
			c.stage(w)
			for _, bg := range []string{bg1, bg2, bg3} { // so that all match
				w.table("acs", bg, "households", 1)
				w.table("acs", bg, "population", 1)
			}
			o := w.derive()
			o.is(`SELECT * FROM (`+areaValues+`) WHERE line NOT LIKE '%households.total%' AND line NOT LIKE '%population.total%'`, c.want...)
			note := "tables missing for block groups are allocated from their tracts by blocks: " + c.note
			if c.note == "" {
				note = ""
			}
			if o.Notes["demographics of tracts"] != note {
				t.Errorf("note %q", o.Notes["demographics of tracts"])
			}
			var issues []string
			for _, i := range o.issues {
				if text := fmt.Sprintf("%d %s (%s)", i.Rows, i.Reason, i.Example); i.Code != noOutline.Code {
					issues = append(issues, text)
				}
			}
			if diff := cmp.Diff(c.issues, issues); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Households of a tract go by what is known of all of its block groups: their households, else their people, else their
// ground. A block group of 2,370 of the 4,000 people does not get the 9 % of the households that it has of the ground.
func TestHouseholdsGoByKnownPeople(t *testing.T) {
	tenure, _ := demographics.TableOf("tenure")
	total := demographics.Tables[tenure].Cells[0]
	constants := calibration.Standard().Demographics
	population := func(m *member, n float64) {
		m.cells[populationTotal], m.has[populationTotal] = margin.Figure{Estimate: n}, true
	}
	for _, c := range []struct {
		name  string
		known func(small, large *member)
		share float64
		sigma float64
	}{
		{"nothing is known", func(small, large *member) {}, 0.09, constants.Ground.Most},
		{"people of one", func(small, large *member) { population(small, 2370) }, 0.09, constants.Ground.Most},
		{"people", func(small, large *member) { population(small, 2370); population(large, 1630) }, 0.5925, constants.ByPeople},
		{"people that were themselves allocated", func(small, large *member) {
			population(small, 360)
			population(large, 3640)
			small.allocated, large.allocated = 1<<demographics.Cells[populationTotal].Table, 1<<demographics.Cells[populationTotal].Table
		}, 0.09, constants.Ground.Most},
		{"people of blocks", func(small, large *member) {
			small.area.size[people], large.area.size[people] = 2370, 1630
		}, 0.5925, constants.ByPeople},
		{"households of a table", func(small, large *member) {
			population(small, 2370)
			population(large, 1630)
			small.cells[householdsTotal], small.has[householdsTotal] = margin.Figure{Estimate: 600}, true
			large.cells[householdsTotal], large.has[householdsTotal] = margin.Figure{Estimate: 900}, true
		}, 0.4, 0},
	} {
		d := &deriver{allocated: make([]int, len(demographics.Tables)), c: constants}
		tract := newFigures()
		tract.survey[tenure], tract.has[total], tract.cells[total] = 0, true, margin.Figure{Estimate: 1500, MOE: 100}
		var members []member
		for _, m2 := range []float64{9e5, 91e5} {
			members = append(members, member{area: &smallArea{m2: m2, size: weights{unknown, unknown, unknown}}, figures: newFigures()})
		}
		c.known(&members[0], &members[1])
		d.allocateResidual(tract, members)
		got := members[0].cells[total]
		want := margin.Figure{Estimate: 1500 * c.share, MOE: math.Sqrt(1e4*c.share + math.Pow(1.645*1500*c.sigma, 2)*c.share*(1-c.share))}
		if math.Abs(got.Estimate-want.Estimate) > 1e-6 || math.Abs(got.MOE-want.MOE) > 1e-6 {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

// The allocated and the published tables add up to the tract's, in estimates and, if the tract's margin is wide enough for
// the published ones, in margins.
func TestAllocatedTablesAddUp(t *testing.T) {
	table, _ := demographics.TableOf("tenure")
	cells := demographics.Tables[table].Cells
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "block groups")
		with := rapid.IntRange(0, n-1).Draw(t, "with the table")
		total := newFigures()
		total.survey[table] = 0
		var members []member
		for i := range n {
			m := member{area: &smallArea{m2: rapid.Float64Range(1, 1e6).Draw(t, "m²")}, figures: newFigures()}
			size := float64(rapid.IntRange(0, 500).Draw(t, "households"))
			if rapid.IntRange(0, 9).Draw(t, "uncounted") == 0 {
				size = math.NaN()
			}
			m.area.size = weights{size, size, size}
			if i < with {
				m.survey[table] = 0
			}
			members = append(members, m)
		}
		var sums [demographics.CellCount]margin.Sum
		for _, c := range cells {
			rest := rapid.IntRange(0, 300).Draw(t, "left")
			square := math.Pow(rapid.Float64Range(0, 200).Draw(t, "margin of the rest"), 2)
			total.cells[c], total.has[c] = margin.Figure{Estimate: float64(rest)}, true
			for _, m := range members[:with] {
				f := margin.Figure{Estimate: float64(rapid.IntRange(0, 300).Draw(t, "published")), MOE: rapid.Float64Range(0, 100).Draw(t, "margin")}
				m.cells[c], m.has[c] = f, true
				sums[c].Add(f, 1)
			}
			published := sums[c].Figure()
			total.cells[c].Estimate += published.Estimate
			total.cells[c].MOE = math.Sqrt(published.MOE*published.MOE + square)
		}
		d := &deriver{allocated: make([]int, len(demographics.Tables)), c: calibration.Standard().Demographics}
		d.c.Parts, d.c.ByPeople, d.c.Ground.Most = calibration.Parts{}, 0, 0 // without the errors of the shares
		d.allocateResidual(total, members)
		for _, c := range cells {
			var sum margin.Sum
			for _, m := range members {
				if !m.has[c] || m.cells[c].Estimate < 0 {
					t.Fatalf("%s: %+v", demographics.Cells[c].ID, m.cells[c])
				}
				sum.Add(m.cells[c], 1)
			}
			got, want, published := sum.Figure(), total.cells[c], sums[c].Figure()
			if math.Abs(got.Estimate-want.Estimate) > 1e-6 {
				t.Errorf("%s: parts add up to %v, the tract has %v", demographics.Cells[c].ID, got.Estimate, want.Estimate)
			}
			// The margin is the tract's; it is more only if the rest would have less than its share of it, or nothing is left.
			wide := want.MOE*want.MOE-published.MOE*published.MOE >= want.MOE*want.MOE*(1-published.Estimate/want.Estimate)
			if with == 0 || wide && want.Estimate > published.Estimate {
				if math.Abs(got.MOE-want.MOE) > 1e-6*(1+want.MOE) {
					t.Errorf("%s: margins add up to %v, the tract has %v", demographics.Cells[c].ID, got.MOE, want.MOE)
				}
			} else if got.MOE < want.MOE-1e-6 {
				t.Errorf("%s: margins add up to %v, less than the tract's %v", demographics.Cells[c].ID, got.MOE, want.MOE)
			}
		}
	})
}
