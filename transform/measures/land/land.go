// Package land computes how the land around every node of a walking network is used: how green and how old it is, how much
// of it is parking or idle, and whether its shops are in malls. Input: staged areas of land, buildings, trees, heritage
// sites and malls, and the destinations. Output: values of channel.Quantities. Areas are rasterised to cells of 25 m.
package land

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/parallel"
	"quartier/internal/pointindex"
	"quartier/internal/rating"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/measures/measure"
	"quartier/transform/network/channel"
)

// Derive sets Green, Historic, ParkingShare, IdleShare and MallShare. ParkingShare, IdleShare and MallShare are absent
// without land use (feature.HasLandCover); Historic where too few buildings have a year of construction and too few
// dwellings a period, Green where no raster knows the land cover and neither trees nor clearly green or sealed land are
// mapped (surface.greenery). A million nodes of a state like Delaware take
// 500 MB temporarily and 8 s of one processor.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	c := &r.Calibration.Land
	if err := historic(ctx, r, &c.Historic); err != nil {
		return nil, fmt.Errorf("historic: %w", err)
	}
	if err := mappedLand(ctx, r); err != nil {
		return nil, err
	}
	if err := coverGreen(ctx, r); err != nil {
		return nil, fmt.Errorf("greenery: %w", err)
	}
	return nil, nil
}

// mappedLand sets the quantities of land use, if a source has it.
func mappedLand(ctx context.Context, r *measure.Region) error {
	c := &r.Calibration.Land
	if has, err := feature.HasLandCover(ctx, r.Staged); err != nil || !has {
		return err
	}
	raster, err := ReadRaster(ctx, r, max(c.Green.RadiusM, c.ParkingM, c.IdleM))
	if err != nil {
		return fmt.Errorf("land: %w", err)
	}
	if err := green(ctx, r, raster); err != nil {
		return fmt.Errorf("greenery: %w", err)
	}
	if err := uses(ctx, r, raster); err != nil {
		return fmt.Errorf("land: %w", err)
	}
	shops := r.Destinations.Points(r.Calibration.Access.Frontage.Classes)
	inMall, err := malls(ctx, r, raster, shops)
	if err != nil {
		return fmt.Errorf("malls: %w", err)
	}
	r.Quantities.MallShare, err = mallShare(ctx, r, shops, inMall)
	return err
}

// uses sets the shares of parking and of idle land.
func uses(ctx context.Context, r *measure.Region, raster *Raster) error {
	nodes, q, c := r.Network.Walk.Nodes, r.Quantities, &r.Calibration.Land
	q.ParkingShare, q.IdleShare = channel.Absent(len(nodes)), channel.Absent(len(nodes))
	parking, idle := raster.Layer([]string{"parking"}), raster.Layer(c.Idle)
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		counts := []int{0}
		for node := lo; node < hi; node++ {
			at := nodes[node].Orb()
			counts[0] = 0
			cells := parking.Disc(at, c.ParkingM, counts)
			q.ParkingShare[node] = float32(counts[0]) / float32(cells)
			counts[0] = 0
			cells = idle.Disc(at, c.IdleM, counts)
			q.IdleShare[node] = float32(counts[0]) / float32(cells)
		}
	})
}

// mallShare is the share of shops in malls at every node. Each shop has the decay weight of its straight distance; the
// share is absent if no shop is within reach.
func mallShare(ctx context.Context, r *measure.Region, shops []orb.Point, inMall []bool) ([]float32, error) {
	var points []coord.Point
	var kept []bool
	for i, p := range shops {
		if at, ok := coord.NewPoint(p[0], p[1]); ok {
			points, kept = append(points, at), append(kept, inMall[i])
		}
	}
	index := pointindex.NewValues(points, kept, r.Calibration.Land.Mall.StripM)
	decay, nodes := rating.NewDecay(r.Calibration.Walking), r.Network.Walk.Nodes
	shares := channel.Absent(len(nodes))
	return shares, parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		for node := lo; node < hi; node++ {
			var all, malls float64
			index.Within(nodes[node], decay.Reach(), func(inMall *bool, square float64) {
				weight := decay.At(math.Sqrt(square))
				all += weight
				if *inMall {
					malls += weight
				}
			})
			if all > 0 {
				shares[node] = float32(malls / all)
			}
		}
	})
}
