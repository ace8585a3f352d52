package household

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/schemas"
)

func drawHomes(t *rapid.T) []Home {
	value := rapid.OneOf(rapid.Uint16Range(0, 50000), rapid.Uint16Range(0, 3), rapid.Uint16Range(25590, 25610),
		rapid.Just(schemas.AbsentValue))
	coordinate := rapid.OneOf(rapid.Float64Range(-0.05, 0.05), rapid.SampledFrom([]float64{-0.03, -0.01, 0, 0.02, 0.03}))
	list := make([]Home, rapid.IntRange(1, 40).Draw(t, "homes"))
	for i := range list {
		list[i] = Home{
			Point:  orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")},
			Weight: rapid.OneOf(rapid.Uint64Range(1, 9), rapid.Uint64Range(1, 1e12)).Draw(t, "weight"),
			Street: rapid.Bool().Draw(t, "street"),
		}
		for s := range list[i].Values {
			list[i].Values[s] = value.Draw(t, "value")
		}
	}
	return list
}

func TestHomesInABox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawHomes(t)
		x := NewIndex(list)
		edge := rapid.OneOf(rapid.Float64Range(-0.06, 0.06), rapid.SampledFrom([]float64{-0.03, -0.01, 0, 0.02, 0.03}))
		box := orb.MultiPoint{{edge.Draw(t, "west"), edge.Draw(t, "south")}, {edge.Draw(t, "east"), edge.Draw(t, "north")}}.Bound()
		var want []int32
		for i, h := range x.Homes {
			if box.Contains(h.Point) {
				want = append(want, int32(i))
			}
		}
		if got := x.InBox(nil, box); !slices.Equal(got, want) {
			t.Fatalf("in %v: %v, want %v", box, got, want)
		}
	})
}
