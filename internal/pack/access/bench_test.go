package access

import (
	"math/rand/v2"
	"testing"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

// BenchmarkPoint measures the work of the server for a point in a city of 160,000 nodes on a grid of streets of 100 m.
//
//	go test ./internal/pack/access -run '^$' -bench Point
func BenchmarkPoint(b *testing.B) {
	const wide, step = 400, 0.0009
	random := rand.New(rand.NewPCG(1, 2))
	f := packtest.Open(b, func(out *pack.Writer) error {
		w := NewWriter(out, 250)
		for range wide * wide {
			var values [schemas.ChannelCount]uint16
			for c := range values {
				values[c] = uint16(random.IntN(maxValue + 1))
			}
			must(b, w.AddNode(&values))
		}
		street := func(x, y, x2, y2 int) {
			line := []coord.Point{point(b, float64(x)*step, float64(y)*step), point(b, float64(x2)*step, float64(y2)*step)}
			must(b, w.AddEdge(Edge{uint32(y*wide + x), uint32(y2*wide + x2), 100}, line))
		}
		for y := range wide - 1 {
			for x := range wide - 1 {
				street(x, y, x+1, y)
				street(x, y, x, y+1)
			}
		}
		return w.Finish()
	})
	table, err := Open(f)
	must(b, err)
	var values [schemas.ChannelCount]uint16
	b.ReportAllocs()
	for b.Loop() {
		spot, ok := table.Locate(random.Float64()*0.35, random.Float64()*0.35)
		if !ok {
			b.Fatal("no street")
		}
		table.Values(spot, &values)
	}
}
