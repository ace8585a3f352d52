package geographies

import (
	"testing"

	"quartier/internal/coord"

	"github.com/paulmach/orb"
)

// TestManySmallOutlinesAreSplit checks that cells with many outlines of four edges each are split.
func TestManySmallOutlinesAreSplit(t *testing.T) {
	const side = 60
	var areas []coord.Area
	for x := range side {
		for y := range side {
			w, s := -80+float64(x)/10, 40+float64(y)/10
			area, err := coord.NewArea(orb.MultiPolygon{{{{w, s}, {w + 0.05, s}, {w + 0.05, s + 0.05}, {w, s + 0.05}, {w, s}}}})
			if err != nil {
				t.Fatal(err)
			}
			areas = append(areas, area)
		}
	}
	nodes, cells := buildLocator(areas)
	for _, child := range nodes {
		if child&cellBit == 0 {
			continue
		}
		if parts := cells[child&^cellBit+1]; parts > fewEdges+fewPerArea*fewAreas {
			t.Fatalf("a cell has parts of %d outlines", parts)
		}
	}
	if perArea := len(cells) / len(areas); perArea > 2000 {
		t.Errorf("the cells take %d numbers an outline", perArea)
	}
}
