package schools

import (
	"testing"

	"quartier/internal/pack/strips"
)

// BenchmarkSearch searches among 20,000 schools with a catchment of half a kilometre each, with the schools of the address and
// without.
func BenchmarkSearch(b *testing.B) {
	records := world(20_000, 9, centres[0], 0.5)
	for i := range records {
		r := &records[i]
		r.Catchments = []Catchment{{Level: "elementary", Geometry: square(r.Lng, r.Lat, 0.005)}}
	}
	table := open(b, records)
	for name, holding := range map[string]bool{"near": false, "of the address": true} {
		b.Run(name, func(b *testing.B) {
			var r Result
			q := Query{Shape: strips.Shape{Lng: centres[0][0] + 0.001, Lat: centres[0][1], RadiusM: 5000}, Limit: 30, Holding: holding}
			b.ReportAllocs()
			for b.Loop() {
				table.Search(&q, &r)
			}
		})
	}
}
