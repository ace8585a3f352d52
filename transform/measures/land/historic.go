package land

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/raster"
	"quartier/transform/network/channel"
	"quartier/transform/network/strip"
	"quartier/transform/parallel"
)

// layers of what makes a place historic.
const (
	built    = iota // buildings, garages aside
	dated           // of a known year
	old             // of an early one
	heritage        // sites
	historicLayers
)

// historic sets s.Historic where the years of enough buildings are known; nowhere if the region knows too few.
func historic(ctx context.Context, staged *duck.DB, nodes []coord.Point, s *channel.Quantities, c *calibration.Historic) error {
	var years int
	if err := staged.QueryRowContext(ctx, `SELECT count(year) FROM feature WHERE kind = 'building'`).Scan(&years); err != nil {
		return err
	}
	if float64(years) < c.MinDated*float64(c.MinBuilt) {
		return nil
	}
	sums := raster.NewSums(nodes, 50, c.RadiusM, historicLayers)
	err := feature.Each(ctx, staged, "building", func(f *feature.Feature) error {
		p, ok := f.Geometry.(orb.Point)
		if !ok || f.Class == "garage" {
			return nil
		}
		sums.Add(built, p, 1)
		if f.Year != 0 {
			sums.Add(dated, p, 1)
			if f.Year < c.Before {
				sums.Add(old, p, 1)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = feature.Each(ctx, staged, "heritage", func(f *feature.Feature) error {
		if p, ok := f.Geometry.(orb.Point); ok {
			sums.Add(heritage, p, 1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	sums.Finish()
	s.Historic = absent(len(nodes))
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		totals := make([]uint64, historicLayers)
		for node := lo; node < hi; node++ {
			clear(totals)
			sums.Disc(strip.Degrees(nodes[node]), c.RadiusM, totals)
			s.Historic[node] = float32(historicOf(totals, c))
		}
	})
}

// historicOf is 0–1; NaN where too few buildings or years are known.
func historicOf(totals []uint64, c *calibration.Historic) float64 {
	if totals[built] < uint64(c.MinBuilt) || float64(totals[dated]) < c.MinDated*float64(totals[built]) {
		return math.NaN()
	}
	return c.Old*float64(totals[old])/float64(totals[dated]) + c.Heritage*(1-math.Exp(-float64(totals[heritage])/c.HeritageN))
}
