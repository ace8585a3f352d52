package staging

import (
	"fmt"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/duck"
)

// BenchmarkPOI stages rows like those of an extract of a state.
func BenchmarkPOI(b *testing.B) {
	f, err := Create(b.TempDir() + "/staged.duckdb")
	if err != nil {
		b.Skip("", err)
	}
	defer f.Close()
	b.ReportAllocs()
	_, err = f.Stage(b.Context(), meta("bench"), func(s source.Sink) error {
		for i := range b.N {
			p := cafe(fmt.Sprintf("osm:node:%d", i))
			p.Point = orb.Point{-75 + float64(i%1000)/1000, 45}
			p.Scheme, p.Tags = "osm", map[string]string{"amenity": "cafe", "name": "Chez Léon", "cuisine": "coffee_shop", "opening_hours": "24/7"}
			p.Street, p.HouseNumber, p.City = "rue Principale", "12", "Gatineau"
			if err := s.Row(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkDigest computes the digest of 100,000 rows.
func BenchmarkDigest(b *testing.B) {
	f, err := Create(b.TempDir() + "/staged.duckdb")
	if err != nil {
		b.Skip("", err)
	}
	defer f.Close()
	const rows = 100_000
	if _, err := f.Stage(b.Context(), meta("bench"), func(s source.Sink) error {
		for i := range rows {
			if err := s.Row(cafe(fmt.Sprint(i))); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := duck.Digest(b.Context(), f.DB()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
