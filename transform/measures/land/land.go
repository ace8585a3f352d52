// Package land tells what the ground around every node of a walking network is: how green, how old, how much of it is
// car parks or idle, and whether its shops stand in malls. In go the staged areas of land, buildings, trees, heritage
// and malls; out come quantities of channel.Quantities. Areas are cells of 25 m.
package land

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/network/strip"
	"quartier/transform/parallel"
)

// Derive sets Green, Historic, ParkingShare, IdleShare and MallShare of s for every node of net.Walk. shops are the
// places that sell food and goods. All but Historic are absent where no source tells the ground beside the streets
// (feature.LandCovered); Historic is absent where buildings or their years are not known (Land.Historic), Green where neither
// trees nor clearly green or sealed land are mapped (around.greenery). For a million nodes of a state like Delaware it
// takes 500 MB for a while and 8 s of one processor.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, s *channel.Quantities, shops []orb.Point, c *calibration.Calibration) ([]issue.Issue, error) {
	if net.Walk == nil {
		return nil, nil
	}
	nodes := net.Walk.Nodes
	if err := historic(ctx, staged, nodes, s, &c.Land.Historic); err != nil {
		return nil, fmt.Errorf("historic: %w", err)
	}
	if told, err := feature.LandCovered(ctx, staged); err != nil || !told {
		return nil, err
	}
	ground, err := ReadRaster(ctx, staged, nodes, max(c.Land.Green.RadiusM, c.Land.ParkingM, c.Land.IdleM), &c.Land)
	if err != nil {
		return nil, fmt.Errorf("land: %w", err)
	}
	if err := green(ctx, staged, net, ground, s, c); err != nil {
		return nil, fmt.Errorf("greenery: %w", err)
	}
	if err := uses(ctx, nodes, ground, s, &c.Land); err != nil {
		return nil, fmt.Errorf("land: %w", err)
	}
	inMall, err := malls(ctx, staged, ground, shops, &c.Land.Mall)
	if err != nil {
		return nil, fmt.Errorf("malls: %w", err)
	}
	s.MallShare, err = mallShare(ctx, nodes, shops, inMall, c)
	return nil, err
}

// uses sets the shares of car parks and of idle land.
func uses(ctx context.Context, nodes []coord.Point, ground *Raster, s *channel.Quantities, c *calibration.Land) error {
	s.ParkingShare, s.IdleShare = absent(len(nodes)), absent(len(nodes))
	parking, idle := ground.Layer([]string{"parking"}), ground.Layer(c.Idle)
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		counts := []int{0}
		for node := lo; node < hi; node++ {
			at := strip.Degrees(nodes[node])
			counts[0] = 0
			cells := parking.Disc(at, c.ParkingM, counts)
			s.ParkingShare[node] = float32(counts[0]) / float32(cells)
			counts[0] = 0
			cells = idle.Disc(at, c.IdleM, counts)
			s.IdleShare[node] = float32(counts[0]) / float32(cells)
		}
	})
}

// mallShare is the share of shops in malls at every node, each worth what the walk there leaves of it; a walk is taken
// for straight. It is absent where no shop is within reach.
func mallShare(ctx context.Context, nodes []coord.Point, shops []orb.Point, inMall []bool, c *calibration.Calibration) ([]float32, error) {
	var points []coord.Point
	var kept []bool
	for i, p := range shops {
		if at, ok := coord.NewPoint(p[0], p[1]); ok {
			points, kept = append(points, at), append(kept, inMall[i])
		}
	}
	index, order := strip.New(points, c.Land.Mall.StripM)
	walk := rating.NewWalk(c.Walking)
	shares := absent(len(nodes))
	return shares, parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		for node := lo; node < hi; node++ {
			plane := strip.NewPlane(nodes[node])
			var all, malls float64
			index.Runs(nodes[node], walk.Reach(), func(lo, hi int) {
				for _, shop := range order[lo:hi] {
					worth := walk.Worth(math.Sqrt(plane.Square(points[shop])))
					all += worth
					if kept[shop] {
						malls += worth
					}
				}
			})
			if all > 0 {
				shares[node] = float32(malls / all)
			}
		}
	})
}

// absent is values that are not known.
func absent(nodes int) []float32 {
	values := make([]float32, nodes)
	for i := range values {
		values[i] = float32(math.NaN())
	}
	return values
}
