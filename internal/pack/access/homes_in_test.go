package access

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

// TestHomesIn compares the homes in boxes with looking at all of them.
func TestHomesIn(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, homes := range []int{0, 1, 700} {
		table, err := Open(packtest.Open(t, func(out *pack.Writer) error {
			w := NewWriter(out, 250)
			must(t, w.AddNode(&[schemas.ChannelCount]uint16{}))
			must(t, w.AddNode(&[schemas.ChannelCount]uint16{}))
			must(t, w.AddEdge(Edge{0, 1, 100}, []coord.Point{point(t, 0, 0), point(t, 0.001, 0)}))
			for range homes {
				at := orb.Point{random.Float64()*0.2 - 75.1, 39.9 + 0.2*float64(random.IntN(5)) + 0.02*random.Float64()} // strips between are empty
				must(t, w.AddHome(Home{Point: at, Weight: 1000}))
			}
			return w.Finish()
		}))
		must(t, err)
		for range 200 {
			a := orb.Point{random.Float64()*0.3 - 75.15, 39.8 + random.Float64()*1.2}
			box := orb.Bound{Min: a, Max: orb.Point{a[0] + 0.2*random.Float64(), a[1] + random.Float64()*random.Float64()}}
			var got, want []int
			table.HomesIn(box, func(i int) { got = append(got, i) })
			for i := range table.Homes() {
				if box.Contains(table.HomePoint(i)) {
					want = append(want, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v of %d homes: %d, want %d", box, homes, len(got), len(want))
			}
		}
	}
}
