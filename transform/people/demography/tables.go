package demography

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/schemas/demographics"
	"quartier/transform/issue"
)

// tableSet has bit t for demographics.Tables[t].
type tableSet uint64

func (s tableSet) has(t int) bool { return s&(1<<t) != 0 }

// telling is what a survey tells of a small area.
type telling struct {
	any   tableSet // tables with a row of it
	whole tableSet // tables that are told wholly, of it or handed down to it
}

// tellingOf is what a sheet tells of an area of a country.
func tellingOf(s *sheet, country string) (is telling) {
	for t := range demographics.Tables {
		told, whole := s.tells(&demographics.Tables[t], country)
		if told {
			is.any |= 1 << t
		}
		if told && whole {
			is.whole |= 1 << t
		}
	}
	return is
}

// tablesOf are the tables that each source tells of any area at all.
func (d *deriver) tablesOf(ctx context.Context) (map[string]tableSet, error) {
	rows, err := d.staged.QueryContext(ctx, "SELECT DISTINCT source_id, split_part(cell, '.', 1) FROM statistic")
	if err != nil {
		return nil, fmt.Errorf("read the tables of surveys: %w", err)
	}
	defer rows.Close()
	tables := map[string]tableSet{}
	for rows.Next() {
		var source, table string
		if err := rows.Scan(&source, &table); err != nil {
			return nil, fmt.Errorf("read the tables of surveys: %w", err)
		}
		if t, known := demographics.TableOf(table); known {
			tables[source] |= 1 << t
		}
	}
	return tables, rows.Err()
}

// tablesJoined fails where a survey tells a table of small areas and none of these is an inhabited one of the region, and
// notes the tables that too few people are told by. A file of one table may be of another vintage than those beside it,
// or cut. Scalars are not looked at: they hold for an area alone, and many small areas have none.
func (d *deriver) tablesJoined(survey int, covers []cover, tables tableSet) error {
	areas, source := d.inhabited(covers), d.surveys[survey].source
	var few []string
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		among := areas.among(table)
		if len(among.list) == 0 || !tables.has(t) || demographics.Cells[table.Cells[0]].Role == demographics.Scalar {
			continue
		}
		left, missing := among.without(func(a *smallArea) bool { return a.tellings[survey].whole.has(t) })
		if left <= d.c.MaxUnmatched {
			continue
		}
		told := slices.ContainsFunc(among.list, func(a *smallArea) bool { return (a.tellings[survey].any | a.tellings[survey].whole).has(t) })
		if !told {
			if here := among.covers(covers, table); len(here) > 0 {
				return fmt.Errorf("%w: source %s tells %s of none of the %s of its states, such as those of %s: %s", ErrMismatch, source, table.ID, areas.whom, missing[0], among.suspicion(here))
			}
		}
		few = append(few, fmt.Sprintf("%s of %.3g %%", table.ID, 100*(1-left)))
		d.counted = append(d.counted, issue.Issue{Step: step, Reason: issue.Uncoded("inhabited small area of which source " + source + " does not tell " + table.ID), Rows: int64(len(missing)), Example: missing[0]})
	}
	if len(few) > 0 {
		d.result.Notes["tables of source "+source] = fmt.Sprintf("source %s tells %s of the %s of its areas", source, strings.Join(few, ", "), areas.whom)
	}
	return nil
}

// among are the areas whose country has a table.
func (areas inhabitedAreas) among(table *demographics.Table) inhabitedAreas {
	among := inhabitedAreas{whom: areas.whom}
	for _, a := range areas.list {
		if table.In(a.country) != demographics.Nobody {
			among.list = append(among.list, a)
		}
	}
	return among
}

// covers are those of a table in the states of the areas.
func (areas inhabitedAreas) covers(covers []cover, table *demographics.Table) (list []cover) {
	for _, c := range covers {
		if c.table == table.ID && slices.ContainsFunc(areas.list, func(a *smallArea) bool { return strings.HasPrefix(a.key, c.state) }) {
			list = append(list, c)
		}
	}
	return list
}
