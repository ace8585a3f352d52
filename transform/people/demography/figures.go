package demography

import (
	"slices"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// figures are those of an area, with each table from one survey.
type figures struct {
	cells  [demographics.CellCount]margin.Figure
	has    [demographics.CellCount]bool
	survey []int // by table: index in deriver.surveys; −1 if there is none

	allocated tableSet // from the tract
}

func newFigures() *figures {
	return &figures{survey: slices.Repeat([]int{-1}, len(demographics.Tables))}
}

// chooseSurveys takes every table from the newest survey that has it completely, so that no table mixes two surveys, and
// counts the tables that are not used.
func (d *deriver) chooseSurveys(area areaSheets, country string) *figures {
	f := newFigures()
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		for _, s := range area.sheets {
			source := d.surveys[s.survey].source
			switch some, complete := s.completeness(table, country); {
			case !some:
			case !complete:
				d.issues.Add(incompleteTable.With(table.ID), area.key+" of "+source)
			case f.survey[t] >= 0:
				d.issues.Add(supersededTable.With(source), area.key+" "+table.ID)
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
				d.issues.Add(cellNotInCountry.With(demographics.Cells[c].ID), area.key+" of "+d.surveys[s.survey].source)
			}
		}
	}
	return f
}

// completeness reports whether a sheet has some cells of a table of the country, and whether it has all required ones.
func (s *sheet) completeness(table *demographics.Table, country string) (some, complete bool) {
	complete = true
	for _, c := range table.Cells {
		cell := &demographics.Cells[c]
		switch {
		case !cell.Has(country):
		case s.has[c]:
			some = true
		case cell.Role != demographics.Optional && cell.Role != demographics.OutsideParts:
			complete = false
		}
	}
	return some, complete
}

// any reports whether there is a table of any survey.
func (f *figures) any() bool {
	return slices.ContainsFunc(f.survey, func(survey int) bool { return survey >= 0 })
}

// each visits the cells in their order; moe is nil if the margin is unknown.
func (f *figures) each(visit func(cell *demographics.Cell, estimate float64, moe *float64) error) error {
	for c, has := range f.has {
		if !has {
			continue
		}
		var moe *float64
		if f.cells[c].Known() {
			moe = &f.cells[c].MOE
		}
		if err := visit(&demographics.Cells[c], f.cells[c].Estimate, moe); err != nil {
			return err
		}
	}
	return nil
}
