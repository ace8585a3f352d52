package inputs

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb"

	"quartier/bench/fail"
	"quartier/internal/arrowfile"
)

// WritePoints writes points with a number as a Parquet file.
func WritePoints(ctx context.Context, path string, points []orb.Point) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "lat", Type: arrow.PrimitiveTypes.Float64},
		{Name: "lng", Type: arrow.PrimitiveTypes.Float64},
	}, nil)
	out := fail.Must(arrowfile.Create(path, schema, arrowfile.Options{Format: arrowfile.Parquet}))
	defer out.Abort()
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer rows.Release()
	id := int64(0)
	for some := range slices.Chunk(points, arrowfile.GroupRows) {
		for _, p := range some {
			rows.Field(0).(*array.Int64Builder).Append(id)
			rows.Field(1).(*array.Float64Builder).Append(p[1])
			rows.Field(2).(*array.Float64Builder).Append(p[0])
			id++
		}
		record := rows.NewRecord()
		fail.Check(out.WriteBatch(record))
		record.Release()
	}
	fail.Check(out.Close(ctx))
}
