package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"quartier/build/export"
	"quartier/internal/arrowfile"
	"quartier/internal/duck"
)

// exportedTables are the tables whose rates are measured: the widest one, the longest ones, and one with large outlines.
var exportedTables = []string{"street_nodes", "streets", "pois", "typologies", "small_area_parts", "demographics"}

// measureExport compares quartier export, which reads SQLite files, with DuckDB's COPY of the same rows from its own tables;
// and the writing of record batches in memory alone with the same.
func (b *bench) measureExport(ctx context.Context) {
	release := b.release
	if release == "" {
		release = b.prepare(ctx)
	}
	dir := filepath.Join(b.dir, "export")
	check(os.MkdirAll(dir, 0o755))
	for _, table := range exportedTables {
		b.measureTable(ctx, release, dir, table)
	}
}

func (b *bench) measureTable(ctx context.Context, release, dir, table string) {
	file := filepath.Join(dir, table+".parquet")
	var ours, written, copied []float64
	var rows int64
	var peak float64
	for range b.rounds {
		ran := runToEnd(ctx, b.program("quartier"), "export", "--release", release, "--out", dir, "--tables", table, "--force")
		peak = max(peak, ran.PeakMB)
		peer := runSelf(ctx, "copyparquet", file, dir)
		var write, peers float64
		must(fmt.Sscan(peer.Output, &rows, &write, &peers))
		if rows == 0 {
			failf("table %s is empty", table)
		}
		n := float64(rows)
		ours, written, copied = append(ours, n/ran.Seconds), append(written, n/write), append(copied, n/peers)
	}
	figure := fmt.Sprintf("%d rows, %.0f rows/s, DuckDB %.0f, peak memory %.0f MB", rows, spreadOf(ours).Median, spreadOf(copied).Median, peak)
	b.record(result{"export of " + table, "DuckDB COPY of its own table", runtime.GOMAXPROCS(0), "rows/s", ratios(ours, copied), 0, false}, figure)
	figure = fmt.Sprintf("%.0f rows/s, DuckDB %.0f", spreadOf(written).Median, spreadOf(copied).Median)
	b.record(result{"writing " + table, "DuckDB COPY of its own table", runtime.GOMAXPROCS(0), "rows/s", ratios(written, copied), 0, false}, figure)
}

// copyParquet reads a GeoParquet or Parquet file into memory, and prints its rows and the seconds that package arrowfile
// takes to write them to a folder and that DuckDB takes.
func copyParquet(args []string) {
	file, dir, ctx := args[0], args[1], context.Background()
	records, schema := readRecords(file)
	var rows int64
	for _, r := range records {
		rows += r.NumRows()
	}
	begun := time.Now()
	w := must(arrowfile.Create(filepath.Join(dir, "ours"), schema, optionsOf(schema)))
	for _, r := range records {
		check(w.WriteBatch(r))
	}
	check(w.Close(ctx))
	ours := time.Since(begun).Seconds()
	db := must(duck.Memory())
	defer db.Close()
	must(db.ExecContext(ctx, "CREATE TABLE t AS SELECT * FROM '"+file+"'"))
	begun = time.Now()
	must(db.ExecContext(ctx, "COPY t TO '"+filepath.Join(dir, "theirs")+"' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000)"))
	fmt.Println(rows, ours, time.Since(begun).Seconds())
	check(errors.Join(os.Remove(filepath.Join(dir, "ours")), os.Remove(filepath.Join(dir, "theirs"))))
}

// readRecords reads a file but the extents that GeoParquet files have beside their geometries.
func readRecords(file string) (records []arrow.Record, schema *arrow.Schema) {
	r := must(arrowfile.Open(file, arrowfile.ReadOptions{Format: arrowfile.Parquet}))
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
		check(err)
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
