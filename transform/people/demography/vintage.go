package demography

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/duck"
)

// writeVintages tells when the figures of the small areas of each country are of: the vintages of the surveys, the
// newest first; where there are blocks alone the years in which these were counted.
func (d *deriver) writeVintages(ctx context.Context) error {
	years, err := d.blockYears(ctx)
	if err != nil {
		return err
	}
	return fill(ctx, d.derived, "vintage", func(rows *duck.Appender) error {
		for _, country := range []string{"CA", "US"} {
			var vintages []string
			for survey, used := range d.used[country] {
				if v := d.surveys[survey].vintage; used && !slices.Contains(vintages, v) {
					vintages = append(vintages, v)
				}
			}
			if len(vintages) == 0 && d.byBlock[country] > 0 {
				vintages = years[country]
			}
			if len(vintages) == 0 {
				continue
			}
			if err := rows.Row(country, strings.Join(vintages, ", ")); err != nil {
				return err
			}
		}
		return nil
	})
}

// blockYears are the years that the blocks of each country are of, the newest first.
func (d *deriver) blockYears(ctx context.Context) (map[string][]string, error) {
	rows, err := d.staged.QueryContext(ctx, query("blockyears.sql", true))
	if err != nil {
		return nil, fmt.Errorf("read the years of blocks: %w", err)
	}
	defer rows.Close()
	years := map[string][]string{}
	for rows.Next() {
		var scheme, year string
		if err := rows.Scan(&scheme, &year); err != nil {
			return nil, fmt.Errorf("read the years of blocks: %w", err)
		}
		country := countryOf(scheme + ":")
		years[country] = append(years[country], year)
	}
	return years, rows.Err()
}
