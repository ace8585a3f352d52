package coord

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func TestBoxIndexAgreesWithBruteForce(t *testing.T) {
	side := rapid.Float64Range(-10, 10)
	draw := func(t *rapid.T) orb.Bound {
		p := orb.Point{side.Draw(t, "x"), side.Draw(t, "y")}
		return orb.Bound{Min: p, Max: orb.Point{p[0] + rapid.Float64Range(0, 4).Draw(t, "w"), p[1] + rapid.Float64Range(0, 4).Draw(t, "h")}}
	}
	rapid.Check(t, func(t *rapid.T) {
		boxes := rapid.SliceOfN(rapid.Custom(draw), 0, 400).Draw(t, "boxes")
		query := draw(t)
		var got, want []int
		NewBoxIndex(boxes).Search(query, func(i int) bool { got = append(got, i); return true })
		slices.Sort(got)
		for i, b := range boxes {
			if b.Intersects(query) {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
	})
}

func TestBoxIndexStops(t *testing.T) {
	boxes := make([]orb.Bound, 1000)
	calls := 0
	NewBoxIndex(boxes).At(orb.Point{}, func(int) bool { calls++; return calls < 3 })
	if calls != 3 {
		t.Errorf("visited %d boxes after the visitor stopped at 3", calls)
	}
}
