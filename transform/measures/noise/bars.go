package noise

import (
	"math"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
	"quartier/transform/network/destination"
)

// bars is an index of places of nightlife. Nil has none.
type bars struct {
	places *pointindex.Values[struct{}]
	reach  float64 // m
}

func newBars(places []destination.Destination, reach float64) *bars {
	var points []coord.Point
	for _, p := range places {
		if at, ok := coord.NewPoint(p.Point[0], p.Point[1]); ok {
			points = append(points, at)
		}
	}
	return &bars{pointindex.NewValues(points, make([]struct{}, len(points)), reach), reach}
}

// within are the distances in metres to the places that are audible at p.
func (b *bars) within(p coord.Point) (metres []float64) {
	if b == nil {
		return nil
	}
	b.places.Within(p, b.reach, func(_ *struct{}, square float64) { metres = append(metres, math.Sqrt(square)) })
	return metres
}
