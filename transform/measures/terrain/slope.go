package terrain

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/measures/raster"
)

// slopes are the slopes of the cells of the land, to be averaged over discs.
type slopes struct {
	sums *raster.Sums
	lattice
	radius, minKnown float64
}

// Layers of slopes.
const (
	layerSlope = iota // hundredths of a percent
	layerLand         // cells of land
	layerWater        // cells of water
)

const maxSlopePct = 1000 // steeper cells count as this

// newSlopes computes the slope of every cell that has eight neighbours and is not water, by Horn's method.
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
			mLng, mLat := geo.MetresPerDegree(s.centre(0, k.row*side+row)[1])
			dx, dy := mLng*s.stepLng, mLat*s.stepLat
			for column := range side {
				at := s.centre(k.column*side+column, k.row*side+row)
				if water.At(at) != 0 {
					out.sums.Add(layerWater, at, 1)
				} else if pct := horn(around[row*wide+column:], wide, dx, dy); pct == pct {
					out.sums.Add(layerSlope, at, uint32(math.Round(100*min(pct, maxSlopePct))))
					out.sums.Add(layerLand, at, 1)
				}
			}
		}
	}
	out.sums.Finish()
	return out, nil
}

// horn is the slope in percent of the centre of three by three heights. h begins with the first height; rows follow
// each other after wide heights, from north to south; dx and dy are the metres between neighbours.
//
// East–west the slope is ((c + 2f + j) − (a + 2d + g)) / 8dx. On a plane that rises by 6 % to the east, with dx = 25
// m, neighbours differ by 1.5 m: 4·(2·1.5) / (8·25) = 0.06.
func horn(h []float32, wide int, dx, dy float64) float64 {
	a, b, c := float64(h[0]), float64(h[1]), float64(h[2])
	d, e, f := float64(h[wide]), float64(h[wide+1]), float64(h[wide+2])
	g, i, j := float64(h[2*wide]), float64(h[2*wide+1]), float64(h[2*wide+2])
	east := (c + 2*f + j - a - 2*d - g) / (8 * dx)
	south := (g + 2*i + j - a - 2*b - c) / (8 * dy)
	return 100*math.Hypot(east, south) + 0*e // NaN if the centre is
}

// mean is the mean slope in percent of the land in the disc around p; NaN if less of the disc than required is known,
// or all of it is water.
func (s *slopes) mean(p orb.Point, totals []uint64) float64 {
	clear(totals)
	s.sums.Disc(p, s.radius, totals)
	mLng, mLat := geo.MetresPerDegree(p[1])
	cells := math.Pi * s.radius * s.radius / (mLng * s.stepLng * mLat * s.stepLat)
	if float64(totals[layerLand]+totals[layerWater]) < s.minKnown*cells || totals[layerLand] == 0 {
		return math.NaN()
	}
	return float64(totals[layerSlope]) / 100 / float64(totals[layerLand])
}
