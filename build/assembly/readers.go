package assembly

import (
	"context"
	"fmt"
	"iter"

	"quartier/build/released"
	"quartier/internal/margin"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// Merges reads the records that were merged into a POI of the release.
func (a *Assembly) Merges(ctx context.Context) iter.Seq2[*release.Merge, error] {
	return sqlrow.Select[release.Merge](ctx, a.conn, query("merges"))
}

// Corrections reads the corrections that were applied to POIs.
func (a *Assembly) Corrections(ctx context.Context) iter.Seq2[*release.Correction, error] {
	return sqlrow.Select[release.Correction](ctx, a.conn, query("corrections"))
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

// GeographyName is a further name of a geography of the release.
type GeographyName struct {
	Region string `col:"region"`
	derived.GeographyName
}

// GeographyNames reads the further names, by source key and name.
func (a *Assembly) GeographyNames(ctx context.Context) iter.Seq2[*GeographyName, error] {
	return sqlrow.Select[GeographyName](ctx, a.conn, query("geography_names"))
}

// Provenance returns the sources and issues of all regions, and their newest as-of date.
func (a *Assembly) Provenance(ctx context.Context) (p released.Provenance, err error) {
	if p.Sources, err = sqlrow.All[release.Source](ctx, a.conn, query("sources")); err != nil {
		return p, fmt.Errorf("read sources: %w", err)
	}
	for _, s := range p.Sources {
		if s.Kind != schemas.OutlinesKind {
			p.Release.AsOf = max(p.Release.AsOf, s.AsOf)
		}
	}
	if len(p.Sources) == 0 {
		return p, fmt.Errorf("no region declares a source")
	}
	if p.Issues, err = sqlrow.All[release.Issue](ctx, a.conn, query("issues")); err != nil {
		return p, fmt.Errorf("read issues: %w", err)
	}
	return p, nil
}

// AreaVintages reads the vintages of the tables of all small areas, "age=2014-2018;population=2020", in the order of the
// release: by region and number, each from the first region that has it.
func (a *Assembly) AreaVintages(ctx context.Context) iter.Seq2[string, error] {
	type row struct {
		Vintages string `col:"vintages"`
	}
	return func(yield func(string, error) bool) {
		for r, err := range sqlrow.Select[row](ctx, a.conn, query("area_vintages")) {
			if err != nil {
				yield("", err)
				return
			}
			if !yield(r.Vintages, nil) {
				return
			}
		}
	}
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
	Place   int32   `col:"place"` // index in the keys of OrderPublished
	Year    int32   `col:"year"`
	Dollars float64 `col:"dollars"`
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
	type figure struct {
		Place    int32    `col:"place"`
		Cell     string   `col:"cell"`
		Estimate float64  `col:"estimate"`
		MOE      *float64 `col:"moe"`
		Vintage  string   `col:"vintage"`
	}
	list := make([]Published, end-first)
	const figures = "SELECT * FROM published_figure WHERE place >= ? AND place < ? ORDER BY place, cell"
	for f, err := range sqlrow.Select[figure](ctx, a.conn, figures, first, end) {
		p := PublishedFigure{}
		if err == nil {
			p.Vintage = f.Vintage
			p.Cell, p.Figure, err = released.ParseFigure(f.Cell, f.Estimate, f.MOE)
		}
		if err == nil && f.Vintage == "" {
			err = fmt.Errorf("%s has no vintage", f.Cell)
		}
		if err != nil {
			return nil, fmt.Errorf("read published figures: %w", err)
		}
		at := &list[int(f.Place)-first]
		at.Figures = append(at.Figures, p)
	}
	const values = "SELECT * FROM published_home_value WHERE place >= ? AND place < ? ORDER BY place, year"
	for v, err := range sqlrow.Select[HomeValue](ctx, a.conn, values, first, end) {
		if err == nil && !(v.Dollars > 0 && v.Dollars <= released.MaxFigure) {
			err = fmt.Errorf("home value of %v dollars", v.Dollars)
		}
		if err != nil {
			return nil, fmt.Errorf("read published home values: %w", err)
		}
		at := &list[int(v.Place)-first]
		at.HomeValues = append(at.HomeValues, *v)
	}
	return list, nil
}
