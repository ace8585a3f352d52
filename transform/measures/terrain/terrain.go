// Package terrain computes how steep the land and the streets are around every node of a walking network. Input:
// staged elevation tiles, water areas and streets. Output: the measures terrain_steepness and street_steepness and,
// for cycling_friendly, the steepest street nearby. All are absent where there are no elevation data.
package terrain

import (
	"context"
	"fmt"
	"math"

	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/transform/issue"
	"quartier/transform/measures/land"
	"quartier/transform/measures/measure"
)

var (
	terrainSteepness = schemas.MustChannel("terrain_steepness")
	streetSteepness  = schemas.MustChannel("street_steepness")
)

// Derive sets:
//   - terrain_steepness: the mean slope of the land within 1 km; 15 % is the maximum;
//   - street_steepness: the mean grade of the streets within 800 m, weighted by length; 10 % is the maximum;
//   - Quantities.SteepestPct: the steepest grade over 100 m of a street for bicycles within 200 m.
//
// A disc of which less than half is known has no value. It takes some 45 MB for 1,000 km² of neighbourhood, 30 bytes
// a node and 50 bytes an edge.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	t, nodes, m := &r.Calibration.Terrain, r.Network.Walk.Nodes, r.Channels
	terrain, err := readSurface(ctx, r.Staged, nodes, t)
	if err != nil {
		return nil, fmt.Errorf("terrain: %w", err)
	}
	if terrain == nil {
		return nil, nil
	}
	water, err := land.ReadRaster(ctx, r, t.Slope.RadiusM, "water")
	if err != nil {
		return nil, fmt.Errorf("terrain: %w", err)
	}
	terrain = terrain.smoothed()
	slopes, err := newSlopes(ctx, terrain, water.Classes, nodes, t)
	if err != nil {
		return nil, fmt.Errorf("terrain: %w", err)
	}
	grades := newGrades(r.Network, terrain, t)
	streets, steepest := grades.streets(t), grades.steepest(t)
	r.Quantities.SteepestPct = make([]float32, len(nodes))
	err = parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		totals := make([]uint64, 3)
		for node := lo; node < hi; node++ {
			at := nodes[node].Orb()
			m.Set(node, terrainSteepness, rating.TerrainSteepness(t, slopes.mean(at, totals), nil))
			m.Set(node, streetSteepness, rating.StreetSteepness(t, streets.mean(at, totals), nil))
			r.Quantities.SteepestPct[node] = float32(steepest.at(nodes[node]))
		}
	})
	return grades.capped.Issues(), err
}

var unknown = float32(math.NaN())
