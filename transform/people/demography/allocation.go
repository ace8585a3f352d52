package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
	"quartier/transform/issue"
)

// member is a block group of a tract.
type member struct {
	key  string
	area *smallArea // nil where the region has no outline of it
	*figures
}

// handDown gives the block groups of a tract the tables that only the tract has: what is left of the tract's figures
// after those of the block groups that have the table, shared out by the table's universe. Scalars hold for the tract
// alone and are never handed down; nor is a table that an inhabited block group outside of the region lacks as well,
// whose share nobody knows.
func (d *deriver) handDown(tract *figures, members []member) {
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		if tract.survey[t] < 0 || demographics.Cells[table.Cells[0]].Role == demographics.Scalar {
			continue
		}
		var having, lacking []member
		outside := false
		for _, m := range members {
			switch {
			case m.survey[t] >= 0:
				having = append(having, m)
			case m.area != nil:
				lacking = append(lacking, m)
			default:
				outside = outside || m.inhabited()
			}
		}
		switch {
		case len(lacking) == 0:
		case outside:
			d.issues.Add(issue.Uncoded("table "+table.ID+" of a tract that reaches beyond the region"), lacking[0].key)
		default:
			share(tract, t, having, lacking)
			d.handed[t] += len(lacking)
		}
	}
}

// inhabited reports whether people may live in an area of which only the tables are known.
func (m member) inhabited() bool {
	return !m.has[populationTotal] || m.cells[populationTotal].Estimate > 0
}

// share hands a table down.
func share(tract *figures, t int, having, lacking []member) {
	table := &demographics.Tables[t]
	shares := sharesOf(lacking, int(table.US)-1)
	for _, c := range table.Cells {
		if !tract.has[c] {
			continue
		}
		var told margin.Sum
		for _, m := range having {
			if m.has[c] {
				told.Add(m.cells[c], 1, 0)
			}
		}
		rest := residual(tract.cells[c], told.Figure())
		for i, m := range lacking {
			m.cells[c], m.has[c] = portion(rest, shares[i]), true
		}
	}
	for _, m := range lacking {
		m.survey[t] = tract.survey[t]
	}
}

// residual is what is left of a whole besides a part of it.
//
// The samples of different areas are independent, so that variances of areas add up to the variance of the whole: that
// of the rest is the difference of both, and all together have the margin of the whole again. (The handbook's sum of
// squares is for differences of independent figures; a whole and its part are not.) Published margins are controlled and
// rounded, and the difference may come out at nothing or below: a rest has at least the share of the whole's variance
// that it has of its estimate. Where nothing is left the whole's margin says how little that is known.
// A part without a margin takes nothing off.
func residual(whole, part margin.Figure) margin.Figure {
	rest := whole.Estimate - part.Estimate
	if !(rest > 0) {
		return margin.Figure{Estimate: 0, MOE: whole.MOE}
	}
	square := whole.MOE * whole.MOE
	least := square * rest / whole.Estimate
	if part.Known() {
		square -= part.MOE * part.MOE
	}
	return margin.Figure{Estimate: rest, MOE: math.Sqrt(max(square, least))}
}

// portion is a share of a figure, 0 to 1. Its margin goes with the root of the share, so that all portions together have
// the figure's margin again. Portions of zero have it whole, since of many zeros one margin counts.
func portion(f margin.Figure, share float64) margin.Figure {
	if f.Estimate == 0 && share > 0 {
		return f
	}
	return margin.Figure{Estimate: f.Estimate * share, MOE: f.MOE * math.Sqrt(share)}
}

// sharesOf divides one among areas by a universe, 0 the first; by their square metres where one of them is not counted or
// nobody is in them.
func sharesOf(list []member, universe int) []float64 {
	sizes, total := make([]float64, len(list)), 0.0
	for i, m := range list {
		sizes[i] = m.size(universe)
		total += sizes[i]
	}
	if !(total > 0) {
		total = 0
		for i, m := range list {
			sizes[i] = m.area.m2
			total += sizes[i]
		}
	}
	for i := range sizes {
		sizes[i] /= total
	}
	return sizes
}

// size is what an area counts of a universe: by its blocks, else by its own tables; NaN where neither is told.
func (m member) size(universe int) float64 {
	if n := m.area.size[universe]; !math.IsNaN(n) {
		return n
	}
	for _, c := range totals[universe] {
		if m.has[c] {
			return m.cells[c].Estimate
		}
	}
	return math.NaN()
}

// Totals that say how large an area is, by universe.
var (
	populationTotal = cell("population.total")
	householdsTotal = cell("households.total")
	totals          = [demographics.Universes][]int{
		people:     {populationTotal, cell("age.total")},
		households: {householdsTotal, cell("tenure.total")},
		dwellings:  {cell("housing_type.total"), householdsTotal},
	}
)

func cell(id string) int {
	c, ok := demographics.CellOf(id)
	if !ok {
		panic("no cell " + id)
	}
	return c
}
