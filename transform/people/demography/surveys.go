package demography

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"regexp"
	"slices"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// survey is a row of staged.survey.
type survey struct {
	source, vintage string
	priority        int
}

var years = regexp.MustCompile(`[0-9]{4}`)

// year is the last one that figures are of.
func (s survey) year() string {
	all := years.FindAllString(s.vintage, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// readSurveys reads the surveys, the newest first; of one year the one of the source that stands first.
func (d *deriver) readSurveys(ctx context.Context) error {
	rows, err := d.staged.QueryContext(ctx, "SELECT source_id, vintage, priority FROM survey LEFT JOIN source USING (source_id) ORDER BY source_id")
	if err != nil {
		return fmt.Errorf("read surveys: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s survey
		if err := rows.Scan(&s.source, &s.vintage, &s.priority); err != nil {
			return fmt.Errorf("read surveys: %w", err)
		}
		d.surveys = append(d.surveys, s)
	}
	slices.SortStableFunc(d.surveys, func(a, b survey) int {
		return cmp.Or(cmp.Compare(b.year(), a.year()), cmp.Compare(a.priority, b.priority))
	})
	return rows.Err()
}

// sheet is what one survey tells of an area.
type sheet struct {
	survey int // place in deriver.surveys
	cells  [demographics.CellCount]margin.Figure
	has    [demographics.CellCount]bool
}

// areaSheets is what all surveys tell of an area.
type areaSheets struct {
	key    string
	sheets []*sheet // the newest survey first
}

// eachWhole visits what a query over staged.statistic tells, the areas that belong together at once.
func (d *deriver) eachWhole(ctx context.Context, text string, visit func(whole string, areas []areaSheets) error) error {
	rows, err := d.staged.QueryContext(ctx, text)
	if err != nil {
		return fmt.Errorf("read statistics: %w", err)
	}
	defer rows.Close()
	rank := map[string]int{}
	for i, s := range d.surveys {
		rank[s.source] = i
	}
	var areas []areaSheets
	last := ""
	for rows.Next() {
		var whole, key, source, cell string
		var f margin.Figure
		var moe sql.NullFloat64
		if err := rows.Scan(&whole, &key, &source, &cell, &f.Estimate, &moe); err != nil {
			return fmt.Errorf("read statistics: %w", err)
		}
		if f.MOE = moe.Float64; !moe.Valid {
			f.MOE = math.NaN()
		}
		if whole != last && len(areas) > 0 {
			if err := visit(last, areas); err != nil {
				return err
			}
			areas = nil
		}
		last = whole
		if len(areas) == 0 || areas[len(areas)-1].key != key {
			areas = append(areas, areaSheets{key: key})
		}
		survey, known := rank[source]
		at, named := demographics.CellOf(cell)
		if !known || !named {
			return fmt.Errorf("read statistics: %s of %s by source %s: no such survey or cell", cell, key, source)
		}
		s := areas[len(areas)-1].of(survey)
		s.cells[at], s.has[at] = f, true
	}
	if len(areas) > 0 {
		if err := visit(last, areas); err != nil {
			return err
		}
	}
	return rows.Err()
}

// of is the sheet of a survey.
func (a *areaSheets) of(survey int) *sheet {
	at, known := slices.BinarySearchFunc(a.sheets, survey, func(s *sheet, survey int) int { return cmp.Compare(s.survey, survey) })
	if !known {
		a.sheets = slices.Insert(a.sheets, at, &sheet{survey: survey})
	}
	return a.sheets[at]
}
