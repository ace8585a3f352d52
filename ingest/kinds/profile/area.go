package profile

import (
	"math"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

// areas turns what a profile says about areas, one after the other, into staged tables.
type areas struct {
	out     source.Sink
	row     *census.Tables
	figures []figure // of the area, by place in lines
	seen    map[string]bool
}

func newAreas(out source.Sink) *areas {
	return &areas{out: out, row: census.New("CA"), figures: make([]figure, len(lines)), seen: map[string]bool{}}
}

// begin gets ready for an area; false where it was there before, and is not to be read again.
func (a *areas) begin(key, where string) bool {
	if a.seen[key] {
		a.out.Issue(source.DuplicateKey, where)
		return false
	}
	a.seen[key] = true
	a.row.Reset(key, where)
	for i := range a.figures {
		a.figures[i] = figure{gap: unread}
	}
	return true
}

// take keeps the figure of a line. Where the file has a line twice, of all people and of a sample, the first one stands.
func (a *areas) take(line int, f figure) {
	if a.figures[line].gap == unread {
		a.figures[line] = f
	}
}

// finish stages the tables of the area.
func (a *areas) finish() error {
	for cell := range linesOf {
		switch g := a.gap(cell); {
		case cell == children && g != reason.Reason{}:
			a.multiply(children, families, averageChildren, g)
		case g == reason.Reason{}:
			for _, place := range linesOf[cell] {
				a.row.Add(cell, a.figures[place].Figure)
			}
		case g != unread:
			a.row.Miss(cell, g)
		}
	}
	a.multiply(householdDollars, incomeHouseholds, averageHouseholdIncome, unread)
	a.multiply(individualDollars, recipients, averageIndividualIncome, unread)
	if a.gap(households) == unread { // the long form has no dwellings that somebody lives in
		if f, ok := a.row.Figure(sizes); ok {
			a.row.Add(households, f)
		}
	}
	return a.row.Stage(a.out)
}

// gap is why a cell is not told: unread where none of its lines was in the file, the zero Gap where all were.
func (a *areas) gap(cell int) reason.Reason {
	missing := 0
	for _, place := range linesOf[cell] {
		switch g := a.figures[place].gap; g {
		case reason.Reason{}:
		case unread:
			missing++
		default:
			return g
		}
	}
	switch missing {
	case 0:
		return reason.Reason{}
	case len(linesOf[cell]):
		return unread
	}
	return census.MissingLine
}

// multiply makes a cell of a count and a mean, with the margin of a product (ACS handbook, chapter 8). Where one of them
// is not told, own is why the cell is not either, or else the gap of the two.
func (a *areas) multiply(cell, count, mean int, own reason.Reason) {
	for _, of := range []int{count, mean} {
		if g := a.gap(of); own == unread && g != (reason.Reason{}) {
			own = g
		}
	}
	n, counted := a.row.Figure(count)
	y := a.figures[linesOf[mean][0]]
	switch {
	case counted && y.gap == reason.Reason{}:
		a.row.Add(cell, margin.Figure{Estimate: n.Estimate * y.Estimate, MOE: math.Hypot(n.Estimate*y.MOE, y.Estimate*n.MOE)})
	case own != unread:
		a.row.Miss(cell, own)
	}
}

// Cells that are made of others.
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

// cellOf is the place of a cell that there is.
func cellOf(id string) int {
	place, known := demographics.CellOf(id)
	if !known {
		panic("no such cell: " + id)
	}
	return place
}
