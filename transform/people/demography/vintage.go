package demography

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
)

// writeVintages writes the vintages of the surveys that are used in each country, the newest first; without surveys, the
// years of the blocks.
func (d *deriver) writeVintages(ctx context.Context) error {
	var rows []derived.Vintage
	for _, country := range []string{"CA", "US"} {
		var vintages []string
		for survey, used := range d.used[country] {
			if v := d.surveys[survey].vintage; used && !slices.Contains(vintages, v) {
				vintages = append(vintages, v)
			}
		}
		if len(vintages) == 0 && d.fromBlocks[country] > 0 {
			vintages = d.blockYears[country]
		}
		if len(vintages) > 0 {
			rows = append(rows, derived.Vintage{CountryCode: country, Vintage: strings.Join(vintages, ", ")})
		}
	}
	return duck.Write(ctx, d.derived, "vintage", slices.Values(rows))
}

// readBlockYears reads the years of the censuses that the blocks of each country are of, the newest first.
func (d *deriver) readBlockYears(ctx context.Context) error {
	type row struct {
		Scheme string `col:"scheme"`
		Year   string `col:"year"`
	}
	d.blockYears = map[string][]string{}
	for row, err := range sqlrow.Select[row](ctx, d.staged, query("block_years.sql", true)) {
		if err != nil {
			return fmt.Errorf("read the years of blocks: %w", err)
		}
		country := countryOf(row.Scheme + ":")
		d.blockYears[country] = append(d.blockYears[country], row.Year)
	}
	return nil
}
