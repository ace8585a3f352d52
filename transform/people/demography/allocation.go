package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// member is a block group of a tract, or a dissemination area.
type member struct {
	key  string
	area *smallArea // nil if the region has no outline of it
	*figures
}

// allocateResidual gives the block groups of a tract the tables that only the tract has: the tract's figures minus those
// of the block groups that have the table, apportioned by the table's universe. Scalars are not allocated, because they
// are true of the tract only; neither is a table that is missing for an inhabited block group outside the region too,
// whose share is unknown.
//
// For example, a tract has 200 ± 20 households in a table, and block group 1 has 75 ± 7.5. The other two share the rest of
// 125 ± 18.54 by their households in the census: with 64 and 0 households, block group 2 gets all of it. Where only people
// are known, households and dwellings go by people, and by ground where nothing is.
func (d *deriver) allocateResidual(tract *figures, members []member) {
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		if tract.survey[t] < 0 || demographics.Cells[table.Cells[0]].Role == demographics.Scalar {
			continue
		}
		var with, without []member
		outside := false
		for _, m := range members {
			switch {
			case m.survey[t] >= 0:
				with = append(with, m)
			case m.area != nil:
				without = append(without, m)
			default:
				outside = outside || m.inhabited()
			}
		}
		switch {
		case len(without) == 0:
		case outside:
			d.issues.Add(tractBeyond.With(table.ID), without[0].key)
		default:
			d.allocate(tract, t, with, without)
			d.allocated[t] += len(without)
		}
	}
}

// inhabited reports whether an area of which only tables are known may have people.
func (m member) inhabited() bool {
	return !m.has[populationTotal] || m.cells[populationTotal].Estimate > 0
}

// allocate apportions the residual of a table.
func (d *deriver) allocate(tract *figures, t int, with, without []member) {
	table := &demographics.Tables[t]
	shares, sigma := d.sharesOf(without, int(table.US)-1)
	counted := partsOf(tract, t)
	for _, c := range table.Cells {
		if !tract.has[c] {
			continue
		}
		var published margin.Sum
		for _, m := range with {
			if m.has[c] {
				published.Add(m.cells[c], 1)
			}
		}
		rest := residual(tract.cells[c], published.Figure())
		variance := sigma * sigma
		if rest.Estimate > 0 { // of the tract's table, because its rest may lack a kind by chance
			all := tract.cells[c].Estimate
			variance += d.c.Parts.Variance(c, all, counted) / (all * all)
		}
		for i, m := range without {
			m.cells[c], m.has[c] = portion(rest, shares[i], variance), true
		}
	}
	for _, m := range without {
		m.survey[t], m.allocated = tract.survey[t], m.allocated|1<<t
	}
}

// residual is a total minus a part of it.
//
// The samples of different areas are independent, so that their variances add up to that of the total: the variance of
// the rest is the difference of both, and the parts together have the margin of the total again. (The sum of squares in
// the ACS handbook is for differences of independent figures; a total and its part are not.) Published margins are
// controlled and rounded, so that the difference may be zero or negative: the rest has at least the share of the total's
// variance that it has of its estimate. If nothing is left, the total's margin is that of the 0. A part without a margin
// does not reduce the margin.
func residual(total, part margin.Figure) margin.Figure {
	rest := total.Estimate - part.Estimate
	if !(rest > 0) {
		return margin.Figure{Estimate: 0, MOE: total.MOE}
	}
	square := total.MOE * total.MOE
	minimum := square * rest / total.Estimate
	if part.Known() {
		square -= part.MOE * part.MOE
	}
	return margin.Figure{Estimate: rest, MOE: math.Sqrt(max(square, minimum))}
}

// portion is a share of a figure, 0 to 1. Its margin has two parts. That of the figure is proportional to the root of the
// share, so that all portions together have it again. That of the share is the allocation error √(variance · share · (1 −
// share)). Portions of zero have the entire margin, because only the largest margin of several zeros counts in a sum.
//
// A quarter of 200 ± 20 households by people, with a variance of 0.1², is 50 ± √(10² + (1.645 · 200 · 0.1 · √(1/4 · 3/4))²) = 50 ±
// 17.4.
func portion(f margin.Figure, share, variance float64) margin.Figure {
	if f.Estimate == 0 && share > 0 {
		return f
	}
	own, all := f.MOE*f.MOE*share, margin.Z*f.Estimate
	return margin.Figure{Estimate: f.Estimate * share, MOE: math.Sqrt(own + all*all*variance*share*(1-share))}
}

// sharesOf are the shares of areas in their sum by a universe, 0 the first, and the allocation error of a share: by the
// first basis that is known of all areas and not 0 everywhere. These are counts of the universe, by blocks or tables,
// people, and the ground.
func (d *deriver) sharesOf(list []member, universe int) (shares []float64, sigma float64) {
	for _, basis := range []struct {
		universe int
		sigma    float64
	}{{universe, 0}, {people, d.c.ByPeople}} {
		if shares := proportions(list, func(m member) float64 { return m.size(basis.universe) }); shares != nil {
			return shares, basis.sigma
		}
	}
	return proportions(list, func(m member) float64 { return m.area.m2 }), d.c.Ground.Most
}

// proportions are the shares of areas in the sum of their sizes; nil if one has none or all are 0.
func proportions(list []member, size func(member) float64) []float64 {
	sizes, total := make([]float64, len(list)), 0.0
	for i, m := range list {
		sizes[i] = size(m)
		total += sizes[i]
	}
	if !(total > 0) {
		return nil
	}
	for i := range sizes {
		sizes[i] /= total
	}
	return sizes
}

// size is the count of a universe in an area, by its blocks, else by its own tables; NaN if unknown.
func (m member) size(universe int) float64 {
	if n := m.area.size[universe]; !math.IsNaN(n) {
		return n
	}
	for _, c := range totals[universe] {
		if m.has[c] && !m.allocated.has(demographics.Cells[c].Table) {
			return m.cells[c].Estimate
		}
	}
	return math.NaN()
}

// partsOf is the sum of the parts of a table.
func partsOf(f *figures, t int) (sum float64) {
	for _, c := range demographics.Tables[t].Cells {
		if role := demographics.Cells[c].Role; f.has[c] && (role == demographics.Part || role == demographics.Optional) {
			sum += f.cells[c].Estimate
		}
	}
	return sum
}

// Cells with the count of an area, by universe.
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
