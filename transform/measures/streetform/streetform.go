// Package streetform computes the layout of the streets around every node of a walking network. Input: staged
// streets, railway yards and land use. Output: the measures intersection_density, local_street_proportion and
// infrastructure_unpleasant_for_pedestrians. Where a street has no speed or number of lanes, the defaults of its
// class are used.
package streetform

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/extent"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/land"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
)

var (
	intersectionDensity = schemas.MustChannel("intersection_density")
	localProportion     = schemas.MustChannel("local_street_proportion")
	unpleasant          = schemas.MustChannel("infrastructure_unpleasant_for_pedestrians")
)

// Derive sets the three measures:
//   - intersection_density: EPA's D3B in a disc of 800 m without its water and what is beyond the edge of the streets, as the national
//
// rank 1 to 20;
//   - local_street_proportion: the share of residential and similar streets in the length of the streets in the disc;
//   - infrastructure_unpleasant_for_pedestrians: the share of ways within 500 m that follow streets with four or more
//     lanes or fast traffic, or are within 50 m of a motorway, a railway yard or industry.
//
// A share of too little length is absent. A million nodes of a state like Delaware take 350 MB temporarily and 10 s
// of one processor.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	net, m, f := r.Network, r.Channels, &r.Calibration.Form
	uses, err := land.ReadRaster(ctx, r, f.RadiusM, append([]string{"water"}, f.Unpleasant.Land...)...)
	if err != nil {
		return nil, fmt.Errorf("street form: %w", err)
	}
	nuisance, err := newNuisance(ctx, r, uses)
	if err != nil {
		return nil, fmt.Errorf("street form: %w", err)
	}
	ways, err := walkways(ctx, net, nuisance)
	if err != nil {
		return nil, fmt.Errorf("street form: %w", err)
	}
	water := uses.Layer([]string{"water"})
	crossings := indexed(intersections(net.Streets, r.Calibration), f.RadiusM)
	streets, around := lengths(net, f), extent.NewWeight(f.RadiusM, nil)
	return nil, parallel.Nodes(ctx, m.Nodes, func(lo, hi int) {
		wet, totals := []int{0}, []uint64{0, 0}
		for node := lo; node < hi; node++ {
			at := net.Walk.Nodes[node].Orb()
			wet[0] = 0
			cells := water.Disc(at, f.RadiusM, wet)
			ground := 1 - float64(wet[0])/float64(cells) - r.Edges.StreetsBeyond(node, around)
			m.Set(node, intersectionDensity, density(weightWithin(crossings, net.Walk.Nodes[node], f.RadiusM), ground, f))
			m.Set(node, localProportion, rating.LocalStreets(f, share(streets, totals, at, f.RadiusM, f.MinStreetM), nil))
			m.Set(node, unpleasant, rating.UnpleasantStreets(f, share(ways, totals, at, f.Unpleasant.RadiusM, f.Unpleasant.MinM), nil))
		}
	})
}

// lengths are the decimetres of streets around every node: all, and local ones.
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

// share is the second layer divided by the first; NaN if the first has less than minM metres. totals is a buffer for
// both.
func share(s *raster.Sums, totals []uint64, at orb.Point, radius, minM float64) float64 {
	clear(totals)
	s.Disc(at, radius, totals)
	if float64(totals[0]) < 10*minM {
		return math.NaN()
	}
	return float64(totals[1]) / float64(totals[0])
}
