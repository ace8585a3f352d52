package noise

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/raster"
	"quartier/transform/network/strip"
)

// rows is the houses that stand between a node and what is heard there: one row after another, as densely as they are
// built around the node. Where buildings are not mapped there are none.
type rows struct {
	built   *raster.Sums // m² of footprints; nil: none are mapped
	c       *calibration.Rows
	factors [densities + 1][]float64 // of energy, by density and 10 m of distance
}

const (
	densities = 16 // steps of density
	stepM     = 10
)

func newRows(ctx context.Context, staged *duck.DB, nodes []coord.Point, c *calibration.Noise) (*rows, error) {
	r := &rows{c: &c.Rows}
	for level := range r.factors {
		for m := 0.0; m <= c.ReachM+stepM; m += stepM {
			r.factors[level] = append(r.factors[level], decibels(-r.loss(m)*float64(level)/densities))
		}
	}
	err := feature.Each(ctx, staged, "building", func(f *feature.Feature) error {
		if p, ok := f.Geometry.(orb.Point); ok && f.Size > 0 {
			if r.built == nil {
				r.built = raster.NewSums(nodes, r.c.CellM, r.c.RadiusM, 1)
			}
			r.built.Add(0, p, uint32(min(f.Size, 1e6)))
		}
		return nil
	})
	if r.built != nil {
		r.built.Finish()
	}
	return r, err
}

// loss is what rows of houses take of the sound from so many metres away where they stand closely, dB.
func (r *rows) loss(metres float64) float64 {
	count := max(0, (metres-r.c.FirstM)/r.c.SpacingM)
	return min(r.c.MaxDB, r.c.FirstDB*min(1, count)+r.c.RowDB*max(0, count-1))
}

// at is the part of the energy that is left at a node, by distance: factors[metres/stepM]. total is room for a number.
func (r *rows) at(p coord.Point, total []uint64) (factors []float64) {
	if r.built == nil {
		return r.factors[0]
	}
	total[0] = 0
	r.built.Disc(strip.Degrees(p), r.c.RadiusM, total)
	share := float64(total[0]) / (math.Pi * r.c.RadiusM * r.c.RadiusM)
	return r.factors[int(math.Round(densities*min(1, share/r.c.FullShare)))]
}
