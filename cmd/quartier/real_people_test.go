package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

// checkPeople compares demographics of the real regions with the publishers' files.
func checkPeople(t *testing.T, release, data string) {
	s := startServer(t, release)
	_, token := s.account(t)
	ask := func(t *testing.T, key string) peopleOf {
		t.Helper()
		return s.peopleOf(t, token, geogID(t, release, key))
	}
	t.Run("Portland", func(t *testing.T) {
		p := readPortland(t, data)
		weights := p.weightsOf(t, release)
		settled := p.checkWeights(t, weights)
		for pair := range weights { // the crosswalk is by ground
			if settled[pair.group] {
				weights[pair] = p.overlap[pair]
			}
		}
		p.checkCrosswalk(t, weights)
		p.checkStreets(t, release)
		lines := readNHGIS(t, data)
		checked := 0
		for _, key := range slices.Sorted(maps.Keys(p.names)) {
			if name := p.names[key]; checked < 3 && p.groupsOf(name, settled) >= 8 {
				p.checkFigures(t, name, lines, ask(t, key))
				checked++
			}
		}
		if checked < 3 {
			t.Errorf("%d neighbourhoods are large and by ground alone", checked)
		}
	})
	t.Run("Ottawa", func(t *testing.T) { checkWards(t, release, data, ask) })
	t.Run("around a point", func(t *testing.T) {
		portland := s.people(t, token, "lat=45.5231&lng=-122.6765")
		if got := slices.Sorted(maps.Keys(portland)); !slices.Equal(got, []string{"education_level", "income", "income_level", "income_stats"}) {
			t.Errorf("Portland has %v", got)
		}
		for language, label := range map[string]string{"en": "Total population", "fr": "Population totale"} {
			ottawa := s.people(t, token, "lat=45.4215&lng=-75.6972&language="+language)
			only := ottawa["population_total"]
			if len(ottawa) != 1 || only.Label != "Population" || len(only.Variables) != 1 || only.Variables[0].Label != label ||
				only.Variables[0].Value < 1000 {
				t.Errorf("Ottawa has %+v", ottawa)
			}
		}
		for name, at := range map[string]string{"Wilmington": "lat=39.7459&lng=-75.5466", "Pikesville": "lat=39.374&lng=-76.722",
			"Seattle": "lat=47.6062&lng=-122.3321"} {
			if of := s.people(t, token, at); of != nil {
				t.Errorf("%s has %v, without any survey", name, of)
			}
		}
	})
}

// peopleOf returns the demographics of a geography by category and variable.
type peopleOf map[string]map[string]schemas.GeographyDemographicsVariable

func (s *server) peopleOf(t *testing.T, token, id string) peopleOf {
	t.Helper()
	status, body := s.get(t, token, "/v3/demographics/"+id)
	var answer schemas.GeographyDemographicsAnswer
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s: %v", id, status, body, err)
	}
	of := peopleOf{}
	for id, category := range answer.Data.Attributes {
		of[id] = map[string]schemas.GeographyDemographicsVariable{}
		for _, v := range category.Variables {
			of[id][v.Variable] = v
		}
	}
	return of
}

// line is a line of a table of a block group.
type line struct{ estimate, moe float64 }

// readNHGIS returns the lines of both tables by GEOID, numbered as B15003 and B19001.
func readNHGIS(t *testing.T, data string) map[string]map[string]line {
	t.Helper()
	all := map[string]map[string]line{}
	for file, code := range map[string]string{"acs_educational_attainment_2010_2014_blkgrp.csv": "ABC4",
		"acs_household_income_2014_blkgrp.csv": "ABDO"} {
		for _, row := range table(t, filepath.Join(data, "us-portland", "acs", file)) {
			id := row["STATEA"] + row["COUNTYA"] + row["TRACTA"] + row["BLKGRPA"]
			if all[id] == nil {
				all[id] = map[string]line{}
			}
			for n := 1; row[fmt.Sprintf("%sE%03d", code, n)] != ""; n++ {
				all[id][fmt.Sprint(code, n)] = line{number(t, row[fmt.Sprintf("%sE%03d", code, n)]), number(t, row[fmt.Sprintf("%sM%03d", code, n)])}
			}
		}
	}
	return all
}

// handbook adds up estimates by the ACS handbook: margins in quadrature, of several zero estimates the largest only. The
// squares of what parts of block groups consist of, and of where in these their people live, are apart.
type handbook struct{ estimate, squares, zero, mixed, below, above float64 }

func (h *handbook) add(estimate, moe float64) {
	h.estimate += estimate
	if estimate == 0 {
		h.zero = max(h.zero, moe*moe)
		return
	}
	h.squares += moe * moe
}

// join adds another cell of the same block groups, whose people are in the wrong place together.
func (h *handbook) join(o handbook) {
	h.estimate, h.squares, h.zero, h.mixed = h.estimate+o.estimate, h.squares+o.squares, max(h.zero, o.zero), h.mixed+o.mixed
	h.below, h.above = math.Pow(math.Sqrt(h.below)+math.Sqrt(o.below), 2), math.Pow(math.Sqrt(h.above)+math.Sqrt(o.above), 2)
}

func (h *handbook) moe() float64    { return math.Sqrt(h.squares + h.zero) }
func (h *handbook) placed() float64 { return (h.below + h.above) / 2 }

// placedIn is how far below and above a share of the ground that of the people may be: where their difference is 1.645
// standard deviations of the ground of a share of the people.
func placedIn(w, sigma, small, empty float64) (below, above float64) {
	t := math.Pow(1.645*sigma, 2)
	limit := func(w, t float64) float64 { return (2*w + t + math.Sqrt(t*t+4*t*w*(1-w))) / (2 * (1 + t)) }
	upper := func(w float64) float64 {
		narrow := max(limit(w, t*math.Sqrt(min(1, w/small))), w+math.Sqrt(t*w*(1-w)))
		return min(narrow, limit(w, t))
	}
	return w - max(0, (1-upper(1-w)-empty*w)/(1-empty)), upper(w) - w
}

// The lines of the cells of each variable.
var (
	educationLines = map[string][][]int{"no_high_school": {{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}, "high_school": {{17, 18}},
		"university_certifcate": {{19, 20}},
		"college_certificate":   {{21}}, "bachelor_degree": {{22}}, "masters_degree": {{23}}, "medical_degree": {{24}}, "doctorate": {{25}}}
	incomeLines = map[string][][]int{"inc_00_09": {{2}}, "inc_10_19": {{3}, {4}}, "inc_20_34": {{5}, {6}, {7}}, "inc_35_49": {{8}, {9}, {10}},
		"inc_50_74":  {{11}, {12}},
		"inc_75_100": {{13}}, "inc_100_149": {{14}, {15}}, "inc_150_200": {{16}}, "inc_200_plus": {{17}}}
	incomeBounds = []float64{0, 10e3, 15e3, 20e3, 25e3, 30e3, 35e3, 40e3, 45e3, 50e3, 60e3, 75e3, 100e3, 125e3, 150e3, 200e3, math.Inf(1)}
)

// cell adds up lines of all block groups in a neighbourhood. A cut block group has errors of what its part consists of and
// of where in it people live.
func (p *portland) cell(name, table string, lines map[string]map[string]line, cell []int) handbook {
	c := &calibration.Standard().Demographics
	var sum handbook
	for _, pair := range inOrder(p.overlap) {
		if pair.hood != name {
			continue
		}
		of, w := lines[pair.group], p.overlap[pair]
		if w > 1-1e-9 {
			w = 1
		}
		var own handbook
		for _, n := range cell {
			own.add(of[fmt.Sprint(table, n)].estimate, of[fmt.Sprint(table, n)].moe)
		}
		sum.add(w*own.estimate, w*own.moe())
		below, above := placedIn(w, p.sigma[pair.group], c.Parts.Small, c.Parts.Empty)
		if all := of[table+"1"].estimate; own.estimate > 0 && !slices.Equal(cell, []int{1}) { // a total is not mixed
			rho := map[string]float64{"ABC4": c.Parts.Persons, "ABDO": c.Parts.Households}[table]
			sum.mixed += math.Pow(1.645*w, 2) * (1/(w-below/3) - 1) * rho * own.estimate * max(0, all-own.estimate)
		}
		sum.below, sum.above = sum.below+math.Pow(own.estimate*below, 2), sum.above+math.Pow(own.estimate*above, 2)
	}
	return sum
}

// checkFigures compares the figures of a neighbourhood with overlay weights times lines of the survey.
func (p *portland) checkFigures(t *testing.T, name string, lines map[string]map[string]line, of peopleOf) {
	near := func(what string, got, want, within float64) {
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s of %s: %v, the lines add up to %v", what, name, got, want)
		}
	}
	for _, part := range []struct {
		category, total, table string
		variables              map[string][][]int
	}{{"education_level", "education_level_total", "ABC4", educationLines}, {"income_level", "household_income_total", "ABDO", incomeLines}} {
		total := p.cell(name, part.table, lines, []int{1})
		got := of[part.category][part.total]
		near(part.total, got.Value, total.estimate, 1)
		near("lower "+part.total, got.ConfidenceInterval.Lower, total.estimate-math.Sqrt(total.moe()*total.moe()+total.below), 1.5)
		near("upper "+part.total, got.ConfidenceInterval.Upper, total.estimate+math.Sqrt(total.moe()*total.moe()+total.above), 1.5)
		shares, all := map[string]handbook{}, handbook{}
		for id, cells := range part.variables {
			var sum handbook
			for _, cell := range cells {
				sum.join(p.cell(name, part.table, lines, cell))
			}
			shares[id] = sum
			all.join(sum)
		}
		bounds := 0
		for id, sum := range shares {
			got, share := of[part.category][id], sum.estimate/all.estimate
			near(id, got.Value, share, 0.0002)
			base := min(total.moe(), all.moe())
			own := math.Sqrt(sum.moe()*sum.moe()-share*share*base*base) / all.estimate
			moe := math.Hypot(own, math.Sqrt(sum.mixed+max(0, sum.placed()-share*share*all.placed()))/all.estimate)
			if share-own > 0 && share-moe > 0 && share+moe < 1 { // else Wilson's, or that of a ratio
				bounds++
				near("lower "+id, got.ConfidenceInterval.Lower, share-moe, 0.0003)
				near("upper "+id, got.ConfidenceInterval.Upper, share+moe, 0.0003)
			}
		}
		if bounds < 6 {
			t.Errorf("%s of %s: only %d intervals are those of a proportion", part.category, name, bounds)
		}
	}
	p.checkMedian(t, name, lines, of["income_stats"]["median_household_income"], near)
	for _, got := range []struct {
		category, variable, format string
		scale                      float64
	}{
		{"income_stats", "median_household_income", "%.0f", 1}, {"income_stats", "avg_household_income", "%.0f", 1},
		{"income_level", "household_income_total", "%.0f", 1},
		{"income_level", "inc_00_09", "%.1f %%", 100}, {"income_level", "inc_200_plus", "%.1f %%", 100},
		{"education_level", "education_level_total", "%.0f", 1}, {"education_level", "bachelor_degree", "%.1f %%", 100},
		{"education_level", "masters_degree", "%.1f %%", 100},
	} {
		v := of[got.category][got.variable]
		if v.ConfidenceInterval == nil { // a mean that rests on the open bin
			t.Logf("%-10s %-24s "+got.format+" without an interval", name, got.variable, got.scale*v.Value)
			if name != "pearl" || got.variable != "avg_household_income" {
				t.Errorf("%s of %s has no interval", got.variable, name)
			}
			continue
		}
		t.Logf("%-10s %-24s "+got.format+" ("+got.format+" to "+got.format+")", name, got.variable, got.scale*v.Value,
			got.scale*v.ConfidenceInterval.Lower, got.scale*v.ConfidenceInterval.Upper)
	}
}

// checkMedian compares a median with the one of the added bins, and its interval with the quantiles at one half plus or
// minus the margin of error of that share.
func (p *portland) checkMedian(t *testing.T, name string, lines map[string]map[string]line, got schemas.GeographyDemographicsVariable,
	near func(what string, got, want, within float64)) {
	t.Helper()
	var bins []float64
	var all handbook
	for n := 2; n <= 17; n++ {
		sum := p.cell(name, "ABDO", lines, []int{n})
		bins = append(bins, sum.estimate)
		all.add(sum.estimate, math.Sqrt(sum.moe()*sum.moe()+sum.mixed))
	}
	half := all.moe() / (2 * all.estimate)
	near("median", got.Value, pareto(bins, 0.5), 2)
	near("lower median", got.ConfidenceInterval.Lower, pareto(bins, 0.5-half), 2)
	near("upper median", got.ConfidenceInterval.Upper, pareto(bins, 0.5+half), 2)
}

// pareto returns the income below which a share of the households in the bins of B19001 is.
func pareto(bins []float64, share float64) float64 {
	all := 0.0
	for _, n := range bins {
		all += n
	}
	above := all
	for i, n := range bins {
		lower, upper, rest := incomeBounds[i], incomeBounds[i+1], (1-share)*all
		if above-n > rest {
			above -= n
			continue
		}
		if i == 0 {
			return upper * (all - rest) / n
		}
		return lower * math.Pow(above/rest, math.Log(upper/lower)/math.Log(above/(above-n)))
	}
	return math.NaN()
}
