package vector

import "testing"

// BenchmarkRead reads real files to WGS 84.
func BenchmarkRead(b *testing.B) {
	for _, path := range []string{
		"us-portland/boundaries/pdx-2010-census-blockgroups.shp",
		"us-portland/boundaries/tl_2019_41_place.zip",
		"ca-ottawa/statcan-2021/ottawa_db_2021.geojson",
		"ca-national/province_territory_simplified_sp.shp",
	} {
		b.Run(path, func(b *testing.B) {
			points := 0
			for b.Loop() {
				points = 0
				for _, f := range features(b, open(b, path, Options{})) {
					points += pointCount(f.Geometry)
				}
			}
			b.ReportMetric(float64(points), "points")
			b.ReportMetric(float64(points)*float64(b.N)/b.Elapsed().Seconds(), "points/s")
		})
	}
}
