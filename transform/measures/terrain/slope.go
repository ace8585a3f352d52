package terrain

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/measures/raster"
)

// slopes is how steep the cells of the land are, to be averaged over discs.
type slopes struct {
	sums *raster.Sums
	lattice
	radius, least float64
}

// Layers of slopes.
const (
	layerSlope = iota // hundredths of a percent
	layerLand         // cells of land
	layerWater        // cells of water
)

const steepest = 1000 // percent: no slope of a cell is counted for more

// newSlopes works out the slope of every cell whose neighbours are known, by Horn's three by three, water aside.
func newSlopes(ctx context.Context, s *surface, water *raster.Classes, nodes []coord.Point, t *calibration.Terrain) (*slopes, error) {
	const wide = side + 2
	out := &slopes{raster.NewSums(nodes, t.CellM, t.Slope.RadiusM, 3), s.lattice, t.Slope.RadiusM, t.MinKnown}
	around := make([]float32, wide*wide)
	for _, k := range s.keys() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.framed(k, around)
		for row := range side {
			mLng, mLat := metres(s.centre(0, k.row*side+row)[1])
			dx, dy := mLng*s.stepLng, mLat*s.stepLat
			for column := range side {
				at := s.centre(k.column*side+column, k.row*side+row)
				if water.At(at) != 0 {
					out.sums.Add(layerWater, at, 1)
				} else if pct := horn(around[row*wide+column:], wide, dx, dy); pct == pct {
					out.sums.Add(layerSlope, at, uint32(math.Round(100*min(pct, steepest))))
					out.sums.Add(layerLand, at, 1)
				}
			}
		}
	}
	out.sums.Finish()
	return out, nil
}

// horn is the slope in percent of the middle of three by three heights, the first of which is the first in a list of
// rows of so many; dx and dy are the metres between neighbours.
func horn(h []float32, wide int, dx, dy float64) float64 {
	a, b, c := float64(h[0]), float64(h[1]), float64(h[2])
	d, e, f := float64(h[wide]), float64(h[wide+1]), float64(h[wide+2])
	g, i, j := float64(h[2*wide]), float64(h[2*wide+1]), float64(h[2*wide+2])
	east := (c + 2*f + j - a - 2*d - g) / (8 * dx)
	south := (g + 2*i + j - a - 2*b - c) / (8 * dy)
	return 100*math.Hypot(east, south) + 0*e // unknown where the middle is
}

// mean is the slope in percent of the land in the disc around p; NaN where less of the disc is known than is needed, or
// all of it is water.
func (s *slopes) mean(p orb.Point, totals []uint64) float64 {
	clear(totals)
	s.sums.Disc(p, s.radius, totals)
	mLng, mLat := metres(p[1])
	cells := math.Pi * s.radius * s.radius / (mLng * s.stepLng * mLat * s.stepLat)
	if float64(totals[layerLand]+totals[layerWater]) < s.least*cells || totals[layerLand] == 0 {
		return math.NaN()
	}
	return float64(totals[layerSlope]) / 100 / float64(totals[layerLand])
}
