package demography

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"

	"quartier/internal/margin"
	"quartier/internal/sqlrow"
	"quartier/schemas/demographics"
)

// survey is a row of staged.survey with the priority of its source.
type survey struct {
	source, vintage string
	priority        int32
	maxUnmatched    *float64 // share of people without data; nil: that of the calibration
}

var years = regexp.MustCompile(`[0-9]{4}`)

// year is the last year of the vintage; "" if it has none.
func (s survey) year() string {
	all := years.FindAllString(s.vintage, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// readSurveys reads the surveys, ordered by year, the newest first, then by priority.
func (d *deriver) readSurveys(ctx context.Context) error {
	type row struct {
		Source       string   `col:"source_id"`
		Vintage      string   `col:"vintage"`
		Priority     int32    `col:"priority"`
		MaxUnmatched *float64 `col:"max_unmatched"`
	}
	for row, err := range sqlrow.Select[row](ctx, d.staged,
		"SELECT source_id, vintage, priority, max_unmatched FROM survey LEFT JOIN source USING (source_id) ORDER BY source_id") {
		if err != nil {
			return fmt.Errorf("read surveys: %w", err)
		}
		d.surveys = append(d.surveys, survey{row.Source, row.Vintage, row.Priority, row.MaxUnmatched})
	}
	slices.SortStableFunc(d.surveys, func(a, b survey) int {
		return cmp.Or(cmp.Compare(b.year(), a.year()), cmp.Compare(a.priority, b.priority))
	})
	return nil
}

// sheet is the data of one survey for an area.
type sheet struct {
	survey int // index in deriver.surveys
	cells  [demographics.CellCount]margin.Figure
	has    [demographics.CellCount]bool
}

// areaSheets is the data of all surveys for an area.
type areaSheets struct {
	key    string
	sheets []*sheet // of the newest survey first
}

// statisticRow is a row of area_values.sql and geography_values.sql.
type statisticRow struct {
	Group    string   `col:"area_group"`
	AreaKey  string   `col:"area_key"`
	SourceID string   `col:"source_id"`
	Cell     string   `col:"cell"`
	Estimate float64  `col:"estimate"`
	MOE      *float64 `col:"moe"`
}

// eachGroup visits the rows of a query of statisticRow, one group of areas at a time.
func (d *deriver) eachGroup(ctx context.Context, text string, visit func(group string, areas []areaSheets) error) error {
	rank := map[string]int{}
	for i, s := range d.surveys {
		rank[s.source] = i
	}
	var areas []areaSheets
	group := ""
	for row, err := range sqlrow.Select[statisticRow](ctx, d.staged, text) {
		if err != nil {
			return fmt.Errorf("read statistics: %w", err)
		}
		if row.Group != group && len(areas) > 0 {
			if err := visit(group, areas); err != nil {
				return err
			}
			areas = nil
		}
		group = row.Group
		if len(areas) == 0 || areas[len(areas)-1].key != row.AreaKey {
			areas = append(areas, areaSheets{key: row.AreaKey})
		}
		survey, known := rank[row.SourceID]
		cell, named := demographics.CellOf(row.Cell)
		if !known || !named {
			return fmt.Errorf("read statistics: %s of %s by source %s: no such survey or cell", row.Cell, row.AreaKey, row.SourceID)
		}
		f := margin.Figure{Estimate: row.Estimate, MOE: math.NaN()}
		if row.MOE != nil {
			f.MOE = *row.MOE
		}
		s := areas[len(areas)-1].of(survey)
		s.cells[cell], s.has[cell] = f, true
	}
	if len(areas) > 0 {
		return visit(group, areas)
	}
	return nil
}

// of returns the sheet of a survey; it adds it if there is none.
func (a *areaSheets) of(survey int) *sheet {
	at, known := slices.BinarySearchFunc(a.sheets, survey, func(s *sheet, survey int) int { return cmp.Compare(s.survey, survey) })
	if !known {
		a.sheets = slices.Insert(a.sheets, at, &sheet{survey: survey})
	}
	return a.sheets[at]
}
