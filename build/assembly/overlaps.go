package assembly

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// Overlaps counts the geographies and POIs that several regions have in c, and returns notes on them and on rows that
// did not get into the release.
func (a *Assembly) Overlaps(ctx context.Context, c *schemas.ReleaseCounts) (notes []string, err error) {
	var superseded, withoutState int64
	for _, count := range []struct {
		target *int64
		query  string
	}{
		{&c.OverlappingGeos, "SELECT (SELECT count(*) FROM geography_row) - (SELECT count(*) FROM selected_geography)"},
		{&c.OverlappingPOIs, "SELECT (SELECT count(*) FROM poi_place) - (SELECT count(*) FROM poi_order)"},
		{&superseded, query("superseded_outlines")},
		{&withoutState, "SELECT count(*) FROM stateless_poi JOIN poi_order USING (region, number)"},
	} {
		if err := a.conn.QueryRowContext(ctx, count.query).Scan(count.target); err != nil {
			return nil, fmt.Errorf("count overlaps of regions: %w", err)
		}
	}
	if superseded > 0 {
		notes = append(notes, fmt.Sprintf("outlines that were superseded by those of a newer source in another region: %d", superseded))
	}
	if withoutState > 0 {
		notes = append(notes, fmt.Sprintf("pois outside of the known states and provinces: %d", withoutState))
	}
	err = a.each(ctx, query("unused_sources"), sqlrow.Visit4(func(region, source, what string, staged int64) error {
		notes = append(notes, fmt.Sprintf("source %s of region %s: none of its %d staged %s is in the release", source, region, staged, what))
		return nil
	}))
	if err != nil {
		return nil, fmt.Errorf("find unused sources: %w", err)
	}
	return notes, nil
}

// RegionsWithoutDemographics returns the names of the regions that have no demographic figures.
func (a *Assembly) RegionsWithoutDemographics(ctx context.Context) (names []string, err error) {
	const text = "SELECT name FROM region WHERE region NOT IN (SELECT region FROM demographic_region) ORDER BY region"
	err = a.each(ctx, text, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
	return names, err
}
