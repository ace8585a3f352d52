package profile

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// area gathers what a profile says about one area.
type area struct {
	key, where string
	figures    []figure // by place in lines
}

// reset begins with another area.
func (a *area) reset(key, where string) {
	a.key, a.where = key, where
	if a.figures == nil {
		a.figures = make([]figure, len(lines))
	}
	for i := range a.figures {
		a.figures[i] = figure{gap: unread}
	}
}

// take keeps the figure of a line. Where the file has a line twice, of all people and of a sample, the first one stands.
func (a *area) take(line int, f figure) {
	if a.figures[line].gap == unread {
		a.figures[line] = f
	}
}

// cells are the area's figures by place in demographics.Cells.
func (a *area) cells(cells *[demographics.CellCount]figure) {
	for c := range cells {
		cells[c] = a.sum(linesOf[c])
	}
	product(cells, "household_income_sum.dollars", "household_income_sum.households", "average_household_income.value")
	product(cells, "individual_income_sum.dollars", "individual_income_sum.recipients", "average_individual_income.value")
	if children := at(cells, "children.children"); children.gap != (gap{}) {
		product(cells, "children.children", "children.families", "average_children.value")
	}
	// The long form counts households where the census tells of dwellings that somebody lives in.
	if households := at(cells, "households.total"); households.gap == unread {
		*households = *at(cells, "household_size.total")
	}
}

// sum adds the lines of a cell up.
func (a *area) sum(places []int) figure {
	missing := 0
	var sum margin.Sum
	for _, place := range places {
		f := a.figures[place]
		switch f.gap {
		case gap{}:
			sum.Add(f.Figure, 1, 0)
		case unread:
			missing++
		default:
			return f
		}
	}
	switch {
	case missing == len(places):
		return figure{gap: unread}
	case missing > 0:
		return figure{gap: partial}
	case len(places) == 1: // no need to take its error apart
		return a.figures[places[0]]
	}
	return figure{Figure: sum.Figure()}
}

// product makes a cell of a count and a mean, with the error of both (U.S. Census Bureau, ACS handbook, chapter 8).
func product(cells *[demographics.CellCount]figure, id, countID, meanID string) {
	count, mean := at(cells, countID), at(cells, meanID)
	f := told(count.Estimate * mean.Estimate)
	switch {
	case count.gap != (gap{}):
		f.gap = count.gap
	case mean.gap != (gap{}):
		f.gap = mean.gap
	default:
		f.MOE = math.Hypot(count.Estimate*mean.MOE, mean.Estimate*count.MOE)
	}
	*at(cells, id) = f
}

// at is a cell by its id, which must be one.
func at(cells *[demographics.CellCount]figure, id string) *figure {
	place, known := demographics.CellOf(id)
	if !known {
		panic("no such cell: " + id)
	}
	return &cells[place]
}
