package assembly

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"quartier/build/released"
	"quartier/internal/margin"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// POI is a POI of the release.
type POI struct {
	FID    int64  `col:"fid"`
	Region string `col:"region"` // whose row was selected
	derived.POI
}

// POIs reads the POIs ordered by fid.
func (a *Assembly) POIs(ctx context.Context) iter.Seq2[*POI, error] {
	return sqlrow.Select[POI](ctx, a.conn, query("pois"))
}

// Merges reads the records that were merged into a POI of the release.
func (a *Assembly) Merges(ctx context.Context) iter.Seq2[*release.Merge, error] {
	return sqlrow.Select[release.Merge](ctx, a.conn, query("merges"))
}

// BrandNames returns the names of brands by id.
func (a *Assembly) BrandNames(ctx context.Context) (map[string]string, error) {
	names := map[string]string{}
	for row, err := range sqlrow.Select[derived.Brand](ctx, a.conn, query("brands")) {
		if err != nil {
			return nil, fmt.Errorf("read brands: %w", err)
		}
		names[row.BrandID] = row.BrandName
	}
	return names, nil
}

// Coverage is an area whose country and state are known.
type Coverage struct {
	Region string `col:"region"`
	derived.Coverage
}

// Coverage reads the coverage of all regions.
func (a *Assembly) Coverage(ctx context.Context) iter.Seq2[*Coverage, error] {
	return sqlrow.Select[Coverage](ctx, a.conn, query("coverage"))
}

// Provenance returns the sources and issues of all regions, and their newest as-of date.
func (a *Assembly) Provenance(ctx context.Context) (p released.Provenance, err error) {
	if p.Sources, err = sqlrow.All[release.Source](ctx, a.conn, query("sources")); err != nil {
		return p, fmt.Errorf("read sources: %w", err)
	}
	for _, s := range p.Sources {
		p.Release.AsOf = max(p.Release.AsOf, s.AsOf)
	}
	if len(p.Sources) == 0 {
		return p, fmt.Errorf("no region declares a source")
	}
	if p.Issues, err = sqlrow.All[release.Issue](ctx, a.conn, query("issues")); err != nil {
		return p, fmt.Errorf("read issues: %w", err)
	}
	return p, nil
}

// Vintage is the vintage of the small areas of a region in one country.
type Vintage struct {
	Region           int // number
	Country, Vintage string
}

// Vintages returns the vintages of all regions.
func (a *Assembly) Vintages(ctx context.Context) (list []Vintage, err error) {
	const text = "SELECT region, country_code, vintage FROM vintage_row ORDER BY region, country_code"
	err = a.each(ctx, text, func(rows *sql.Rows) error {
		var v Vintage
		err := rows.Scan(&v.Region, &v.Country, &v.Vintage)
		list = append(list, v)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read vintages: %w", err)
	}
	return list, nil
}

// Published is what is published for one geography.
type Published struct {
	Figures    []PublishedFigure // by cell id
	HomeValues []HomeValue       // by year
}

// PublishedFigure is a figure published for a geography.
type PublishedFigure struct {
	Cell    int // index in demographics.Cells
	Figure  margin.Figure
	Vintage string
}

// HomeValue is the home value of a geography in a year, from an index of home values.
type HomeValue struct {
	Year    int
	Dollars float64
}

// OrderPublished selects what is published for the geographies with the given source keys, for ReadPublished.
func (a *Assembly) OrderPublished(ctx context.Context, keys []string) error {
	rows, err := a.db.Append(ctx, "estimate_order")
	if err != nil {
		return err
	}
	for place, key := range keys {
		if err := rows.Row(int32(place), key); err != nil {
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return a.exec(ctx, query("published"))
}

// ReadPublished returns what is published for the geographies from index first to end-1 of OrderPublished's keys.
func (a *Assembly) ReadPublished(ctx context.Context, first, end int) ([]Published, error) {
	list := make([]Published, end-first)
	const figures = "SELECT place, cell, estimate, moe, vintage FROM published_figure WHERE place >= ? AND place < ? ORDER BY place, cell"
	err := a.each(ctx, figures, func(rows *sql.Rows) error {
		var place int
		var id string
		var estimate float64
		var moe *float64
		var f PublishedFigure
		if err := rows.Scan(&place, &id, &estimate, &moe, &f.Vintage); err != nil {
			return err
		}
		var err error
		if f.Cell, f.Figure, err = released.ParseFigure(id, estimate, moe); err == nil && f.Vintage == "" {
			err = fmt.Errorf("%s has no vintage", id)
		}
		list[place-first].Figures = append(list[place-first].Figures, f)
		return err
	}, first, end)
	if err != nil {
		return nil, fmt.Errorf("read published figures: %w", err)
	}
	const values = "SELECT place, year, dollars FROM published_home_value WHERE place >= ? AND place < ? ORDER BY place, year"
	err = a.each(ctx, values, func(rows *sql.Rows) error {
		var place int
		var v HomeValue
		if err := rows.Scan(&place, &v.Year, &v.Dollars); err != nil {
			return err
		}
		if !(v.Dollars > 0 && v.Dollars <= released.MaxFigure) {
			return fmt.Errorf("home value of %v dollars", v.Dollars)
		}
		list[place-first].HomeValues = append(list[place-first].HomeValues, v)
		return nil
	}, first, end)
	if err != nil {
		return nil, fmt.Errorf("read published home values: %w", err)
	}
	return list, nil
}
