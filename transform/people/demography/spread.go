package demography

import (
	"cmp"
	"slices"
	"strings"

	"quartier/schemas/calibration"
	"quartier/transform/people/settlement"
)

// spread is the allocation error of a small area (docs/methods.md, 7.2).
type spread struct {
	within  float64 // σ of the people of a part that is cut
	between float64 // σ of the people of some parts; 0 if they are counted
}

// measureSpread computes the allocation error of all small areas that are written: the less dense an area is than those
// where most people of its county live, the less is known about where on its ground they live. Where blocks are counted,
// only that within a block is not known.
func (d *deriver) measureSpread() {
	counties := map[string][]*smallArea{}
	for _, a := range d.kept {
		counties[countyOf(a.key)] = append(counties[countyOf(a.key)], a)
	}
	for _, list := range counties {
		surroundings := typicalDensity(list)
		for _, a := range list {
			a.spread = spreadOf(d.c, a, surroundings)
		}
	}
}

func spreadOf(c calibration.Demographics, a *smallArea, surroundings float64) spread {
	ground := c.Ground.Sigma(a.density(), surroundings, a.people/a.households)
	switch {
	case a.counts.any():
		return spread{within: c.Ground.Block}
	case a.division == nil:
		return spread{within: ground}
	case a.division.Basis == settlement.Crowded:
		return spread{within: max(ground, c.Settlement.Crowded)}
	}
	return spread{within: c.Settlement.Within, between: c.Settlement.Between}
}

// people is the number of people of an area by its tables, else its blocks, else as many to a household; NaN if unknown.
func (m member) people(householdSize float64) float64 {
	for _, basis := range []struct {
		cells  []int
		people float64 // of one that is counted
	}{{totals[people], 1}, {householdTotals, householdSize}} {
		for _, c := range basis.cells {
			if m.has[c] {
				return m.cells[c].Estimate * basis.people
			}
		}
	}
	return m.area.people
}

// households is the number of households of an area by its tables, else its blocks; NaN if unknown.
func (m member) households() float64 {
	for _, c := range householdTotals {
		if m.has[c] {
			return m.cells[c].Estimate
		}
	}
	return m.area.counts[households]
}

// householdTotals are cells with the number of households.
var householdTotals = []int{householdsTotal, cell("tenure.total"), cell("household_size.total"), cell("household_income.total")}

// density is the number of people per km² of ground; NaN if unknown.
func (a *smallArea) density() float64 { return a.people / (a.m2 / 1e6) }

// typicalDensity is the density at which half of the people live in denser areas and half in less dense ones, in people
// per km²; 0 without any.
//
// Of areas with 100, 200 and 300 people at 50, 1,000 and 3,000 people per km², the second one is passed with the 300th
// person: half of the people live at 1,000 or less.
func typicalDensity(areas []*smallArea) float64 {
	var inhabited []*smallArea
	all, below := 0.0, 0.0
	for _, a := range areas {
		if a.people > 0 && a.m2 > 0 {
			inhabited = append(inhabited, a)
			all += a.people
		}
	}
	slices.SortFunc(inhabited, func(a, b *smallArea) int {
		return cmp.Or(cmp.Compare(a.density(), b.density()), cmp.Compare(a.key, b.key))
	})
	for _, a := range inhabited {
		if below += a.people; 2*below >= all {
			return a.density()
		}
	}
	return 0
}

// countyOf is the scheme of a small area's key and the digits of its county (five) or census division (four).
func countyOf(key string) string {
	digits := strings.LastIndexByte(key, ':') + 1
	if countryOf(key) == "CA" {
		return key[:digits+4]
	}
	return key[:digits+5]
}
