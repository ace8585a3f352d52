package demography

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

func constants() *calibration.Demographics { return &calibration.Standard().Demographics }

func place(t testing.TB, id string) int {
	t.Helper()
	c, ok := demographics.CellOf(id)
	if !ok {
		t.Fatalf("no cell %s", id)
	}
	return c
}

// find is the value of a variable of a category by geography.
func find(t testing.TB, values []Value, category, variable string) Value {
	t.Helper()
	for i, at := range demographics.Flat(demographics.ByGeography) {
		c := &demographics.ByGeography[at.Category]
		if c.ID == category && c.Variables[at.Variable].ID == variable {
			return values[i]
		}
	}
	t.Fatalf("no variable %s of %s", variable, category)
	return Value{}
}

func TestAroundCount(t *testing.T) {
	if n := len(demographics.Flat(demographics.Around)); n != AroundCount {
		t.Errorf("%d variables, AroundCount is %d", n, AroundCount)
	}
	if n := len(demographics.Tables); n > 64 {
		t.Errorf("%d tables are too many for the bits of Estimates", n)
	}
}

func TestApportion(t *testing.T) {
	for _, test := range []struct {
		parts []float64
		want  []uint32
	}{
		{[]float64{1, 1, 1}, []uint32{3334, 3333, 3333}},
		{[]float64{0, 5}, []uint32{0, 10000}},
		{[]float64{1, 2}, []uint32{3333, 6667}},
		{[]float64{1e-9, 1}, []uint32{0, 10000}},
	} {
		got := make([]uint32, len(test.parts))
		if !apportion(test.parts, got) {
			t.Errorf("%v: nothing", test.parts)
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%v: %v, want %v", test.parts, got, test.want)
				break
			}
		}
	}
	if apportion([]float64{0, 0}, make([]uint32, 2)) {
		t.Error("parts of nothing have shares")
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Float64Range(0, 1e7), 1, 20).Draw(t, "parts")
		got := make([]uint32, len(parts))
		if !apportion(parts, got) {
			return
		}
		sum, all := uint32(0), 0.0
		for i := range got {
			sum, all = sum+got[i], all+parts[i]
		}
		for i := range got {
			if off := math.Abs(float64(got[i]) - parts[i]/all*whole); off >= 1.000001 {
				t.Fatalf("%v of %v became %d", parts[i], all, got[i])
			}
		}
		if sum != whole {
			t.Fatalf("%v: %v add up to %d", parts, got, sum)
		}
	})
}

// TestOf compares with a place computed by hand: 600 owners ± 50 and 400 renters ± 40 of 1,000 households ± 30.
func TestOf(t *testing.T) {
	var cells Cells
	cells.Set(place(t, "tenure.owner"), margin.Figure{Estimate: 600, MOE: 50})
	cells.Set(place(t, "tenure.renter"), margin.Figure{Estimate: 400, MOE: 40})
	cells.Set(place(t, "tenure.total"), margin.Figure{Estimate: 1000, MOE: 30})
	cells.Set(place(t, "households.total"), margin.Figure{Estimate: 1000, MOE: math.NaN()})
	cells.Set(place(t, "household_income_sum.households"), margin.Figure{Estimate: 1000, MOE: 30})
	cells.Set(place(t, "household_income_sum.dollars"), margin.Figure{Estimate: 80e6, MOE: 4e6})
	cells.Set(place(t, "commute_mode.drive"), margin.Figure{Estimate: 90, MOE: 9})
	cells.Set(place(t, "commute_mode.home"), margin.Figure{Estimate: 10, MOE: 5})
	cells.Set(place(t, "median_household_income.value"), margin.Figure{Estimate: 61234, MOE: 5000})
	values := Of("US", &cells, constants())
	check := func(category, variable string, want Value) {
		t.Helper()
		if got := find(t, values, category, variable); got != want {
			t.Errorf("%s: %+v, want %+v", variable, got, want)
		}
	}
	// √(50² − 0.6²·30²)/1000 = 0.04665
	check("property_tenure", "prop_owner", Value{0.6, 0.5534, 0.6466, true, true, ""})
	check("property_tenure", "property_tenure_total", Value{1000, 970, 1030, true, true, ""})
	check("households", "households_total", Value{Value: 1000, Present: true})
	// 80,000 · √(0.05² + 0.03²) = 4,664.8
	check("income_stats", "avg_household_income", Value{80000, 75335, 84665, true, true, ""})
	check("income_stats", "median_household_income", Value{61234, 56234, 66234, true, true, ""})
	// people who work at home do not commute
	check("commute_mode", "drive", Value{1, 0.9, 1, true, true, ""})
	check("commute_mode", "commute_mode_total", Value{90, 81, 99, true, true, ""})
	check("mother_tongue", "mother_tongue_total", Value{})
	check("housing_affordability", "housing_affordability_index", Value{})
	check("population_age", "age_00_04", Value{})
}

// TestAroundAsByGeography checks that both lists have the same shares, medians and means if made of the same cells.
func TestAroundAsByGeography(t *testing.T) {
	same := map[string]string{"inc_home": "median_household_income", "avg_household_income": "avg_household_income",
		"avg_individual_income": "avg_individual_income", "inc_person": "median_individual_income",
		"popn_total": "total_individuals", "ed_bach_deg": "bachelor_degree", "cmtr_drive": "", "emplyd_yes": "employment_employed"}
	byID := map[string]int{}
	for i, at := range demographics.Flat(demographics.ByGeography) {
		byID[demographics.ByGeography[at.Category].Variables[at.Variable].ID] = i
	}
	rapid.Check(t, func(t *rapid.T) {
		country := rapid.SampledFrom([]string{"CA", "US"}).Draw(t, "country")
		var cells Cells
		var estimates [demographics.CellCount]float64
		for i := range demographics.Cells {
			if c := &demographics.Cells[i]; c.Has(country) && c.Role != demographics.Scalar {
				estimates[i] = float64(rapid.IntRange(1, 900).Draw(t, c.ID))
				cells.Set(i, margin.Figure{Estimate: estimates[i], MOE: 10})
			}
		}
		values := Of(country, &cells, constants())
		var figures Figures
		Around(country, Estimates{&estimates, math.MaxUint64}, constants(), &figures)
		for i, at := range demographics.Flat(demographics.Around) {
			category := &demographics.Around[at.Category]
			v := &category.Variables[at.Variable]
			id, renamed := same[v.ID]
			if !renamed {
				id = v.ID
			}
			other, ok := byID[id]
			if !ok {
				continue
			}
			want := uint32(Absent)
			if values[other].Present {
				want = uint32(math.Round(values[other].Value * Scale(v)))
			}
			around := figures[i]
			if around != Absent && around&OpenUpper != 0 && values[other].Open == demographics.OpenUpper {
				around -= OpenUpper
			}
			if off := int64(around) - int64(want); off != 0 && (v.Method != demographics.Share || want == Absent || off*off > 1) {
				// equal remainders are rounded up by order
				t.Fatalf("%s in %s: %d around, %d by geography", v.ID, country, around, want)
			}
			if value := values[other]; value.Interval && !(value.Lower <= value.Value && value.Value <= value.Upper) {
				t.Fatalf("%s: %+v", v.ID, value)
			}
		}
	})
}

func TestAroundTellsWhatItKnows(t *testing.T) {
	var estimates [demographics.CellCount]float64
	estimates[place(t, "population.total")] = 120
	estimates[place(t, "age.00_04")] = 12
	population, _ := demographics.TableOf("population")
	var figures Figures
	Around("CA", Estimates{&estimates, 1 << population}, constants(), &figures)
	for i, at := range demographics.Flat(demographics.Around) {
		v := &demographics.Around[at.Category].Variables[at.Variable]
		if want := map[bool]uint32{true: 120, false: Absent}[v.ID == "popn_total"]; figures[i] != want {
			t.Errorf("%s is %d, want %d", v.ID, figures[i], want)
		}
	}
}

func TestAPartHasSharesAndNoCount(t *testing.T) {
	var cells Cells
	cells.Set(place(t, "tenure.owner"), margin.Figure{Estimate: 30, MOE: 5})
	cells.Set(place(t, "tenure.renter"), margin.Figure{Estimate: 10, MOE: 4})
	cells.Set(place(t, "tenure.total"), margin.Figure{Estimate: 40, MOE: 6})
	tenure, _ := demographics.TableOf("tenure")
	cells.SetPartial(tenure)
	values := Of("US", &cells, constants())
	if owners := find(t, values, "property_tenure", "prop_owner"); owners.Value != 0.75 || !owners.Interval {
		t.Errorf("owners %+v", owners)
	}
	if total := find(t, values, "property_tenure", "property_tenure_total"); total.Present {
		t.Errorf("all households %+v", total)
	}
}

// TestMediansInOpenBins are published as jam values, or are in the last bin.
func TestMediansInOpenBins(t *testing.T) {
	income, last := place(t, "median_household_income.value"), place(t, "household_income.200000_plus")
	for _, tt := range []struct {
		cell   int
		figure margin.Figure
		want   Value
	}{
		{income, margin.Figure{Estimate: 250001, MOE: math.NaN()}, Value{Value: 250000, Present: true, Open: demographics.OpenUpper}},
		{income, margin.Figure{Estimate: 2499, MOE: math.NaN()}, Value{Value: 2500, Present: true, Open: demographics.OpenLower}},
		{income, margin.Figure{Estimate: 250000, MOE: 900}, Value{250000, 249100, 250900, true, true, ""}},
		{last, margin.Figure{Estimate: 80, MOE: 9}, Value{Value: 200000, Present: true, Open: demographics.OpenUpper}},
	} {
		var cells Cells
		cells.Set(tt.cell, tt.figure)
		if got := find(t, Of("US", &cells, constants()), "income_stats", "median_household_income"); got != tt.want {
			t.Errorf("%s %v: %+v, want %+v", demographics.Cells[tt.cell].ID, tt.figure, got, tt.want)
		}
	}
	var estimates [demographics.CellCount]float64
	estimates[last] = 80
	var figures Figures
	Around("US", Estimates{&estimates, math.MaxUint64}, constants(), &figures)
	for i, at := range demographics.Flat(demographics.Around) {
		if demographics.Around[at.Category].Variables[at.Variable].ID == "inc_home" && figures[i] != 200000|OpenUpper {
			t.Errorf("around a point %d", figures[i])
		}
	}
}

// TestBoundsOfJams has every jam value, a dollar beyond its bound.
func TestBoundsOfJams(t *testing.T) {
	for _, tt := range []struct {
		cell         string
		value, bound float64
		open         demographics.OpenEnd
	}{
		{"median_household_income.value", 2499, 2500, demographics.OpenLower},
		{"median_household_income.value", 250001, 250000, demographics.OpenUpper},
		{"median_home_value.value", 9999, 10000, demographics.OpenLower}, {"median_home_value.value", 1000001, 1000000, demographics.OpenUpper},
		{"median_home_value.value", 2000001, 2000000, demographics.OpenUpper}, {"median_home_value.value", 250001, 250001, demographics.Closed},
		{"population.total", 2499, 2499, demographics.Closed},
	} {
		if bound, open := demographics.Cells[place(t, tt.cell)].Bound(tt.value); bound != tt.bound || open != tt.open {
			t.Errorf("%s %v: %v %q", tt.cell, tt.value, bound, open)
		}
	}
}
