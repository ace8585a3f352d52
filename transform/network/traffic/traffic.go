// Package traffic sets the traffic of every street of a region: counted, else that of its class and of the setting, so that
// a road in the country carries less than one among houses, and a dead end less than a through street. Input: streets,
// the number of dwellings around a point and staged.traffic_count. Output: street.Flow of the streets.
package traffic

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// Dwellings is the number of dwellings within some metres of a point, and whether enough of the ground there is known.
type Dwellings func(p orb.Point, radiusM float64) (dwellings float64, known bool)

// Assume sets the flow of every street from its class, lanes and speed limit, and from the dwellings around; dwellings may
// be nil, which is a built-up place. Flow.Beyond is what the parts of the street on unknown ground add.
func Assume(ctx context.Context, streets []street.Street, dwellings Dwellings, c *calibration.Traffic) error {
	return parallel.Nodes(ctx, len(streets), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := &streets[i]
			s.Flow = street.Flow{}
			if s.Car == "no" {
				continue
			}
			road, ok := c.Of(s.Class, s.Car != "both", s.Lanes, s.SpeedKMH)
			if !ok {
				continue
			}
			s.Flow.Road = road
			if dwellings != nil {
				mean, least := factor(s, dwellings, &c.Setting)
				s.Flow.AADT, s.Flow.Beyond = road.AADT*mean, road.AADT*(mean-least)
			}
		}
	})
}

// factor is the mean of the factors of the setting along a street, and what it is if nobody lives on unknown ground.
func factor(s *street.Street, dwellings Dwellings, c *calibration.Setting) (mean, least float64) {
	empty := c.Factor(s.Class, 0)
	if empty == 1 {
		return 1, 1
	}
	radius, _ := c.Around(s.Class)
	sum, certain, n := 0.0, 0.0, 0.0
	geo.Along(s.Line, c.SampleM, func(p orb.Point, _ float64, _ int) {
		around, known := dwellings(p, radius)
		of := c.Factor(s.Class, around)
		sum += of
		if !known {
			of = min(of, empty)
		}
		certain += of
		n++
	})
	if n == 0 {
		return 1, 1
	}
	return sum / n, certain / n
}
