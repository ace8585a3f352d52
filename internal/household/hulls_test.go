package household

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
)

func rectangle(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
}

// hullsOf returns boxes as hulls.
func hullsOf(boxes ...orb.MultiPolygon) (list Hulls) {
	for _, box := range boxes {
		list = append(list, geo.Prepare(box))
	}
	return list
}

func TestShareOfHulls(t *testing.T) {
	const metre = 1e-5
	square := rectangle(0, 0, 1, 1)
	apart := slices.Concat(rectangle(0, 0, 1, metre), rectangle(0, 1-metre, 1, 1))
	for _, tt := range []struct {
		name     string
		area     orb.MultiPolygon
		hulls    Hulls
		from, to float64
	}{
		{"no hulls", square, nil, 0, 0},
		{"some", square, hullsOf(rectangle(0, 0, 0.4, 1)), 0.399, 0.401},
		{"most", square, hullsOf(rectangle(0, 0.4, 1, 2)), 0.59, 0.61},
		{"two that overlap", square, hullsOf(rectangle(0, 0, 0.4, 1), rectangle(0.3, 0, 0.6, 1)), 0.599, 0.601},
		{"an outline as small as a point", rectangle(0.5, 0.5, 0.5+1e-9, 0.5+1e-9), hullsOf(square), 1, 1},
		{"slivers between the parallels, the centroid inside", apart, hullsOf(rectangle(0.4, 0.4, 0.6, 0.6)), 1, 1},
		{"the centroid outside", apart, hullsOf(rectangle(0.4, 0.6, 0.6, 0.7)), 0, 0},
	} {
		if got := tt.hulls.ShareOf(tt.area, tt.area.Bound().Center()); got < tt.from || got > tt.to {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Another region never reduces the share.
func TestShareGrowsWithRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.Float64Range(-1, 2), rapid.SampledFrom([]float64{0, 0.25, 0.5, 1}))
		point := rapid.Custom(func(t *rapid.T) orb.Point { return orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")} })
		area := geo.Prepare(slices.Concat(rectangle(0, 0, 1, 1), rectangle(1.2, 0.3, 1.5, 0.4)))
		var hulls Hulls
		before := 0.0
		for range rapid.IntRange(1, 5).Draw(t, "regions") {
			var hull geo.Hull
			for _, p := range rapid.SliceOfN(point, 0, 6).Draw(t, "nodes") {
				hull.Add(p)
			}
			hulls.Append(&hull)
			share := hulls.Share(area, 2, orb.Point{0.5, 0.5})
			if share < before-1e-12 || share > 1 {
				t.Fatalf("%v after %v", share, before)
			}
			before = share
		}
	})
}
