package geographies

import (
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/schemas"
)

// nested makes about n geographies: districts of a country, each split into four of the next level and so on, all
// borders shared and wavy.
func nested(n, vertices int) []Record {
	levels := []schemas.Level{70, 60, 40, 37, 30, 20, 10}
	var records []Record
	var add func(depth int, west, south, size float64)
	add = func(depth int, west, south, size float64) {
		if depth == len(levels) || len(records) >= n {
			return
		}
		r := record(fmt.Sprintf("g%d_%d", levels[depth], len(records)), levels[depth], orb.MultiPolygon{{wavy(west, south, size, vertices)}})
		r.AreaM2 = size * size * 1e10
		records = append(records, r)
		for i := range 4 {
			add(depth+1, west+size/2*float64(i%2), south+size/2*float64(i/2), size/2)
		}
	}
	add(0, -100, 40, 8)
	return records
}

// wavy is a square whose sides are sine waves, the same as those of its neighbours.
func wavy(west, south, size float64, vertices int) orb.Ring {
	corners := []orb.Point{{west, south}, {west + size, south}, {west + size, south + size}, {west, south + size}, {west, south}}
	var ring orb.Ring
	for k := 1; k < len(corners); k++ {
		a, b := corners[k-1], corners[k]
		for i := range vertices / 4 {
			f := float64(i) / float64(vertices/4)
			p := orb.Point{a[0] + f*(b[0]-a[0]), a[1] + f*(b[1]-a[1])}
			ring = append(ring, orb.Point{p[0] + 0.001*math.Sin(300*p[1]), p[1] + 0.001*math.Sin(300*p[0])})
		}
	}
	return append(ring, ring[0])
}

func BenchmarkAt(b *testing.B) {
	for _, vertices := range []int{40, 400, 4000} {
		b.Run(fmt.Sprintf("5000 nested of %d vertices", vertices), func(b *testing.B) {
			records := nested(5000, vertices)
			table := build(b, records, nil)
			records = nil
			var found []int
			var body []byte
			n := 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				lng, lat := -100+8*math.Mod(float64(i)*0.618034, 1), 40+8*math.Mod(float64(i)*0.414214, 1)
				found = table.At(found[:0], lng, lat, 0)
				body = body[:0]
				for _, g := range found {
					body, _ = table.AppendMember(body, g, false)
					body = append(body, ',')
				}
				n += len(found)
			}
			b.ReportMetric(float64(n)/float64(b.N), "found/op")
			b.ReportMetric(float64(4*(len(table.locator.cells)+len(table.locator.nodes)))/1e6, "MB")
		})
	}
}
