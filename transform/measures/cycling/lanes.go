package cycling

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
)

// lanes are cycleways and quiet streets, in pieces.
type lanes struct {
	values *pointindex.Values[float32] // weight × metres
	c      *calibration.BikeLanes
}

func newLanes(streets []street.Street, c *calibration.BikeLanes) *lanes {
	var points []coord.Point
	var values []float32
	for i := range streets {
		weight := weightOf(&streets[i], c)
		if weight == 0 {
			continue
		}
		raster.Along(streets[i].Line, pieceM, func(middle orb.Point, metres float64) {
			if p, ok := coord.NewPoint(middle[0], middle[1]); ok {
				points, values = append(points, p), append(values, float32(weight*metres))
			}
		})
	}
	return &lanes{pointindex.NewValues(points, values, c.RadiusM/4), c}
}

// weightOf is the weight of a metre of a street for cycling, 0–1.
func weightOf(s *street.Street, c *calibration.BikeLanes) float64 {
	if !s.Bicycle {
		return 0
	}
	if s.Car == "no" {
		return c.Paths[s.Class]
	}
	return max(c.Cycleways[s.Cycleway], c.Quiet[s.Class])
}

// around is √(R/Top), at most 1: R sums value·(1 − distance/radius) within the radius, and Top is R at the reference
// place.
func (l *lanes) around(p coord.Point) float64 {
	sum := 0.0
	l.values.Within(p, l.c.RadiusM, func(value *float32, square float64) {
		sum += float64(*value) * max(0, 1-math.Sqrt(square)/l.c.RadiusM)
	})
	return min(1, math.Sqrt(sum/l.c.Top))
}
