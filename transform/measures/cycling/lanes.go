package cycling

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// lanes are cycleways and quiet streets of all sources, in pieces.
type lanes struct {
	values  *pointindex.Values[amount]
	weights int // number of different weights
	c       *calibration.BikeLanes
}

// amount is the length of a piece times its weight.
type amount struct {
	weighted float32
	weight   uint8 // number of the weight
	spread   bool  // of a point, not of a line
}

// maxWeights is the number of different weights of a calibration.
const maxWeights = 16

func newLanes(streets []street.Street, n *network, c *calibration.BikeLanes) *lanes {
	facilities := n.lines(c)
	for i := range streets {
		if weight := weightOf(&streets[i], c); weight > 0 {
			facilities = append(facilities, facility{streets[i].Line, weight})
		}
	}
	l := &lanes{c: c}
	var points []coord.Point
	var amounts []amount
	var weights []float64
	add := func(at orb.Point, metres, weight float64, spread bool) {
		number := 0
		for number < len(weights) && weights[number] != weight {
			number++
		}
		if number == len(weights) {
			weights = append(weights, weight)
		}
		if p, ok := coord.NewPoint(at[0], at[1]); ok {
			points, amounts = append(points, p), append(amounts, amount{float32(metres * weight), uint8(min(number, maxWeights-1)), spread})
		}
	}
	for _, p := range union(facilities, &c.Corridor) {
		add(p.middle(), p.metres(), p.weight, false)
	}
	for _, b := range n.points {
		if weight := c.Network[b.class]; weight > 0 {
			spread(b.at, b.metres, c.RadiusM, func(at orb.Point, metres float64) { add(at, metres, weight, true) })
		}
	}
	l.values, l.weights = pointindex.NewValues(points, amounts, c.RadiusM/4), min(len(weights), maxWeights)
	return l
}

// spread visits the pieces of a way that is known by a point and a length alone. Its direction is unknown, so that half of
// it lies from west to east through the point and half from south to north. Pieces are longer the farther they are.
func spread(at orb.Point, metres, radiusM float64, visit func(at orb.Point, metres float64)) {
	if metres <= pieceM {
		visit(at, metres)
		return
	}
	plane := geo.NewPlane(at)
	pieces := math.Ceil(metres / pieceM)
	if most := 64.0; pieces > most {
		pieces = max(most, math.Ceil(metres/(radiusM/4)))
	}
	for k := .5; k < pieces; k++ {
		along := metres * (k/pieces - .5)
		visit(plane.Point(along, 0), metres/pieces/2)
		visit(plane.Point(0, along), metres/pieces/2)
	}
}

// weightOf is the weight of a metre of a street for cycling, 0 where it has nothing for bicycles.
func weightOf(s *street.Street, c *calibration.BikeLanes) float64 {
	if !s.Bicycle {
		return 0
	}
	if s.Car == "no" {
		return c.Paths[s.Class]
	}
	return max(c.Cycleways[s.Cycleway], c.Quiet[s.Class])
}

// around is √(R/Top), at most 1: R sums length · weight · (1 − distance/radius) within the radius, and Top is R at the
// reference place. Points and lines describe the same ways, so that of each weight the greater sum counts.
func (l *lanes) around(p coord.Point) float64 {
	var drawn, spread [maxWeights]float64
	l.values.Within(p, l.c.RadiusM, func(a *amount, square float64) {
		share := max(0, 1-math.Sqrt(square)/l.c.RadiusM)
		if a.spread {
			spread[a.weight] += float64(a.weighted) * share
		} else {
			drawn[a.weight] += float64(a.weighted) * share
		}
	})
	sum := 0.0
	for i := range l.weights {
		sum += max(drawn[i], spread[i])
	}
	return min(1, math.Sqrt(sum/l.c.Top))
}
