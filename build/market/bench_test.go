package market

import (
	"path/filepath"
	"testing"

	"quartier/schemas/market"
)

// BenchmarkFiles writes rows to market.sqlite and market.parquet, without the tables and the index that follow them.
func BenchmarkFiles(b *testing.B) {
	var cells []market.Cell
	_, err := generate(0, 500)(b.Context(), func(s market.Statistics) error { cells = s.Cells; return nil })
	must(b, err)
	intervals := market.Intervals(day)
	b.Run("sqlite", func(b *testing.B) {
		db, err := createDatabase(b.Context(), filepath.Join(b.TempDir(), "market.sqlite"))
		must(b, err)
		defer db.close()
		for b.Loop() {
			must(b, db.add("g10_vt_00001", cells, intervals))
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(cells)), "µs/row")
	})
	b.Run("parquet", func(b *testing.B) {
		columns, err := createColumns(filepath.Join(b.TempDir(), "market.parquet"))
		must(b, err)
		defer columns.close()
		for b.Loop() {
			must(b, columns.add("g10_vt_00001", cells, intervals))
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(cells)), "µs/row")
	})
}
