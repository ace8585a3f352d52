package tiles

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/schemas/staged"
)

// Where a region has rows of its own, those of a wide source end: nothing is drawn twice, and there is no gap beside it.
func TestWideRowsEndWhereARegionIsExact(t *testing.T) {
	box := orb.Bound{Min: orb.Point{-76, 38}, Max: orb.Point{-75, 40}}
	e := exact{
		boxes:  map[string][]orb.Bound{"boundaries": {box}, "water_polygons": {box}},
		places: map[string][]exactPlace{"dover": {{orb.Point{-75.52, 39.16}, 7}}},
	}
	for _, c := range []struct {
		layer, name string
		shape       orb.Geometry
		last        uint8
	}{
		{"ocean", "", orb.MultiPolygon{{{{-80, 30}, {-70, 30}, {-70, 45}, {-80, 30}}}}, 0}, // the sea of an extract ends at its borders
		{"water_polygons", "", orb.MultiPolygon{{{{-75.5, 39}, {-75.4, 39}, {-75.4, 39.1}, {-75.5, 39}}}}, 9},
		{"water_polygons", "", orb.MultiPolygon{{{{-74.5, 39}, {-74.4, 39}, {-74.4, 39.1}, {-74.5, 39}}}}, 0},
		{"boundaries", "", orb.LineString{{-75.5, 39}, {-75.4, 39}}, 6},
		{"boundaries", "", orb.LineString{{-74.5, 39}, {-74.4, 39}}, 10},
		{"place_labels", "Dover", orb.Point{-75.53, 39.15}, 6},
		{"place_labels", "Dover", orb.Point{-70.9, 43.2}, 0},
		{"place_labels", "Trenton", orb.Point{-75.53, 39.15}, 0},
	} {
		if got := e.last(&staged.Ground{Layer: c.layer, Name: c.name}, c.shape); got != c.last {
			t.Errorf("%s %s: up to zoom %d, want %d", c.layer, c.name, got, c.last)
		}
	}
	border := orb.LineString{{-78, 39}, {-77, 39}, {-75.5, 39}, {-75.4, 39}, {-74, 39}, {-73, 39}}
	parts := e.outside("boundaries", border)
	if len(parts) != 2 || len(parts[0]) != 2 || len(parts[1]) != 2 || parts[0][0] != border[0] || parts[1][1] != border[5] {
		t.Errorf("the border goes on in %v", parts)
	}
}
