package demography

import (
	"context"
	"fmt"

	"quartier/internal/sqlrow"
)

// noteMissingOutlines notes the figures of small areas if no source has small areas.
func (d *deriver) noteMissingOutlines(ctx context.Context) error {
	type row struct {
		Source string `col:"source_id"`
		Kind   string `col:"kind"`
		Areas  int64  `col:"areas"`
	}
	for row, err := range sqlrow.Select[row](ctx, d.staged, query("missing_outlines.sql", false)) {
		if err != nil {
			return fmt.Errorf("count areas of surveys: %w", err)
		}
		d.result.Notes[row.Kind+" of source "+row.Source] = fmt.Sprintf(
			"source %s has data for %d %s, and no source has their blocks or outlines: demographics around points are absent", row.Source,
			row.Areas, row.Kind)
	}
	return nil
}

// notePartialOutlines notes counties of which a survey has data for small areas without an outline, although others have
// one. It is not an error: the region may be a part of the county.
func (d *deriver) notePartialOutlines(ctx context.Context) error {
	type row struct {
		Source  string  `col:"source_id"`
		County  string  `col:"county"`
		Share   float64 `col:"share"`
		Unit    string  `col:"unit"`
		Example string  `col:"example"`
		Others  int64   `col:"others"`
	}
	for row, err := range sqlrow.Select[row](ctx, d.staged, query("partial_outlines.sql", true), d.c.MaxUnmatched) {
		if err != nil {
			return fmt.Errorf("read areas without an outline: %w", err)
		}
		note := fmt.Sprintf("source %s: no outlines for %.3g %% of the %s in %s: counts of geographies there are too low, e.g. %s", row.Source,
			100*row.Share, row.Unit, row.County, row.Example)
		if row.Others > 0 {
			note += fmt.Sprintf("; the same in %d more", row.Others)
		}
		d.result.Notes["outlines of source "+row.Source] = note
	}
	return nil
}
