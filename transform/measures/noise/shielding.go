package noise

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
)

// shielding is the loss of sound behind rows of houses: the denser an area is built, the more of each row is a wall.
// Houses are those on the map or, if they cover more, those of the dwellings around: many regions have none mapped.
type shielding struct {
	built     *raster.Sums // m² of footprints; nil if no building is mapped
	dwellings []float32    // per node, within the setting's radius; nil: unknown
	areaM2    float64      // of the setting's disc
	c         *calibration.Rows
	factors   [densities + 1][]float64 // shares of energy that are left, by density and distance in steps of stepM
}

const (
	densities = 16 // steps of built density
	stepM     = 10 // m
)

func newShielding(ctx context.Context, region *measure.Region) (*shielding, error) {
	c, nodes, setting := &region.Calibration.Noise, region.Network.Walk.Nodes, region.Calibration.Traffic.Setting
	r := &shielding{c: &c.Rows, dwellings: region.Quantities.Dwellings, areaM2: math.Pi * setting.RadiusM * setting.RadiusM}
	for level := range r.factors {
		for m := 0.0; m <= c.ReachM+stepM; m += stepM {
			r.factors[level] = append(r.factors[level], energyOf(-r.lossDB(m)*float64(level)/densities))
		}
	}
	err := feature.Shapes(ctx, region.Staged, "building", func(f *feature.Feature, p orb.Point) {
		if f.Size > 0 {
			if r.built == nil {
				r.built = raster.NewSums(nodes, r.c.CellM, r.c.RadiusM, 1)
			}
			r.built.Add(0, p, uint32(min(f.Size, 1e6)))
		}
	})
	if r.built != nil {
		r.built.Finish()
	}
	return r, err
}

// lossDB is the loss in dB over a distance where rows of houses have no gaps.
func (r *shielding) lossDB(metres float64) float64 {
	count := max(0, (metres-r.c.FirstM)/r.c.SpacingM)
	return min(r.c.MaxDB, r.c.FirstDB*min(1, count)+r.c.RowDB*max(0, count-1))
}

// at returns the shares of energy that are left at a node, by distance: factors[metres/stepM]. total is a buffer for
// one number.
func (r *shielding) at(node int, p coord.Point, total []uint64) (factors []float64) {
	share := 0.0
	if r.built != nil {
		total[0] = 0
		r.built.Disc(p.Orb(), r.c.RadiusM, total)
		share = float64(total[0]) / (math.Pi * r.c.RadiusM * r.c.RadiusM)
	}
	if r.dwellings != nil {
		share = max(share, float64(r.dwellings[node])*r.c.HouseM2/r.areaM2)
	}
	return r.factors[int(math.Round(densities*min(1, share/r.c.FullShare)))]
}
