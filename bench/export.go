package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// exportedTables are the tables whose rates are measured: the widest one, the longest ones, and one with large outlines.
var exportedTables = []string{"street_nodes", "pois", "small_area_parts", "demographics"}

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
	for range b.Rounds {
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
	b.Record("export of "+table, "DuckDB COPY of its own table", runtime.GOMAXPROCS(0), "rows/s", ratios(ours, copied), 0, figure)
	figure = fmt.Sprintf("%.0f rows/s, DuckDB %.0f", spreadOf(written).Median, spreadOf(copied).Median)
	b.Record("writing "+table, "DuckDB COPY of its own table", runtime.GOMAXPROCS(0), "rows/s", ratios(written, copied), 0, figure)
}
