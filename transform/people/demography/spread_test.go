package demography

import (
	"math"
	"testing"

	"quartier/schemas/calibration"
)

// TestSpreadFallsWithDensity has a city, its suburb and the country around it in one county, and a county without figures.
func TestSpreadFallsWithDensity(t *testing.T) {
	area := func(key string, people, km2 float64) *smallArea {
		return &smallArea{key: "census:bg:" + key, country: "US", people: people, households: people / 2.5, m2: km2 * 1e6,
			counts: counts{unknown, unknown, unknown}}
	}
	city, suburb, country := area("240050001001", 3000, 1), area("240050002001", 1200, 2), area("240050003001", 500, 40)
	empty, none, counted := area("240050004001", 0, 10), area("240070001001", unknown, 1), area("240050005001", 500, 40)
	counted.counts[people] = 500
	towers, prison := area("240090006001", 9000, 1), area("240090007001", 9000, 1)
	towers.households, prison.households = 6000, 0
	d := &deriver{kept: []*smallArea{country, city, empty, suburb, none, counted, towers, prison}, c: calibration.Standard().Demographics}
	d.measureSpread()
	ground := d.c.Ground
	for _, c := range []struct {
		name string
		area *smallArea
		want float64
	}{
		{"a city as dense as where most people live", city, ground.Scale},
		{"a suburb, a fifth as dense", suburb, math.Min(ground.Scale*math.Pow(0.2, -ground.Exponent), ground.Most)},
		{"the country", country, ground.Most},
		{"nobody", empty, ground.Most},
		{"unknown", none, ground.Most},
		{"a person and a half to a household", towers, ground.Uncommon},
		{"people without households", prison, ground.Uncommon},
		{"the country, by blocks", counted, ground.Block},
	} {
		if got := c.area.spread.within; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: σ %v, want %v", c.name, got, c.want)
		}
	}
	if got := typicalDensity([]*smallArea{area("1", 100, 2), area("2", 200, 0.2), area("3", 300, 0.1)}); got != 1000 {
		t.Errorf("half of the people live at %v people per km² or less", got)
	}
	if got := typicalDensity([]*smallArea{none, empty}); got != 0 {
		t.Errorf("without people: %v", got)
	}
	if us, ca := countyOf("census:bg:240050003001"), countyOf("statcan:da:35060012"); us != "census:bg:24005" || ca != "statcan:da:3506" {
		t.Errorf("counties %s and %s", us, ca)
	}
}
