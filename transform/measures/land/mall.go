package land

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
)

// malls says of every shop whether it stands in a mall, or on retail land of which so much is parking that it is a strip
// of shops for cars.
func malls(ctx context.Context, staged *duck.DB, ground *Raster, shops []orb.Point, c *calibration.Mall) ([]bool, error) {
	inMall := make([]bool, len(shops))
	if len(shops) == 0 {
		return inMall, nil
	}
	boxes := make([]orb.Bound, len(shops))
	for i, p := range shops {
		boxes[i] = orb.Bound{Min: p, Max: p}
	}
	index := geo.NewBoxIndex(boxes)
	take := func(area orb.MultiPolygon) {
		prepared := geo.Prepare(area)
		index.Search(area.Bound(), func(shop int) bool {
			inMall[shop] = inMall[shop] || prepared.Contains(shops[shop])
			return true
		})
	}
	err := feature.Each(ctx, staged, "mall", func(f *feature.Feature) error {
		if area, ok := f.Geometry.(orb.MultiPolygon); ok {
			take(area)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	parking := ground.Layer([]string{"parking"})
	return inMall, feature.Each(ctx, staged, "land", func(f *feature.Feature) error {
		area, ok := f.Geometry.(orb.MultiPolygon)
		if !ok || f.Class != "retail" {
			return nil
		}
		counts := []int{0}
		if cells := parking.Area(area, counts); cells > 0 && float64(counts[0]) >= c.ParkingShare*float64(cells) {
			take(area)
		}
		return nil
	})
}
