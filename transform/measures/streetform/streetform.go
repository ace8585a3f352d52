// Package form works out how the streets lie around every node of a walking network. In go the staged streets, the
// yards of railways and the land; out come the measures intersection_density, local_street_proportion and
// infrastructure_unpleasant_for_pedestrians. What a source does not tell of a street, its speed and its lanes, is that
// of its class.
package streetform

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/land"
	"quartier/transform/measures/raster"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/network/strip"
	"quartier/transform/parallel"
)

var (
	intersectionDensity, _ = schemas.ChannelOf("intersection_density")
	localProportion, _     = schemas.ChannelOf("local_street_proportion")
	unpleasant, _          = schemas.ChannelOf("infrastructure_unpleasant_for_pedestrians")
)

// Derive sets the three measures for every node of net.Walk:
//   - intersection_density: EPA's D3B in a disc of 800 m, less its water, as the national rank 1 to 20;
//   - local_street_proportion: the share of residential streets and the like in the length of streets in the disc;
//   - infrastructure_unpleasant_for_pedestrians: the share of ways within 500 m that are along four lanes or more or
//     fast cars, or within 50 m of a motorway, a railway yard or industry.
//
// A share of too little is absent. For a million nodes of a state like Delaware it takes 350 MB for a while and 10 s of
// one processor.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, m *channel.Matrix, c *calibration.Calibration) ([]issue.Issue, error) {
	if net.Walk == nil {
		return nil, nil
	}
	f := &c.Form
	ground, err := land.ReadRaster(ctx, staged, net.Walk.Nodes, f.RadiusM, &c.Land, append([]string{"water"}, f.Unpleasant.Land...)...)
	if err != nil {
		return nil, fmt.Errorf("street form: %w", err)
	}
	nuisance, err := newNuisance(ctx, staged, net.Streets, ground, c)
	if err != nil {
		return nil, fmt.Errorf("street form: %w", err)
	}
	ways, err := walks(ctx, net, nuisance)
	if err != nil {
		return nil, fmt.Errorf("street form: %w", err)
	}
	water := ground.Layer([]string{"water"})
	crossings := newCounted(intersections(net.Streets, c), f.RadiusM)
	streets := lengths(net, f)
	return nil, parallel.Nodes(ctx, m.Nodes, func(lo, hi int) {
		wet, totals := []int{0}, []uint64{0, 0}
		for node := lo; node < hi; node++ {
			at := strip.Degrees(net.Walk.Nodes[node])
			wet[0] = 0
			cells := water.Disc(at, f.RadiusM, wet)
			m.Set(node, intersectionDensity, density(crossings.within(net.Walk.Nodes[node], f.RadiusM), 1-float64(wet[0])/float64(cells), f))
			m.Set(node, localProportion, 5*share(streets, totals, at, f.RadiusM, f.MinStreetM))
			m.Set(node, unpleasant, 5*f.Unpleasant.Factor*share(ways, totals, at, f.Unpleasant.RadiusM, f.Unpleasant.MinM))
		}
	})
}

// lengths are the decimetres of streets around every node: all, and the local ones.
func lengths(net *street.Network, f *calibration.Form) *raster.Sums {
	const all, local, cellM = 0, 1, 50
	s := raster.NewSums(net.Walk.Nodes, cellM, f.RadiusM, 2)
	for i := range net.Streets {
		way := &net.Streets[i]
		isLocal := slices.Contains(f.Local, way.Class)
		if isLocal {
			s.AddLine(local, way.Line, 10)
		}
		if isLocal || slices.Contains(f.Through, way.Class) {
			s.AddLine(all, way.Line, 10)
		}
	}
	s.Finish()
	return s
}

// share is the second layer's part in the first one; NaN where there is less than least metres of it. totals is room for
// both.
func share(s *raster.Sums, totals []uint64, at orb.Point, radius, least float64) float64 {
	clear(totals)
	s.Disc(at, radius, totals)
	if float64(totals[0]) < 10*least {
		return math.NaN()
	}
	return float64(totals[1]) / float64(totals[0])
}
