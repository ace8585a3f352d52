package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/margin"
	"quartier/internal/pack/smallareas"
	"quartier/internal/testenv"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// part is a variable of a block group or dissemination area, from the figures of the larger area that it is part of.
type part struct {
	county, setting string
	what            string // "people", "owners" …
	truth           float64
	sums            map[int]margin.Sum // of the cells that the variable is computed from
	before          map[int]margin.Sum // by the errors of parts before decision 78
}

// The variables that are compared, by what they are of.
var compared = map[string]string{
	"people": "total_individuals", "people, Ottawa": "total_individuals", "households": "households_total",
	"owners": "prop_owner", "owners, by tract": "prop_owner",
	"income": "median_household_income", "income, by tract": "median_household_income",
}

// answer is the variable with its interval, with the allocation error multiplied.
func (p *part) answer(sums map[int]margin.Sum, factor float64) demography.Value {
	var cells demography.Cells
	for cell, sum := range sums {
		cells.SetSum(cell, scaled(sum, factor))
	}
	values := demography.Of("US", &cells, &calibration.Standard().Demographics)
	for i, at := range demographics.Flat(demographics.ByGeography) {
		if demographics.ByGeography[at.Category].Variables[at.Variable].ID == compared[p.what] {
			return values[i]
		}
	}
	panic("no variable " + compared[p.what])
}

// score is how good intervals are.
type score struct {
	n, held, sum, truth float64
	widths              []float64 // half of them, over the value but of shares
}

func (s *score) add(p *part, v demography.Value) {
	if !v.Present || !v.Interval {
		return
	}
	s.n, s.truth = s.n+1, s.truth+p.truth
	s.sum += intervalScore(v.Lower, v.Upper, p.truth)
	if v.Lower <= p.truth && p.truth <= v.Upper {
		s.held++
	}
	half := (v.Upper - v.Lower) / 2
	if !p.share() {
		half /= max(v.Value, 1)
	}
	s.widths = append(s.widths, half)
}

func (p *part) share() bool { return strings.HasPrefix(p.what, "owners") }

// intervalScore is the width of a 90 % interval and twenty times how far it misses the truth (Gneiting and Raftery 2007).
func intervalScore(lower, upper, truth float64) float64 {
	return upper - lower + 20*max(0, lower-truth) + 20*max(0, truth-upper)
}

func (s *score) coverage() float64 { return s.held / s.n }

func (s *score) width() float64 {
	slices.Sort(s.widths)
	return s.widths[len(s.widths)/2]
}

// mean is the mean score, over the mean truth but of shares.
func (s *score) mean(share bool) float64 {
	if share {
		return s.sum / s.n
	}
	return s.sum / s.truth
}

// partTables are figures of block groups by key: homes of Washington by who lives in them, incomes of Oregon.
func partTables(t *testing.T, data string) (tables map[string]map[int]margin.Figure, medians map[string]float64) {
	tables, medians = map[string]map[int]margin.Figure{}, map[string]float64{}
	acs := filepath.Join(data, "us-dc", "acs-2015", "ACS_15_5YR_")
	all := figuresOf(t, acs+"B25002_with_ann.csv", "GEO.id2", "HD01_VD02", "HD02_VD02")
	for key, renters := range figuresOf(t, acs+"B25063_with_ann.csv", "GEO.id2", "HD01_VD01", "HD02_VD01") {
		owners := margin.Figure{Estimate: max(0, all[key].Estimate-renters.Estimate), MOE: renters.MOE}
		tables[key] = map[int]margin.Figure{cellOf(t, "tenure.total"): all[key], cellOf(t, "tenure.renter"): renters,
			cellOf(t, "tenure.owner"): owners}
	}
	incomes, _ := demographics.TableOf("household_income")
	cells := slices.DeleteFunc(slices.Clone(demographics.Tables[incomes].Cells), func(c int) bool { return !demographics.Cells[c].Has("US") })
	for _, row := range table(t, filepath.Join(data, "us-portland", "acs", "acs_household_income_2014_blkgrp.csv")) {
		key := row["STATEA"] + row["COUNTYA"] + row["TRACTA"] + row["BLKGRPA"]
		of := map[int]margin.Figure{}
		for i, c := range cells {
			of[c] = margin.Figure{Estimate: number(t, row[fmt.Sprintf("ABDOE%03d", i+1)]), MOE: number(t, row[fmt.Sprintf("ABDOM%03d", i+1)])}
		}
		tables[key] = of
		if m := row["ABDPE001"]; m != "" && number(t, m) > 0 && number(t, m) < 250_000 {
			medians[key] = number(t, m)
		}
	}
	return tables, medians
}

func cellOf(t *testing.T, id string) int {
	t.Helper()
	c, ok := demographics.CellOf(id)
	if !ok {
		t.Fatalf("no cell %s", id)
	}
	return c
}

// wholeCells are the cells that all pieces of an area have, added up.
func wholeCells(t *testing.T, of *whole, tables map[string]map[int]margin.Figure) map[int]margin.Figure {
	sums, counts := map[int]*margin.Sum{}, map[int]int{}
	add := func(cell int, f margin.Figure) {
		if sums[cell] == nil {
			sums[cell] = &margin.Sum{}
		}
		if !math.IsNaN(f.Estimate) {
			sums[cell].Add(f, 1)
			counts[cell]++
		}
	}
	for _, p := range of.pieces {
		add(cellOf(t, "population.total"), p.people)
		add(cellOf(t, "households.total"), p.households)
		for c, f := range tables[p.key] {
			add(c, f)
		}
	}
	all := map[int]margin.Figure{}
	for c, sum := range sums {
		if counts[c] == len(of.pieces) {
			all[c] = sum.Figure()
		}
	}
	return all
}

// cutParts are the parts of the areas of a county, cut by ground.
func cutParts(t *testing.T, list []piece, tables map[string]map[int]margin.Figure, medians map[string]float64) (parts []part) {
	wholes := wholesOf(list)
	around := surroundings(wholes)
	table := smallAreas(t, func(w *smallareas.Writer) error {
		for _, of := range wholes {
			sigma, parts := byGround(of, around)
			var values []smallareas.Value
			all := wholeCells(t, of, tables)
			for _, c := range slices.Sorted(maps.Keys(all)) {
				values = append(values, smallareas.Value{Cell: c, Figure: all[c]})
			}
			if err := w.AddArea("US_OR", sigma, values, parts); err != nil {
				return err
			}
		}
		return nil
	})
	for _, of := range wholes {
		all := wholeCells(t, of, tables)
		for _, p := range of.pieces {
			var totals smallareas.Totals
			table.Total(areal.Polygons(p.outline), smallareas.Scope{Country: "US"}, &calibration.Standard().Demographics.Parts, &totals)
			w := totals.Cells[0].Estimate / of.people.Estimate
			sums, before := map[int]margin.Sum{}, map[int]margin.Sum{}
			for c, f := range all {
				sums[c] = totals.Cells[c]
				var sum margin.Sum
				sum.Add(margin.Figure{Estimate: w * f.Estimate,
					MOE: math.Hypot(w*f.MOE, math.Hypot(sigmaBefore(of, around), tauBefore(c, f, all))*margin.Z*f.Estimate*math.Sqrt(w*(1-w)))}, 1)
				before[c] = sum
			}
			parts = append(parts, partsOf(t, part{county: p.county, setting: setting(of.density()), sums: sums, before: before}, &p, tables,
				medians, "")...)
		}
	}
	return parts
}

// tractParts are the block groups of a county with the tables of their tracts only, by their households.
func tractParts(t *testing.T, list []piece, tables map[string]map[int]margin.Figure, medians map[string]float64) (parts []part) {
	constants := &calibration.Standard().Demographics
	for _, of := range wholesOf(list) {
		all := wholeCells(t, of, tables)
		households, ok := all[cellOf(t, "households.total")]
		if !ok {
			continue
		}
		for _, p := range of.pieces {
			w := p.households.Estimate / households.Estimate
			sums, before := map[int]margin.Sum{}, map[int]margin.Sum{}
			for c, f := range all {
				portion := func(variance float64) (sum margin.Sum) {
					sum.Add(margin.Figure{Estimate: w * f.Estimate, MOE: math.Sqrt(f.MOE*f.MOE*w + margin.Z*margin.Z*variance*w*(1-w))}, 1)
					return sum
				}
				sums[c] = portion(constants.Parts.Variance(c, f.Estimate, countedIn(c, all)))
				before[c] = portion(math.Pow(tauBefore(c, f, all)*f.Estimate, 2))
			}
			parts = append(parts, partsOf(t, part{county: p.county, setting: setting(of.density()), sums: sums, before: before}, &p, tables, medians,
				", by tract")...)
		}
	}
	return parts
}

// partsOf are the variables of a piece whose truth is published.
func partsOf(t *testing.T, like part, p *piece, tables map[string]map[int]margin.Figure, medians map[string]float64,
	how string) (parts []part) {
	add := func(what string, truth float64) {
		one := like
		one.what, one.truth = what+how, truth
		parts = append(parts, one)
	}
	if how == "" && strings.HasPrefix(p.county, "3506") {
		add("people, Ottawa", p.people.Estimate)
	} else if how == "" {
		add("people", p.people.Estimate)
		if !math.IsNaN(p.households.Estimate) {
			add("households", p.households.Estimate)
		}
	}
	const few = 20 // households whose owners and renters are no share
	if all := tables[p.key][cellOf(t, "tenure.total")].Estimate; all >= few {
		if _, complete := like.sums[cellOf(t, "tenure.total")]; complete {
			add("owners", tables[p.key][cellOf(t, "tenure.owner")].Estimate/all)
		}
	}
	if median, known := medians[p.key]; known {
		add("income", median)
	}
	return parts
}

// countedIn is the sum of the parts of the table of a cell.
func countedIn(cell int, all map[int]margin.Figure) (sum float64) {
	for _, c := range demographics.Tables[demographics.Cells[cell].Table].Cells {
		if demographics.Cells[c].Role == demographics.Part {
			sum += all[c].Estimate
		}
	}
	return sum
}

// tauBefore and sigmaBefore are the errors of a part before decision 78.
func tauBefore(cell int, f margin.Figure, all map[int]margin.Figure) float64 {
	if demographics.Cells[cell].Role == demographics.Total || f.Estimate == 0 {
		return 0
	}
	return 0.18 * (1 - f.Estimate/countedIn(cell, all))
}

func sigmaBefore(of *whole, around float64) float64 {
	return min(max(0.3*math.Pow(of.density()/max(around, 2000), -0.9), 0.25), 1)
}

// realParts are all parts of the real data.
func realParts(t *testing.T, data string) (parts []part) {
	tables, medians := partTables(t, data)
	pieces := slices.DeleteFunc(realPieces(t, data), func(p piece) bool { return p.county == "3506 blocks" })
	for first, i := 0, 0; first < len(pieces); first = i {
		for i = first; i < len(pieces) && pieces[i].county == pieces[first].county; i++ {
		}
		parts = append(parts, cutParts(t, pieces[first:i], tables, medians)...)
		parts = append(parts, tractParts(t, pieces[first:i], tables, medians)...)
	}
	return parts
}

// worst are the highest scores of TestIntervals that are accepted, by what and setting.
var worst = map[string]float64{
	"households · city": 1.63, "households · suburb": 2.06, "households · country": 2.68,
	"income · city": 1.15, "income · suburb": 1.40, "income · country": 1.32,
	"income, by tract · city": 1.07, "income, by tract · suburb": 1.01, "income, by tract · country": 1.02,
	"owners · city": 0.785, "owners · suburb": 0.69, "owners, by tract · city": 0.685, "owners, by tract · suburb": 0.555,
	"people · city": 2.06, "people · suburb": 1.96, "people · country": 2.61,
	"people, Ottawa · city": 3.14, "people, Ottawa · suburb": 4.66, "people, Ottawa · country": 4.39,
}

// enoughParts are as many as are needed for a coverage to be judged: of 23 a single one is 4 %.
const enoughParts = 50

// TestIntervals answers block groups from their tracts and dissemination areas from neighbourhoods, and compares the
// intervals with what is published for them: by setting, and by county also with the error that has the least score in
// the other counties. Incomes and owners are also answered from the table of the tract where the households of the block groups
// are known.
//
//	go test ./cmd/quartier -run Intervals -v
func TestIntervals(t *testing.T) {
	t.Parallel()
	parts := realParts(t, testenv.NeedData(t, ""))
	before, after := map[string]*score{}, map[string]*score{}
	add := func(to map[string]*score, key string, p *part, v demography.Value) {
		if to[key] == nil {
			to[key] = &score{}
		}
		to[key].add(p, v)
	}
	for i := range parts {
		p := &parts[i]
		old, now := p.answer(p.before, 1), p.answer(p.sums, 1)
		for _, key := range []string{p.what + " · " + p.setting, p.what + " · " + p.setting + " · " + p.county} {
			add(before, key, p, old)
			add(after, key, p, now)
		}
	}
	lines := []string{"held by the 90 % interval, median half width and mean interval score, both over the value but of shares: before → now"}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		what, _, _ := strings.Cut(key, " · ")
		old, now, share := before[key], after[key], strings.HasPrefix(what, "owners")
		if now.n < leastPieces {
			continue
		}
		line := fmt.Sprintf("%-38s %5.0f  %5.1f → %5.1f %%  %.2f → %.2f  %.3f → %.3f", key, now.n, 100*old.coverage(), 100*now.coverage(),
			old.width(), now.width(), old.mean(share), now.mean(share))
		if strings.Count(key, " · ") == 2 {
			factor, held := fittedWithout(parts, key)
			lines = append(lines, line+fmt.Sprintf("  fitted on the others (factor %.1f) %5.1f %%", factor, 100*held))
			continue
		}
		lines = append(lines, line)
		if now.n >= enoughParts && now.coverage() < wantedHeld {
			t.Errorf("%s: %.1f %% of the intervals hold", key, 100*now.coverage())
		}
		if limit, ok := worst[key]; !ok || now.mean(share) > limit {
			t.Errorf("%s: the score is %.3f, at most %.3f is accepted", key, now.mean(share), limit)
		}
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}

// fittedWithout is the factor of the allocation errors with the least score in the other counties for the same variable and
// setting, and the share of intervals that hold with it in a county; a county that is alone is halved by its parts.
func fittedWithout(parts []part, key string) (factor, held float64) {
	var mine, others []*part
	for i := range parts {
		p := &parts[i]
		switch place := p.what + " · " + p.setting; {
		case place+" · "+p.county == key:
			mine = append(mine, p)
		case strings.HasPrefix(key, place+" · "):
			others = append(others, p)
		}
	}
	if len(others) < leastPieces {
		mine, others = mine[:len(mine)/2], mine[len(mine)/2:]
	}
	of := func(list []*part, factor float64) *score {
		s := &score{}
		for _, p := range list {
			s.add(p, p.answer(p.sums, factor))
		}
		return s
	}
	factors := []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5}
	factor = slices.MinFunc(factors, func(a, b float64) int { return cmp.Compare(of(others, a).sum, of(others, b).sum) })
	return factor, of(mine, factor).coverage()
}
