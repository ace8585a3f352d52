package build

import (
	"context"
	"slices"
	"strings"
	"testing"

	"quartier/build/verify"
	"quartier/schemas"
)

// TestRegionsAreComposedOfCounties: two counties side by side have tables, and the regions and metro areas around them none
// of their own, or some.
func TestRegionsAreComposedOfCounties(t *testing.T) {
	r := peopled()
	place := func(key string, level schemas.Level, west, east float64) {
		r.places = append(r.places, testPlace{key: key, level: level, west: west, south: 38.5, east: east, north: 38.9})
	}
	place("k:west", schemas.County, -75.5, -75.3)
	place("k:east", schemas.County, -75.3, -75.1)
	place("r:both", schemas.Region, -75.5, -75.1)
	place("r:nearly", schemas.Region, -75.5, -75.097) // 0.4 of 0.403 degrees: 0.9926
	place("r:wider", schemas.Region, -75.5, -75.095)  // 0.4 of 0.405 degrees: 0.9877
	place("r:half", schemas.Region, -75.5, -75.2)     // half of the eastern county, which is none of its members
	place("r:own", schemas.Region, -75.495, -75.1)
	place("m:both", schemas.Metro, -75.501, -75.1)
	for _, f := range []struct {
		key, vintage, cell string
		estimate, moe      float64
	}{
		{"k:west", "2017-2021", "households.total", 100, 30},
		{"k:east", "2019-2023", "households.total", 200, 40},
		{"k:west", "2017-2021", "tenure.total", 100, 3}, // the eastern county has no such table
		{"k:west", "2017-2021", "tenure.owner", 70, 3},
		{"k:west", "2017-2021", "tenure.renter", 30, 3},
		{"k:west", "2017-2021", "median_household_income.value", 50000, 100}, // medians have no sum
		{"k:east", "2019-2023", "median_household_income.value", 60000, 100},
		{"r:own", "2020", "households.total", 333, 3},
	} {
		r.people.published = append(r.people.published, testPublished{f.key, f.vintage, testFigure{f.cell, f.estimate, f.moe, ""}})
	}
	m, o := built(t, "", r)
	_, err := verify.Release(context.Background(), o.Out, "")
	must(t, err)
	for variable, want := range map[string][]string{
		// 100 + 200 ± √(30² + 40²)
		"households_total": {"k:east 200.0 160.0–240.0", "k:west 100.0 70.0–130.0", "m:both 300.0 250.0–350.0",
			"r:both 300.0 250.0–350.0", "r:nearly 300.0 250.0–350.0", "r:own 333.0 330.0–336.0"},
	} {
		if got := valuesOf(t, o, variable); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
	for _, variable := range []string{"property_tenure_total", "median_household_income"} {
		for _, v := range valuesOf(t, o, variable) {
			if strings.HasPrefix(v, "r:") || strings.HasPrefix(v, "m:both") {
				t.Errorf("%s of %q", variable, v)
			}
		}
	}
	vintages := rows(t, o, schemas.DemographicsFile, "SELECT DISTINCT vintage FROM geography_vintage ORDER BY 1")
	if want := []string{"2017-2021", "2019-2023", "2019-2023, 2017-2021", "2020"}; !slices.Equal(vintages, want) {
		t.Errorf("vintages %q, want %q", vintages, want)
	}
	if note := "geographies with tables that are sums of those published for their counties: 2 of level 38, 1 of level 40"; !slices.Contains(
		m.Notes, note) {
		t.Errorf("no note %q:\n%s", note, strings.Join(m.Notes, "\n"))
	}
}
