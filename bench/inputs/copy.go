package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"quartier/bench/fail"
	"quartier/build/export"
	"quartier/internal/arrowfile"
	"quartier/internal/duck"
)

// CopyParquet reads a GeoParquet or Parquet file into memory, and prints its rows and the seconds that package arrowfile
// takes to write them to a folder and that DuckDB takes.
func CopyParquet(args []string) {
	file, dir, ctx := args[0], args[1], context.Background()
	records, schema := readRecords(file)
	var rows int64
	for _, r := range records {
		rows += r.NumRows()
	}
	begun := time.Now()
	w := fail.Must(arrowfile.Create(filepath.Join(dir, "ours"), schema, optionsOf(schema)))
	for _, r := range records {
		fail.Check(w.WriteBatch(r))
	}
	fail.Check(w.Close(ctx))
	ours := time.Since(begun).Seconds()
	db := fail.Must(duck.Memory())
	defer db.Close()
	fail.Must(db.ExecContext(ctx, "CREATE TABLE t AS SELECT * FROM '"+file+"'"))
	begun = time.Now()
	fail.Must(db.ExecContext(ctx, "COPY t TO '"+filepath.Join(dir, "theirs")+"' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000)"))
	fmt.Println(rows, ours, time.Since(begun).Seconds())
	fail.Check(errors.Join(os.Remove(filepath.Join(dir, "ours")), os.Remove(filepath.Join(dir, "theirs"))))
}

// readRecords reads a file but the extents that GeoParquet files have beside their geometries.
func readRecords(file string) (records []arrow.Record, schema *arrow.Schema) {
	r := fail.Must(arrowfile.Open(file, arrowfile.ReadOptions{Format: arrowfile.Parquet}))
	defer r.Close()
	fields := r.Schema().Fields()
	if r.Schema().HasField(arrowfile.Covering) {
		fields = fields[:len(fields)-1]
	}
	schema = arrow.NewSchema(fields, nil)
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, schema
		}
		fail.Check(err)
		records = append(records, array.NewRecord(schema, record.Columns()[:len(fields)], record.NumRows()))
		record.Release()
	}
}

func optionsOf(schema *arrow.Schema) arrowfile.Options {
	if schema.HasField(export.GeometryColumn) {
		return arrowfile.Options{Format: arrowfile.GeoParquet, Geometry: export.GeometryColumn}
	}
	return arrowfile.Options{Format: arrowfile.Parquet}
}
