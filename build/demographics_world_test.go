package build

import (
	"testing"

	"quartier/internal/duck"
)

// testPeople is the demographics in a region's derived database.
type testPeople struct {
	areas     []testArea
	published []testPublished
	homes     []testHomeValue
	vintages  [][2]string // by country; default US of 2019-2023
}

// testArea is a small area with its parts and figures.
type testArea struct {
	key, code string // code: default US_DE
	parts     []testPart
	figures   []testFigure
}

// testPart is a rectangle with one weight for persons, households and dwellings alike.
type testPart struct {
	west, south, east, north float64
	weight                   float64
}

// testFigure has no margin of error where that is negative.
type testFigure struct {
	cell          string
	estimate, moe float64
	vintage       string // of a small area's figure; default 2019-2023
}

type testPublished struct {
	key, vintage string
	testFigure
}

type testHomeValue struct {
	key     string
	year    int32
	dollars float64
}

func (f testFigure) margin() any {
	if f.moe < 0 {
		return nil
	}
	return f.moe
}

// write fills the derived tables of people.
func (p *testPeople) write(t testing.TB, derived *duck.DB) {
	t.Helper()
	load(t, derived, "small_area", func(row func(...any)) {
		for i, a := range p.areas {
			if a.code == "" {
				a.code = "US_DE"
			}
			row(int32(i), a.key, a.code, 0.3, 0.0)
		}
	})
	load(t, derived, "small_area_part", func(row func(...any)) {
		n := int32(0)
		for i, a := range p.areas {
			for _, b := range a.parts {
				row(n, int32(i), a.key+":block", b.weight, b.weight, b.weight, wkb(rectangle(b.west, b.south, b.east, b.north)))
				n++
			}
		}
	})
	load(t, derived, "small_area_value", func(row func(...any)) {
		for i, a := range p.areas {
			for _, f := range a.figures {
				vintage := f.vintage
				if vintage == "" {
					vintage = "2019-2023"
				}
				row(int32(i), f.cell, f.estimate, f.margin(), vintage)
			}
		}
	})
	load(t, derived, "geography_value", func(row func(...any)) {
		for _, f := range p.published {
			row(f.key, f.cell, f.estimate, f.margin(), f.vintage)
		}
	})
	load(t, derived, "home_value", func(row func(...any)) {
		for _, h := range p.homes {
			row(h.key, h.year, h.dollars)
		}
	})
	load(t, derived, "vintage", func(row func(...any)) {
		if p.vintages == nil {
			p.vintages = [][2]string{{"US", "2019-2023"}}
		}
		for _, v := range p.vintages {
			row(v[0], v[1])
		}
	})
}

// peopled is Delaware with three block groups side by side in Dover: the first in West Dover in two blocks, the second
// half in West and half in East Dover, the third in East Dover. The population around them is 0.
func peopled() testRegion {
	r := delaware()
	r.people = &testPeople{areas: []testArea{
		{key: "census:bg:a", parts: []testPart{{-75.6, 39.1, -75.55, 39.15, 100}, {-75.6, 39.15, -75.55, 39.2, 300}, {-75.8, 39, -75.6, 39.4, 0}},
			figures: []testFigure{
				{"population.total", 400, -1, ""},
				{"tenure.total", 160, 16, ""}, {"tenure.owner", 120, 12, ""}, {"tenure.renter", 40, 9, ""},
				{"median_home_value.value", 300000, 20000, ""},
			}},
		{key: "census:bg:b", parts: []testPart{{-75.55, 39.1, -75.45, 39.2, 200}}, figures: []testFigure{
			{"population.total", 200, -1, ""},
			{"tenure.total", 80, 8, ""}, {"tenure.owner", 80, 10, ""}, {"tenure.renter", 0, 12, ""},
			{"median_home_value.value", 200000, 30000, ""},
		}},
		{key: "census:bg:c", parts: []testPart{{-75.45, 39.1, -75.4, 39.2, 50}, {-75.4, 39, -75.3, 39.4, 0}, {-75.6, 39, -75.4, 39.1, 0},
			{-75.6, 39.2, -75.4, 39.4, 0}}, figures: []testFigure{
			{"population.total", 100, -1, ""},
			{"tenure.total", 40, 7, ""}, {"tenure.owner", 0, 11, ""}, {"tenure.renter", 40, 6, ""},
		}},
	}}
	return r
}
