package demography

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/sqlrow"
	"quartier/schemas/demographics"
)

// tableSet has bit t for demographics.Tables[t].
type tableSet uint64

func (s tableSet) has(t int) bool { return s&(1<<t) != 0 }

// surveyTables are the tables that a survey has for a small area.
type surveyTables struct {
	some     tableSet // with at least one row
	complete tableSet // complete, or allocated from the tract
}

// tablesOf are the tables of a sheet for an area of a country.
func tablesOf(s *sheet, country string) (tables surveyTables) {
	for t := range demographics.Tables {
		some, complete := s.completeness(&demographics.Tables[t], country)
		if some {
			tables.some |= 1 << t
		}
		if some && complete {
			tables.complete |= 1 << t
		}
	}
	return tables
}

// tablesBySource are the tables that each source has for any area.
func (d *deriver) tablesBySource(ctx context.Context) (map[string]tableSet, error) {
	type row struct {
		Source string `col:"source_id"`
		Table  string `col:"table_id"`
	}
	tables := map[string]tableSet{}
	for row, err := range sqlrow.Select[row](ctx, d.staged, "SELECT DISTINCT source_id, split_part(cell, '.', 1) AS table_id FROM statistic") {
		if err != nil {
			return nil, fmt.Errorf("read the tables of surveys: %w", err)
		}
		if t, known := demographics.TableOf(row.Table); known {
			tables[row.Source] |= 1 << t
		}
	}
	return tables, nil
}

// checkTables fails if a survey has a table for small areas, but for no inhabited one of the region, and notes the tables
// that are missing for too many people: one file may be of another vintage than the others, or truncated. Scalars are not
// checked: they are not published for many small areas.
func (d *deriver) checkTables(survey int, states []stateTable, tables tableSet) error {
	areas, source := d.inhabited(states), d.surveys[survey].source
	var partial []string
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		applicable := areas.with(table)
		if len(applicable.list) == 0 || !tables.has(t) || demographics.Cells[table.Cells[0]].Role == demographics.Scalar {
			continue
		}
		share, missing := applicable.missing(func(a *smallArea) bool { return a.tables[survey].complete.has(t) })
		if share <= d.c.MaxUnmatched {
			continue
		}
		some := slices.ContainsFunc(applicable.list,
			func(a *smallArea) bool { return (a.tables[survey].some | a.tables[survey].complete).has(t) })
		if !some {
			if here := applicable.states(states, table); len(here) > 0 {
				return fmt.Errorf("%w: source %s has %s for none of the %s of its states, such as those of %s: %s", ErrMismatch, source, table.ID,
					areas.unit, missing[0], applicable.likelyCause(here))
			}
		}
		partial = append(partial, fmt.Sprintf("%s for %.3g %%", table.ID, 100*(1-share)))
		d.count(noTable.With(source+" "+table.ID), int64(len(missing)), missing[0])
	}
	if len(partial) > 0 {
		d.result.Notes["tables of source "+source] = fmt.Sprintf("source %s has %s of the %s of its areas", source, strings.Join(partial, ", "),
			areas.unit)
	}
	return nil
}

// with returns the areas whose country has a table.
func (areas inhabitedAreas) with(table *demographics.Table) inhabitedAreas {
	some := inhabitedAreas{unit: areas.unit}
	for _, a := range areas.list {
		if table.In(a.country) != demographics.NoUniverse {
			some.list = append(some.list, a)
		}
	}
	return some
}

// states returns those of a table in the states of the areas.
func (areas inhabitedAreas) states(all []stateTable, table *demographics.Table) (list []stateTable) {
	for _, s := range all {
		if s.Table == table.ID && slices.ContainsFunc(areas.list, func(a *smallArea) bool { return strings.HasPrefix(a.key, s.State) }) {
			list = append(list, s)
		}
	}
	return list
}
