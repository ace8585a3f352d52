package home

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
)

// block is a row of staged.block.
type block struct {
	key                               string
	population, dwellings, households *int64
	landM2                            float64 // of its outline where the publisher does not tell
	outline                           orb.MultiPolygon
}

// point is a row of staged.home.
type point struct {
	weight float64
	at     orb.Point
}

// eachBlock visits the blocks in a fixed order; of two sources that tell the same block the first one counts.
func eachBlock(ctx context.Context, staged *duck.DB, visit func(*block) error) error {
	rows, err := staged.QueryContext(ctx, `
		SELECT source_key, population, dwellings, households, coalesce(land_m2, -1), geom FROM block JOIN source USING (source_id)
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1 ORDER BY source_key`)
	if err != nil {
		return fmt.Errorf("read blocks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var b block
		var geom sql.RawBytes
		if err := rows.Scan(&b.key, &b.population, &b.dwellings, &b.households, &b.landM2, &geom); err != nil {
			return fmt.Errorf("read blocks: %w", err)
		}
		if b.outline, err = geo.MultiPolygon(geom); err != nil {
			return fmt.Errorf("read block %s: %w", b.key, err)
		}
		if b.landM2 < 0 || b.landM2 == 0 && b.population != nil && *b.population > 0 { // nobody lives on water
			b.landM2 = geo.Area(b.outline)
		}
		if err := visit(&b); err != nil {
			return fmt.Errorf("block %s: %w", b.key, err)
		}
	}
	return rows.Err()
}

// readHomes reads the points by block, in a fixed order.
func readHomes(ctx context.Context, staged *duck.DB) (map[string][]point, error) {
	rows, err := staged.QueryContext(ctx, `SELECT block_key, weight, lng, lat FROM home JOIN source USING (source_id) ORDER BY priority, source_key`)
	if err != nil {
		return nil, fmt.Errorf("read homes: %w", err)
	}
	defer rows.Close()
	points := map[string][]point{}
	for rows.Next() {
		var key string
		var p point
		if err := rows.Scan(&key, &p.weight, &p.at[0], &p.at[1]); err != nil {
			return nil, fmt.Errorf("read homes: %w", err)
		}
		points[key] = append(points[key], p)
	}
	return points, rows.Err()
}
