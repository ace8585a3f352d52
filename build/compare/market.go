package compare

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/schemas"
	"quartier/schemas/market"
)

var (
	//go:embed sql/market_stat.sql
	marketStat string
	//go:embed sql/market.sql
	marketStats string
	//go:embed sql/market_levels.sql
	marketLevels string
)

// marketMetrics are the columns of marketStats.
var marketMetrics = []market.Metric{market.AskMedian, market.SaleMedian, market.SalePerSqft, market.DaysOnMarketMedian}

// MarketChange is the difference of a metric over the geographies and types of property that have it in both components, in
// the last 90 days.
type MarketChange struct {
	Metric string
	Cells  int64
	Shift  float64 // median of the differences, newer less older, as shares of the larger value; 0 where Cells is 0
}

// Market adds the market statistics in two folders to the comparison. With only one of them, all that it has came or went.
func (c *Comparison) Market(ctx context.Context, older, newer string) error {
	if older == "" && newer == "" {
		return nil
	}
	db, err := attachMarket(older, newer)
	if err != nil {
		return fmt.Errorf("compare market: %w", err)
	}
	defer db.Close()
	levels, err := released.Collect(ctx, db, marketLevels, func(rows *sql.Rows, l *Coverage) error {
		l.Product = "market"
		return rows.Scan(&l.Level, &l.Older, &l.Newer)
	})
	if err != nil {
		return fmt.Errorf("compare market: %w", err)
	}
	c.Coverage = append(c.Coverage, levels...)
	shifts := make([][]float64, len(marketMetrics))
	err = released.Each(ctx, db, marketStats, nil, func(rows *sql.Rows) error {
		values := make([]sql.NullFloat64, 2*len(marketMetrics))
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i := range shifts {
			if o, n := values[2*i], values[2*i+1]; o.Valid && n.Valid && math.Max(o.Float64, n.Float64) > 0 {
				shifts[i] = append(shifts[i], (n.Float64-o.Float64)/math.Max(o.Float64, n.Float64))
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("compare market: %w", err)
	}
	for i, m := range marketMetrics {
		change := MarketChange{Metric: m.String(), Cells: int64(len(shifts[i]))}
		if slices.Sort(shifts[i]); change.Cells > 0 {
			change.Shift = shifts[i][(change.Cells-1)/2]
		}
		c.MarketMetrics = append(c.MarketMetrics, change)
	}
	return nil
}

// attachMarket reads two components into the tables older_stat and newer_stat. One that is not there has no statistics.
func attachMarket(older, newer string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", "file::memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, side := range []struct{ dir, name string }{{older, "older"}, {newer, "newer"}} {
		if err != nil {
			break
		}
		query := "CREATE TEMP TABLE " + side.name + "_stat (geog_id, type, ask_median, sale_median, sale_median_per_sqft, dom_median)"
		if side.dir != "" {
			query = fmt.Sprintf(marketStat, side.name)
			err = released.Attach(db, filepath.Join(side.dir, schemas.MarketFile), side.name)
		}
		if err == nil {
			_, err = db.Exec(query)
		}
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}
