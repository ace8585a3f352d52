package home

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
)

// block is a row of staged.block.
type block struct {
	staged.Block
	landM2  float64 // as published, else the area of the outline
	outline orb.MultiPolygon
	lent    bool // by a neighbouring region
}

// eachBlock visits the blocks in a fixed order; of several sources with the same key the first counts.
func eachBlock(ctx context.Context, db *duck.DB, visit func(*block)) error {
	for row, err := range sqlrow.Select[staged.Block](ctx, db, `
		SELECT block.* FROM block JOIN source USING (source_id)
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1 ORDER BY source_key`) {
		if err != nil {
			return fmt.Errorf("read blocks: %w", err)
		}
		b := block{Block: *row, lent: staged.Lent(row.SourceID)}
		if b.outline, err = geo.MultiPolygon(b.Geom); err != nil {
			return fmt.Errorf("read block %s: %w", b.SourceKey, err)
		}
		if b.LandM2 == nil || *b.LandM2 < 0 || *b.LandM2 == 0 && b.Population != nil && *b.Population > 0 { // nobody lives on water
			b.landM2 = geo.Area(b.outline)
		} else {
			b.landM2 = *b.LandM2
		}
		visit(&b)
	}
	return nil
}

// readHomes reads the staged points of homes by block, in a fixed order.
func readHomes(ctx context.Context, db *duck.DB) (map[string][]staged.Home, error) {
	points := map[string][]staged.Home{}
	for row, err := range sqlrow.Select[staged.Home](ctx, db,
		`SELECT home.* FROM home JOIN source USING (source_id) ORDER BY priority, source_key`) {
		if err != nil {
			return nil, fmt.Errorf("read homes: %w", err)
		}
		points[row.BlockKey] = append(points[row.BlockKey], *row)
	}
	return points, nil
}
