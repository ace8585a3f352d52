package land

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/transform/feature"
	"quartier/transform/measures/measure"
)

// malls reports for every shop whether it is in a mall, or on retail land of which so large a share is parking that it is a
// strip mall.
func malls(ctx context.Context, r *measure.Region, raster *Raster, shops []orb.Point) ([]bool, error) {
	inMall := make([]bool, len(shops))
	if len(shops) == 0 {
		return inMall, nil
	}
	boxes := make([]orb.Bound, len(shops))
	for i, p := range shops {
		boxes[i] = orb.Bound{Min: p, Max: p}
	}
	index := coord.NewBoxIndex(boxes)
	mark := func(_ *feature.Feature, area orb.MultiPolygon) {
		prepared := geo.Prepare(area)
		index.Search(area.Bound(), func(shop int) bool {
			inMall[shop] = inMall[shop] || prepared.Contains(shops[shop])
			return true
		})
	}
	if err := feature.Shapes(ctx, r.Staged, "mall", mark); err != nil {
		return nil, err
	}
	parking, minShare := raster.Layer([]string{"parking"}), r.Calibration.Land.Mall.ParkingShare
	return inMall, feature.Shapes(ctx, r.Staged, "land", func(f *feature.Feature, area orb.MultiPolygon) {
		if f.Class != "retail" {
			return
		}
		counts := []int{0}
		if cells := parking.Area(area, counts); cells > 0 && float64(counts[0]) >= minShare*float64(cells) {
			mark(f, area)
		}
	})
}
