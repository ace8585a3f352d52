package neighbours

import (
	"slices"
	"testing"

	"quartier/internal/coord"
)

// TestPairsMeetByVertices checks that vertices meet on both sides of the edges of cells, and farther ones do not.
func TestPairsMeetByVertices(t *testing.T) {
	var list []vertex
	for place, lng := range []int32{749_999_900, 750_000_100, 750_005_000, 750_005_000, -750_005_000} {
		list = appendVertices(list, []coord.Point{{Lng: lng, Lat: 450_000_499}}, int32(place))
	}
	if got := meet(list); !slices.Equal(got, [][2]int32{{0, 1}, {2, 3}}) {
		t.Errorf("pairs %v", got)
	}
	table := Table{IDs: []string{"a", "b", "c"}, Pairs: [][2]int32{{0, 1}, {0, 2}}}
	if of := table.Of(); !slices.Equal(of["a"], []string{"b", "c"}) || !slices.Equal(of["c"], []string{"a"}) {
		t.Errorf("neighbours %v", of)
	}
}
