package demography

import (
	"context"
	"fmt"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
)

// minWater is the area in m² from which water is left out of the ground.
const minWater = 10_000

// writeWater writes the known water.
func (d *deriver) writeWater(ctx context.Context) error {
	type row struct {
		Geom []byte `col:"geom"`
	}
	return duck.Fill(ctx, d.derived, "water", func(write func(derived.Water) error) error {
		n := int32(0)
		for row, err := range sqlrow.Select[row](ctx, d.staged, query("water.sql", false)) {
			if err != nil {
				return fmt.Errorf("read water: %w", err)
			}
			outline, err := geo.MultiPolygon(row.Geom)
			if err != nil {
				return fmt.Errorf("read water: %w", err)
			}
			if geo.Area(outline) < minWater {
				continue
			}
			if err := write(derived.Water{Water: n, Geom: row.Geom}); err != nil {
				return err
			}
			n++
		}
		return nil
	})
}
