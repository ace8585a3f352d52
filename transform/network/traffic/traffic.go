// Package traffic sets the traffic of every street of a region: counted, else that of its class and of the setting, so that
// a road in the country carries less than one among houses, and a dead end less than a through street. Input: streets,
// the number of dwellings around a point and staged.traffic_count. Output: street.Flow of the streets.
package traffic

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// Assume sets the flow of every street from its class, lanes and speed limit, and from the dwellings around; dwellings may
// be nil, which is a built-up place.
func Assume(ctx context.Context, streets []street.Street, dwellings func(orb.Point) float64, c *calibration.Traffic) error {
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
			if dwellings != nil {
				road.AADT *= factor(s, dwellings, &c.Setting)
			}
			s.Flow.Road = road
		}
	})
}

// factor is the mean of the factors of the setting along a street.
func factor(s *street.Street, dwellings func(orb.Point) float64, c *calibration.Setting) float64 {
	if c.Factor(s.Class, 0) == 1 {
		return 1
	}
	sum, n := 0.0, 0.0
	along(s.Line, c.SampleM, func(p orb.Point) {
		sum += c.Factor(s.Class, dwellings(p))
		n++
	})
	if n == 0 {
		return 1
	}
	return sum / n
}

// lengthOf is the length of a line in metres.
func lengthOf(line orb.LineString) (length float64) {
	if len(line) == 0 {
		return 0
	}
	plane := geo.NewPlane(line[0])
	for i := 1; i < len(line); i++ {
		length += distance(plane, line[i-1], line[i])
	}
	return length
}

// along visits points of a line at equal distances of at most metres, the first half of that from the beginning; of a line
// of one point that.
func along(line orb.LineString, metres float64, visit func(orb.Point)) {
	if len(line) < 2 {
		for _, p := range line {
			visit(p)
		}
		return
	}
	plane := geo.NewPlane(line[0])
	length := lengthOf(line)
	parts := max(1, math.Ceil(length/metres))
	next, passed, k := length/parts/2, 0.0, 0.0
	for i := 1; i < len(line) && k < parts; i++ {
		step := distance(plane, line[i-1], line[i])
		for ; k < parts && (passed+step >= next || i == len(line)-1); k++ {
			share := 0.0
			if step > 0 {
				share = min(1, (next-passed)/step)
			}
			visit(orb.Point{line[i-1][0] + share*(line[i][0]-line[i-1][0]), line[i-1][1] + share*(line[i][1]-line[i-1][1])})
			next += length / parts
		}
		passed += step
	}
}

func distance(plane geo.Plane, a, b orb.Point) float64 {
	ax, ay := plane.XY(a)
	bx, by := plane.XY(b)
	return math.Hypot(bx-ax, by-ay)
}
