package land

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
)

// Layers of sums for Historic.
const (
	built    = iota // buildings without garages
	dated           // buildings of a known year
	old             // buildings of an early year
	heritage        // heritage sites
	historicLayers
)

// historic sets Quantities.Historic; it leaves it absent if the region has too few buildings with a year.
func historic(ctx context.Context, r *measure.Region, c *calibration.Historic) error {
	var years int
	if err := r.Staged.QueryRowContext(ctx, `SELECT count(year) FROM feature WHERE kind = 'building'`).Scan(&years); err != nil {
		return err
	}
	if float64(years) < c.MinDated*float64(c.MinBuilt) {
		return nil
	}
	nodes := r.Network.Walk.Nodes
	sums := raster.NewSums(nodes, 50, c.RadiusM, historicLayers)
	err := feature.Shapes(ctx, r.Staged, "building", func(f *feature.Feature, p orb.Point) {
		if f.Class == "garage" {
			return
		}
		sums.Add(built, p, 1)
		if f.Year != 0 {
			sums.Add(dated, p, 1)
			if f.Year < c.Before {
				sums.Add(old, p, 1)
			}
		}
	})
	if err != nil {
		return err
	}
	if err := feature.Shapes(ctx, r.Staged, "heritage", func(_ *feature.Feature, p orb.Point) { sums.Add(heritage, p, 1) }); err != nil {
		return err
	}
	sums.Finish()
	values := make([]float32, len(nodes))
	r.Quantities.Historic = values
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		totals := make([]uint64, historicLayers)
		for node := lo; node < hi; node++ {
			clear(totals)
			sums.Disc(nodes[node].Orb(), c.RadiusM, totals)
			values[node] = float32(rating.HistoricShare(c, float64(totals[built]), float64(totals[dated]), float64(totals[old]), float64(totals[heritage])))
		}
	})
}
