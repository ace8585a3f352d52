package profile

import (
	"math"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

// areas stages the tables of one area after the other.
type areas struct {
	out     source.Sink
	tables  *census.Tables
	figures []figure // of the area, by index of lines
	seen    map[string]bool
}

func newAreas(out source.Sink) *areas {
	return &areas{out: out, tables: census.New("CA"), figures: make([]figure, len(lines)), seen: map[string]bool{}}
}

// begin starts an area; false where the area was read before.
func (a *areas) begin(key, where string) bool {
	if a.seen[key] {
		a.out.Issue(source.DuplicateKey, where)
		return false
	}
	a.seen[key] = true
	a.tables.Reset(key, where)
	for i := range a.figures {
		a.figures[i] = figure{missing: unread}
	}
	return true
}

// take sets the figure of a line. Where the file has a line twice, for 100 % data and for the sample, the first is kept.
func (a *areas) take(line int, f figure) {
	if a.figures[line].missing == unread {
		a.figures[line] = f
	}
}

// finish stages the tables of the area.
func (a *areas) finish() error {
	for cell := range linesOf {
		switch g := a.missing(cell); {
		case cell == children && g != reason.Reason{}:
			a.multiply(children, families, averageChildren, g)
		case g == reason.Reason{}:
			for _, place := range linesOf[cell] {
				a.tables.Add(cell, a.figures[place].Figure)
			}
		case g != unread:
			a.tables.Miss(cell, g, "")
		}
	}
	a.multiply(householdDollars, incomeHouseholds, averageHouseholdIncome, unread)
	a.multiply(individualDollars, recipients, averageIndividualIncome, unread)
	if a.missing(households) == unread { // the long form has no occupied dwellings
		if f, ok := a.tables.Figure(sizes); ok {
			a.tables.Add(households, f)
		}
	}
	return a.tables.Stage(a.out)
}

// missing returns why a cell has no value: unread where the file has none of its lines, the zero Reason where it has all.
func (a *areas) missing(cell int) reason.Reason {
	unreadLines := 0
	for _, place := range linesOf[cell] {
		switch g := a.figures[place].missing; g {
		case reason.Reason{}:
		case unread:
			unreadLines++
		default:
			return g
		}
	}
	switch unreadLines {
	case 0:
		return reason.Reason{}
	case len(linesOf[cell]):
		return unread
	}
	return census.MissingLine
}

// multiply computes a cell as the product of a count and a mean, with the margin of error of a product (ACS handbook,
// chapter 8). Where one of them is missing, the cell is missing for the reason own or, where that is unread, for theirs.
//
//	100 households ± 10 with a mean of 80,000 ± 5,000 dollars: 8,000,000 ± √((100·5,000)² + (80,000·10)²)
func (a *areas) multiply(cell, count, mean int, own reason.Reason) {
	for _, of := range []int{count, mean} {
		if g := a.missing(of); own == unread && g != (reason.Reason{}) {
			own = g
		}
	}
	n, counted := a.tables.Figure(count)
	y := a.figures[linesOf[mean][0]]
	switch {
	case counted && y.missing == reason.Reason{}:
		a.tables.Add(cell, margin.Figure{Estimate: n.Estimate * y.Estimate, MOE: math.Hypot(n.Estimate*y.MOE, y.Estimate*n.MOE)})
	case own != unread:
		a.tables.Miss(cell, own, "")
	}
}

// Cells that are computed from others.
var (
	households = cellOf("households.total")
	sizes      = cellOf("household_size.total")

	children        = cellOf("children.children")
	families        = cellOf("children.families")
	averageChildren = cellOf("average_children.value")

	householdDollars       = cellOf("household_income_sum.dollars")
	incomeHouseholds       = cellOf("household_income_sum.households")
	averageHouseholdIncome = cellOf("average_household_income.value")

	individualDollars       = cellOf("individual_income_sum.dollars")
	recipients              = cellOf("individual_income_sum.recipients")
	averageIndividualIncome = cellOf("average_individual_income.value")
)

// cellOf returns the index of a cell, which must exist.
func cellOf(id string) int {
	place, known := demographics.CellOf(id)
	if !known {
		panic("no such cell: " + id)
	}
	return place
}
