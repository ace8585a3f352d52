package smallareas

import (
	"math"
	"math/bits"

	"quartier/internal/areal"
	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Estimate adds up the shares of the areas of a scope in a shape. It allocates nothing.
func (t *Table) Estimate(shape *areal.Shape, scope Scope, out *Estimates) {
	*out = Estimates{table: t, runs: fewRuns[scope.Country], window: out.window}
	t.find(shape, scope, out, &out.window)
	out.table = nil
}

func (e *Estimates) node(l *level, n int) bool {
	estimates := l.estimates[cells*n:][:cells]
	for _, r := range e.runs {
		into := e.Cells[r.first:r.last]
		for i, estimate := range estimates[r.first:r.last] {
			into[i] += estimate
		}
	}
	e.addNode(l, n)
	return true
}

func (e *Estimates) area(area int, w, _ weights) {
	estimates := e.table.estimates[cells*area:][:cells]
	for _, r := range e.runs {
		weight, into := w[r.universe], e.Cells[r.first:r.last]
		for i, estimate := range estimates[r.first:r.last] {
			into[i] += weight * float64(estimate)
		}
	}
	e.addArea(e.table, area, w)
}

// Total adds up the shares of the areas of a scope in a shape, with margins of error that include the allocation error:
// Sigma of the area, and what its parts consist of. The weights give the position of all households, so that the latter is
// no error of a cell that counts all of them; the position of the tenth of them in one cell is not known.
func (t *Table) Total(shape *areal.Shape, scope Scope, parts *calibration.Parts, out *Totals) {
	*out = Totals{table: t, runs: allRuns[scope.Country], parts: parts, window: out.window}
	t.find(shape, scope, out, &out.window)
	out.table = nil
}

func (s *Totals) node(l *level, n int) bool {
	for _, r := range s.runs {
		for cell := r.first; cell < r.last; cell++ {
			at := cells*n + cell
			unknown := l.unknown[cellWords*n+cell/64]&(1<<(cell%64)) != 0
			s.Cells[cell].Merge(margin.Sum{Estimate: l.estimates[at], Squares: l.squares[at], Zero: l.zeros[at], Unknown: unknown})
		}
	}
	s.addNode(l, n)
	return true
}

func (s *Totals) area(area int, w, cut weights) {
	s.addArea(s.table, area, w)
	if w == whole {
		s.take(area)
		return
	}
	var counted [demographics.CoverageUnitCount]float64 // sums of the parts of each table
	for _, r := range s.runs {
		for cell := r.first; cell < r.last; cell++ {
			if role := demographics.Cells[cell].Role; role == demographics.Part || role == demographics.Optional {
				counted[demographics.Cells[cell].Table] += float64(s.table.estimates[cells*area+cell])
			}
		}
	}
	within, between := float64(s.table.within[area]), float64(s.table.between[area])
	var placed [universes]margin.Sides
	for u, weight := range w {
		placed[u] = margin.Placed(weight, math.Sqrt(within*within*cut[u]+between*between*weight*(1-weight)), s.parts.Small, s.parts.Empty)
	}
	for _, r := range s.runs {
		weight := w[r.universe]
		likely := weight - placed[r.universe].Below/3 // of a part with fewer people than its share more depends on who they are
		spread := margin.Z * margin.Z * weight * weight * (1 - likely) / likely
		for cell := r.first; cell < r.last; cell++ {
			if f, ok := s.table.figure(cells*area + cell); ok {
				mixed := spread * s.parts.Variance(cell, f.Estimate, counted[demographics.Cells[cell].Table])
				s.Cells[cell].AddPart(f, weight, mixed, placed[r.universe])
			}
		}
	}
}

// take adds an area that is entirely in the shape, without allocation error.
func (s *Totals) take(area int) {
	for _, r := range s.runs {
		for cell := r.first; cell < r.last; cell++ {
			if f, ok := s.table.figure(cells*area + cell); ok {
				s.Cells[cell].Add(f, 1)
			}
		}
	}
}

func (c *Coverage) addNode(l *level, n int) {
	c.Persons += l.persons[n]
	for unit, persons := range l.known[demographics.CoverageUnitCount*n:][:demographics.CoverageUnitCount] {
		c.Known[unit] += persons
	}
}

func (c *Coverage) addArea(t *Table, area int, w weights) {
	persons := w[0] * t.persons[area]
	c.Persons += persons
	for units := t.units[area] & (1<<demographics.CoverageUnitCount - 1); units != 0; units &= units - 1 {
		c.Known[bits.TrailingZeros64(units)] += persons
	}
}

// Each visits the areas of a scope that are in a shape, entirely or in part, in their order, with their weights by
// universe − 1, not all of which are 0. It stops at the first error.
func (t *Table) Each(shape *areal.Shape, scope Scope, visit func(area int, weight [demographics.Universes]float64) error) error {
	v := eachVisitor{visit: visit}
	t.find(shape, scope, &v, new(areal.Window))
	return v.err
}

type eachVisitor struct {
	visit func(area int, weight weights) error
	err   error
}

func (v *eachVisitor) node(*level, int) bool { return v.err != nil } // after an error, skip the areas below

func (v *eachVisitor) area(area int, w, _ weights) {
	if v.err == nil {
		v.err = v.visit(area, w)
	}
}
