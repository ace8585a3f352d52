// Package terrain works out how steep the land and the streets are around every node of a walking network. In go the
// staged tiles of heights, the water and the streets; out come the measures terrain_steepness and street_steepness and,
// for the score of cycling, the steepest street nearby. Where nobody measured heights there is none of it.
package terrain

import (
	"context"
	"fmt"
	"math"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/land"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/network/strip"
	"quartier/transform/parallel"
)

var (
	terrainSteepness, _ = schemas.ChannelOf("terrain_steepness")
	streetSteepness, _  = schemas.ChannelOf("street_steepness")
)

// Derive sets for every node of net.Walk:
//   - terrain_steepness: the mean slope of the land within 1 km, 15 % is the most;
//   - street_steepness: the mean grade of the streets within 800 m by length, 10 % is the most;
//   - SteepestPct of s: the steepest grade over 100 m of a street for bicycles within 200 m.
//
// What is known of less than half of a disc is absent. It takes some 45 MB for 1,000 km² of neighbourhood, 30 bytes a node
// and 50 bytes an edge.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, m *channel.Matrix, s *channel.Quantities, c *calibration.Calibration) ([]issue.Issue, error) {
	if net.Walk == nil {
		return nil, nil
	}
	t := &c.Terrain
	ground, err := readSurface(ctx, staged, net.Walk.Nodes, t)
	if err != nil {
		return nil, fmt.Errorf("terrain: %w", err)
	}
	if ground == nil {
		return nil, nil
	}
	water, err := land.ReadRaster(ctx, staged, net.Walk.Nodes, t.Slope.RadiusM, &c.Land, "water")
	if err != nil {
		return nil, fmt.Errorf("terrain: %w", err)
	}
	ground = ground.smoothed()
	slopes, err := newSlopes(ctx, ground, water.Classes, net.Walk.Nodes, t)
	if err != nil {
		return nil, fmt.Errorf("terrain: %w", err)
	}
	grades := newGrades(net, ground, t)
	streets, hills := grades.streets(t), grades.hills(t)
	s.SteepestPct = make([]float32, m.Nodes)
	err = parallel.Nodes(ctx, m.Nodes, func(lo, hi int) {
		totals := make([]uint64, 3)
		for node := lo; node < hi; node++ {
			at := strip.Degrees(net.Walk.Nodes[node])
			m.Set(node, terrainSteepness, 5*slopes.mean(at, totals)/t.Slope.FullPct)
			m.Set(node, streetSteepness, 5*streets.mean(at, totals)/t.Street.FullPct)
			s.SteepestPct[node] = float32(hills.steepest(net.Walk.Nodes[node]))
		}
	})
	return grades.capped.Issues(), err
}

var unknown = float32(math.NaN())
