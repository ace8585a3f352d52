package smallareas

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas/demographics"
)

// The city of the benchmarks: blocks of 150 metres with twelve corners around 45° N.
const (
	cityColumns, cityRows = 216, 235 // blocks: 50,760
	blockLng, blockLat    = 0.0019, 0.00135
	cityWest, citySouth   = -75.0, 45.0
)

// bend is a point along a side of a block, slightly off the straight line.
func bend(x, y float64) orb.Point {
	off := 0.04 * math.Sin(37*x+59*y)
	return orb.Point{cityWest + (x+off)*blockLng, citySouth + (y+off)*blockLat}
}

func cityBlock(x, y int) orb.MultiPolygon {
	var ring orb.Ring
	corners := [...][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}
	for i, from := range corners[:4] {
		to := corners[i+1]
		for k := range 3 {
			t := float64(k) / 3
			ring = append(ring, bend(float64(x)+from[0]+t*(to[0]-from[0]), float64(y)+from[1]+t*(to[1]-from[1])))
		}
	}
	return orb.MultiPolygon{{append(ring, ring[0])}}
}

// openCity is the city in areas of six by five blocks with every figure of the United States, in groups of four by
// four areas.
func openCity(b *testing.B) *Table {
	random := rand.New(rand.NewPCG(1, 2))
	f := packtest.Open(b, func(out *pack.Writer) error {
		w := NewWriter(out)
		const wide, tall, ward = cityColumns / 6, cityRows / 5, 4
		for wy := 0; wy < tall; wy += ward {
			for wx := 0; wx < wide; wx += ward {
				for y := wy; y < min(wy+ward, tall); y++ {
					for x := wx; x < min(wx+ward, wide); x++ {
						var parts []Part
						for k := range 30 {
							parts = append(parts, Part{cityBlock(6*x+k%6, 5*y+k/6),
								[universes]float64{float64(1 + random.IntN(200)), float64(1 + random.IntN(80)), float64(1 + random.IntN(90))}})
						}
						var values []Value
						for cell := range demographics.Cells {
							if demographics.Cells[cell].Has("US") {
								values = append(values, value(cell, float64(random.IntN(300)), float64(random.IntN(90))))
							}
						}
						must(b, w.AddArea("US_OR", Sigma{0.3, 0}, values, parts))
					}
				}
			}
		}
		return w.Finish()
	})
	table, err := Open(f)
	must(b, err)
	return table
}

// BenchmarkEstimate measures the sums around points of a city.
//
//	go test ./internal/pack/smallareas -run '^$' -bench Estimate
func BenchmarkEstimate(b *testing.B) {
	table := openCity(b)
	random := rand.New(rand.NewPCG(3, 4))
	shape, out := new(areal.Shape), new(Estimates)
	somewhere := func() (lng, lat float64) {
		return cityWest + (0.2+0.6*random.Float64())*cityColumns*blockLng, citySouth + (0.2+0.6*random.Float64())*cityRows*blockLat
	}
	disc := func(radius float64) func() {
		return func() {
			lng, lat := somewhere()
			shape.SetDisc(lng, lat, radius)
		}
	}
	// star is a polygon of 200 corners, four to six kilometres from its middle.
	ring := make(orb.Ring, 201)
	star := func() {
		lng, lat := somewhere()
		for i := range ring[:200] {
			angle, metres := 2*math.Pi*float64(i)/200, 4000+2000*random.Float64()
			ring[i] = orb.Point{lng + metres*math.Cos(angle)/78800, lat + metres*math.Sin(angle)/111100}
		}
		ring[200] = ring[0]
		shape.SetPolygon(orb.Polygon{ring})
	}
	for _, tt := range []struct {
		name string
		set  func()
	}{{"500 m", disc(500)}, {"5 km", disc(5000)}, {"polygon", star}} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tt.set()
				table.Estimate(shape, Scope{Country: "US"}, out)
			}
			if out.Persons == 0 {
				b.Error("no population")
			}
		})
	}
}
