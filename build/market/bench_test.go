package market

import (
	"testing"

	"quartier/internal/sqlitepages"
	"quartier/schemas/market"
)

// BenchmarkRows makes the pages of market.sqlite and the row groups of market.parquet of cells.
func BenchmarkRows(b *testing.B) {
	var cells []market.Cell
	_, err := generate(0, 500)(b.Context(), market.NoDay, func(s market.Statistics) error { cells = s.Cells; return nil })
	must(b, err)
	interval := market.Intervals(day)[0]
	b.Run("sqlite", func(b *testing.B) {
		leaves, record, row := sqlitepages.NewLeaves(pageSize, nil), new(sqlitepages.Record), int64(0)
		for b.Loop() {
			for i := range cells {
				setRecord(record, &cells[i].Values)
				row++
				leaves.Add(row, record)
			}
			leaves.Take()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(cells)), "ns/row")
	})
	b.Run("parquet", func(b *testing.B) {
		columns := new(columns)
		must(b, columns.begin())
		for b.Loop() {
			for i := range cells {
				must(b, columns.add([]byte("g10_vt_00001"), []byte(interval.Code), cells[i].Type, &interval, &cells[i].Values))
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(cells)), "ns/row")
	})
}
