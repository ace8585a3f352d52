package demography

import (
	"database/sql/driver"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
	"quartier/transform/issue"
)

// figures are what is told of an area, each table by one survey.
type figures struct {
	cells  [demographics.CellCount]margin.Figure
	has    [demographics.CellCount]bool
	survey []int // by table: place in deriver.surveys, −1 where there is none
}

func newFigures() *figures {
	f := &figures{survey: make([]int, len(demographics.Tables))}
	for t := range f.survey {
		f.survey[t] = -1
	}
	return f
}

// take takes every table from the newest survey that tells it wholly, so that no table is of two surveys, and counts
// what it leaves.
func (d *deriver) take(area areaSheets, country string) *figures {
	f := newFigures()
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		for _, s := range area.sheets {
			source := d.surveys[s.survey].source
			switch told, whole := s.tells(table, country); {
			case !told:
			case !whole:
				d.issues.Add(issue.Uncoded("table "+table.ID+" lacks a cell"), area.key+" of "+source)
			case f.survey[t] >= 0:
				teller := "a newer survey"
				if d.surveys[f.survey[t]].year() == d.surveys[s.survey].year() {
					teller = "another source"
				}
				d.issues.Add(issue.Uncoded("table of source "+source+" that "+teller+" tells"), area.key+" "+table.ID)
			default:
				f.survey[t] = s.survey
				for _, c := range table.Cells {
					if s.has[c] && demographics.Cells[c].Has(country) {
						f.cells[c], f.has[c] = s.cells[c], true
					}
				}
			}
		}
	}
	for _, s := range area.sheets {
		for c, has := range s.has {
			if has && !demographics.Cells[c].Has(country) {
				d.issues.Add(issue.Uncoded("cell "+demographics.Cells[c].ID+" is none of "+country), area.key+" of "+d.surveys[s.survey].source)
			}
		}
	}
	return f
}

// tells reports whether a sheet has anything of a table of the country, and whether it has all of it that must be there.
func (s *sheet) tells(table *demographics.Table, country string) (told, whole bool) {
	whole = true
	for _, c := range table.Cells {
		cell := &demographics.Cells[c]
		switch {
		case !cell.Has(country):
		case s.has[c]:
			told = true
		case cell.Role != demographics.Optional && cell.Role != demographics.Apart:
			whole = false
		}
	}
	return told, whole
}

// any reports whether a survey tells anything.
func (f *figures) any() bool {
	for _, survey := range f.survey {
		if survey >= 0 {
			return true
		}
	}
	return false
}

// each visits the cells that are told, in their order; a margin that is not known is nil.
func (f *figures) each(visit func(cell *demographics.Cell, estimate float64, moe driver.Value) error) error {
	for c, has := range f.has {
		if !has {
			continue
		}
		var moe driver.Value
		if f.cells[c].Known() {
			moe = f.cells[c].MOE
		}
		if err := visit(&demographics.Cells[c], f.cells[c].Estimate, moe); err != nil {
			return err
		}
	}
	return nil
}
