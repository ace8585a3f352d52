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
	//go:embed sql/changed_ids.sql
	changedIDs string
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

// ChangedID is a geography whose id or outline is another one.
type ChangedID struct {
	Level        schemas.Level
	GeogID, Name string
	Fate         Fate
}

// Fate is what became of a geography.
type Fate string

// The fates of geographies: of the older release the first three, of the newer one the others.
const (
	Lost     Fate = "lost"     // the newer release does not answer the id
	Retired  Fate = "retired"  // it has no successor
	Replaced Fate = "replaced" // it has one with another id
	New      Fate = "new"      // it succeeds none
	Coarser  Fate = "coarser"  // its outline has less than half of the points that it had
)

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
	c.ChangedIDs, err = released.Collect(ctx, db, changedIDs, func(rows *sql.Rows, g *ChangedID) error {
		return rows.Scan(&g.Level, &g.GeogID, &g.Name, &g.Fate)
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
