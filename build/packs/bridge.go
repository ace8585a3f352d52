package packs

import (
	"context"
	"database/sql"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/build/released"
	"quartier/internal/arrowfile"
)

// bridgeSchema has the columns of the rows of geog_bridge.
var bridgeSchema = arrow.NewSchema([]arrow.Field{
	{Name: "release", Type: arrow.BinaryTypes.String}, {Name: "old_geog_id", Type: arrow.BinaryTypes.String},
	{Name: "new_geog_id", Type: arrow.BinaryTypes.String},
	{Name: "kind", Type: arrow.BinaryTypes.String}, {Name: "measure", Type: arrow.BinaryTypes.String},
	{Name: "area_share", Type: arrow.PrimitiveTypes.Float64}, {Name: "household_share", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

// writeBridge writes the rows of geog_bridge as Parquet.
func writeBridge(ctx context.Context, db *sql.DB, _, to string) error {
	bridges, err := released.Bridges(ctx, db)
	if err != nil {
		return err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, bridgeSchema)
	defer b.Release()
	for i := range bridges {
		of := &bridges[i]
		for column, text := range []string{of.Release, of.Old, of.New, string(of.Kind), string(of.Measure)} {
			b.Field(column).(*array.StringBuilder).Append(text)
		}
		b.Field(5).(*array.Float64Builder).Append(of.AreaShare)
		if households := b.Field(6).(*array.Float64Builder); of.HouseholdShare != nil {
			households.Append(*of.HouseholdShare)
		} else {
			households.AppendNull()
		}
	}
	rows := b.NewRecord()
	defer rows.Release()
	w, err := arrowfile.Create(to, bridgeSchema, arrowfile.Options{Format: arrowfile.Parquet})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.WriteBatch(rows); err != nil {
		return err
	}
	return w.Close(ctx)
}
