package demography

import (
	"context"
	"fmt"
)

// noteMissingOutlines notes the figures of small areas where no source tells a small area.
func (d *deriver) noteMissingOutlines(ctx context.Context) error {
	rows, err := d.staged.QueryContext(ctx, query("missing_outlines.sql", false))
	if err != nil {
		return fmt.Errorf("count areas of surveys: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var source, kind string
		var n int64
		if err := rows.Scan(&source, &kind, &n); err != nil {
			return fmt.Errorf("count areas of surveys: %w", err)
		}
		d.result.Notes[kind+" of source "+source] = fmt.Sprintf("source %s tells %d %s, and no source tells their blocks or outlines: nothing is told around points", source, n, kind)
	}
	return rows.Err()
}

// notePartialOutlines notes where a survey tells small areas of a county that lack an outline, though others of the county have one.
// It is no fault: a region may be cut out of a county.
func (d *deriver) notePartialOutlines(ctx context.Context) error {
	rows, err := d.staged.QueryContext(ctx, query("partial_outlines.sql", true), d.c.MaxUnmatched)
	if err != nil {
		return fmt.Errorf("read areas without an outline: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var source, county, whom, example string
		var share float64
		var others int64
		if err := rows.Scan(&source, &county, &share, &whom, &example, &others); err != nil {
			return fmt.Errorf("read areas without an outline: %w", err)
		}
		note := fmt.Sprintf("source %s: no outline of %.3g %% of the %s in %s: geographies there are told too little, e.g. %s", source, 100*share, whom, county, example)
		if others > 0 {
			note += fmt.Sprintf("; the same in %d more", others)
		}
		d.result.Notes["outlines of source "+source] = note
	}
	return rows.Err()
}
