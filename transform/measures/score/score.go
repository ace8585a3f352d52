// Package score makes the scores of every node that are composed of measures, of physical quantities and of other
// scores. Scores that are access alone (groceries, shopping, schools, vibrant, transit_friendly) are there already, and
// the measures that cafes, restaurants and nightlife are. In go channels, Surroundings and a Reach; out come the rest of
// the 18 score channels, unrounded, absent where what they need has no ground.
package score

import (
	"context"
	"math"

	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/measures/access"
	"quartier/transform/network/channel"
	"quartier/transform/parallel"
)

// Derive fills the composed scores of all nodes.
func Derive(ctx context.Context, m *channel.Matrix, s *channel.Quantities, r *access.Reach, c *calibration.Calibration) error {
	return parallel.Nodes(ctx, m.Nodes, func(lo, hi int) {
		for node := lo; node < hi; node++ {
			compose(m, s, r, c, node)
		}
	})
}

// compose fills the composed scores of a node.
func compose(m *channel.Matrix, s *channel.Quantities, r *access.Reach, c *calibration.Calibration, node int) {
	get := func(channel schemas.Channel) float64 { return m.Get(node, channel) }
	base := of(r.Base, node)
	street := rating.Street(get(intersections), get(localStreets), get(unpleasant))
	walk := rating.Pedestrian(&c.Scores, base, street)
	cycle := rating.Cycling(&c.Scores, of(s.BikeLanes, node), of(s.SteepestPct, node), of(r.BicycleBase, node), of(s.LowStress, node))
	quiet := rating.Quiet(c.Scores.Quiet, of(s.NoiseDB, node), get(nightlifeAccess))
	parks := rating.Parks(&c.Scores, get(parkAccess), get(parkBySize))
	green := 5 * of(s.Green, node)
	m.Set(node, pedestrian, walk)
	m.Set(node, cycling, cycle)
	m.Set(node, car, rating.Car(&c.Scores, get(highway), of(s.ParkingShare, node), of(r.Driven, node), of(s.DensityKM2, node)))
	m.Set(node, quietScore, quiet)
	m.Set(node, historic, 5*of(s.Historic, node))
	m.Set(node, parksScore, parks)
	m.Set(node, greenery, green)
	m.Set(node, wellness, rating.Wellness(&c.Scores, parks, green, quiet, walk, cycle,
		rating.Errands(get(fitness), get(healthyRestaurants), get(groceries))))
	for _, pair := range copied {
		m.Set(node, pair.score, get(pair.measure))
	}
}

// of is a quantity at a node, NaN where it is absent.
func of(quantity []float32, node int) float64 {
	if quantity == nil {
		return math.NaN()
	}
	return float64(quantity[node])
}
