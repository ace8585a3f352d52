package files

import (
	"context"
	"fmt"

	"quartier/build/assembly"
	"quartier/build/estimates"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/demographics"
	"quartier/schemas/release"
)

// Demographics is demographics.sqlite under way. It is written in two parts, because the second one depends on a pack
// that is made from the first one: the small areas, then the geographies.
type Demographics struct {
	file     *file
	release  *Release
	variable *sqlrow.Inserter[release.GeographyVariable]
	vintage  *sqlrow.Inserter[release.GeographyVintage]
	category *sqlrow.Inserter[release.GeographyCategoryVintage]
	coverage *sqlrow.Inserter[release.GeographyCoverage]
}

// CreateDemographics creates demographics.sqlite and writes the small areas of all regions and the ground that they cover. It
// returns notes for the manifest.
func CreateDemographics(ctx context.Context, r *Release) (*Demographics, []string, error) {
	f, err := r.create(schemas.DemographicsFile, bundle.Demographics, bundle.Provenance)
	if err != nil {
		return nil, nil, err
	}
	d := &Demographics{file: f, release: r}
	var notes []string
	if r.Assembly != nil {
		notes, err = f.insertSmallAreas(ctx, r.Assembly)
	}
	if err == nil {
		err = f.tx.Commit() // so that the pack can be made
	}
	if err == nil {
		f.tx, err = f.db.Begin()
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	d.variable = sqlrow.NewInserter[release.GeographyVariable](ctx, f.tx, "geography_variable")
	d.vintage = sqlrow.NewInserter[release.GeographyVintage](ctx, f.tx, "geography_vintage")
	d.category = sqlrow.NewInserter[release.GeographyCategoryVintage](ctx, f.tx, "geography_category_vintage")
	d.coverage = sqlrow.NewInserter[release.GeographyCoverage](ctx, f.tx, "geography_coverage")
	return d, notes, nil
}

// insertSmallAreas inserts the small areas of all regions and the ground that they cover.
func (f *file) insertSmallAreas(ctx context.Context, a *assembly.Assembly) (notes []string, err error) {
	s := &smallAreas{tx: f.tx}
	err = a.EachRegion(func(region string, derived *duck.DB) error { return s.copyRegion(ctx, region, derived) })
	if err == nil {
		notes, err = s.noteGaps(ctx, a)
	}
	if err == nil {
		err = writeGround(ctx, f.tx, a)
	}
	return notes, err
}

// Close closes the file; it is incomplete unless it was finished. It may be called on nil.
func (d *Demographics) Close() error {
	if d == nil {
		return nil
	}
	return d.file.Close()
}

// variables are the variables of geographies in the order of their values.
var variables = demographics.Flat(demographics.ByGeography)

// Add writes the demographics of a geography.
func (d *Demographics) Add(g *estimates.Geography) error {
	for i, at := range variables {
		v := g.Values[i]
		if !v.Present {
			continue
		}
		category := &demographics.ByGeography[at.Category]
		row := release.GeographyVariable{GeogID: g.ID, Category: category.ID, Variable: category.Variables[at.Variable].ID, Value: v.Value,
			OpenEnd: string(v.Open)}
		if v.Interval {
			row.Lower, row.Upper = &v.Lower, &v.Upper
		}
		if err := d.variable.Row(row); err != nil {
			return fmt.Errorf("demographics of geography %s: %w", g.ID, err)
		}
	}
	if g.Coverage < demographics.CompleteCoverage {
		if err := d.coverage.Row(release.GeographyCoverage{GeogID: g.ID, Coverage: g.Coverage}); err != nil {
			return fmt.Errorf("coverage of geography %s: %w", g.ID, err)
		}
	}
	for _, v := range g.Vintages {
		if err := d.category.Row(release.GeographyCategoryVintage{GeogID: g.ID, Category: v.Category, Vintage: v.Vintage}); err != nil {
			return fmt.Errorf("vintages of geography %s: %w", g.ID, err)
		}
	}
	return d.vintage.Row(release.GeographyVintage{GeogID: g.ID, Vintage: g.Vintage})
}

// Finish copies the demographics of superseded and kept geographies from the previous release, and completes the file.
func (d *Demographics) Finish(ctx context.Context) error {
	copied := d.release.Copied()
	if err := copyRows[release.GeographyVariable](ctx, d.file, "geography_variable", copied); err != nil {
		return err
	}
	if err := copyRows[release.GeographyVintage](ctx, d.file, "geography_vintage", copied); err != nil {
		return err
	}
	if err := copyRows[release.GeographyCategoryVintage](ctx, d.file, "geography_category_vintage", copied); err != nil {
		return err
	}
	if err := copyRows[release.GeographyCoverage](ctx, d.file, "geography_coverage", copied); err != nil {
		return err
	}
	return d.file.finish(ctx, &d.release.Provenance, bundle.DemographicsColumns)
}
