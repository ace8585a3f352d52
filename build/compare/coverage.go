package compare

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"quartier/build/released"
	"quartier/schemas"
)

var (
	//go:embed sql/gone.sql
	gone string
	//go:embed sql/levels.sql
	levels string
	//go:embed sql/regions.sql
	regions string
	//go:embed sql/covered.sql
	covered string
	//go:embed sql/brands.sql
	brands string
)

// LevelSum is the current geographies of a level in both releases.
type LevelSum struct {
	Level                            schemas.Level
	Older, Newer                     int64
	OlderPopulation, NewerPopulation sql.NullFloat64 // sum over the geographies of which it is known
}

// Gone is a current geography of the older release without a successor in the newer one.
type Gone struct {
	Level        schemas.Level
	GeogID, Name string
	Lost         bool // the newer release does not answer the id
}

// RegionLevel is the current geographies of a level that were taken from a region.
type RegionLevel struct {
	Region       string
	Level        schemas.Level
	Older, Newer int64
}

// Coverage is the number of current geographies of a level that have a product.
type Coverage struct {
	Product      string // "scores", "demographics", "profiles", "market"
	Level        schemas.Level
	Older, Newer int64
}

// CountChange is the number of rows of one kind in both releases.
type CountChange struct {
	ID, Name     string
	Older, Newer int64
}

func (c *Comparison) readLevels(ctx context.Context, db *sql.DB) (err error) {
	c.Levels, err = released.Collect(ctx, db, levels, func(rows *sql.Rows, l *LevelSum) error {
		return rows.Scan(&l.Level, &l.Older, &l.OlderPopulation, &l.Newer, &l.NewerPopulation)
	})
	if err != nil {
		return err
	}
	c.Gone, err = released.Collect(ctx, db, gone, func(rows *sql.Rows, g *Gone) error {
		return rows.Scan(&g.Level, &g.GeogID, &g.Name, &g.Lost)
	})
	return err
}

func (c *Comparison) readRegions(ctx context.Context, db *sql.DB) (err error) {
	c.Regions, err = released.Collect(ctx, db, regions, func(rows *sql.Rows, r *RegionLevel) error {
		return rows.Scan(&r.Region, &r.Level, &r.Older, &r.Newer)
	})
	return err
}

// coverageOf reads which geographies have a row in a table of one of the files.
func coverageOf(table string) string { return fmt.Sprintf(covered, table) }

func (c *Comparison) readCoverage(product, table string) func(context.Context, *sql.DB) error {
	return func(ctx context.Context, db *sql.DB) error {
		list, err := released.Collect(ctx, db, coverageOf(table), func(rows *sql.Rows, l *Coverage) error {
			l.Product = product
			return rows.Scan(&l.Level, &l.Older, &l.Newer)
		})
		c.Coverage = append(c.Coverage, list...)
		return err
	}
}

func (c *Comparison) readBrands(ctx context.Context, db *sql.DB) (err error) {
	c.Brands, err = released.Collect(ctx, db, brands, func(rows *sql.Rows, b *CountChange) error {
		return rows.Scan(&b.ID, &b.Name, &b.Older, &b.Newer)
	})
	return err
}
