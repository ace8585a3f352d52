package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
)

// describedSides are the sides of the cities in blocks: 250,000 and 1,000,000 blocks in all.
var describedSides = []int{500, 1000}

// measureDescribe measures the aggregation of tables for nested geographies, and how it scales with the number of blocks.
func (b *bench) measureDescribe(ctx context.Context) {
	var first []float64
	for _, side := range describedSides {
		var rates []float64
		var count int
		var peak float64
		for range b.Rounds {
			described := runSelf(ctx, "describe", strconv.Itoa(side), filepath.Join(b.dir, "describe.pack"))
			var seconds float64
			must(fmt.Sscan(described.Output, &count, &seconds))
			rates, peak = append(rates, float64(count)/seconds), max(peak, described.PeakMB)
		}
		if first == nil {
			first = rates
		}
		rate := spreadOf(rates).Median
		b.Record(fmt.Sprintf("describing %d geographies over %d blocks", count, side*side), "a quarter of it", runtime.GOMAXPROCS(0),
			"geographies/s", ratios(rates, first), 0,
			fmt.Sprintf("%.1f s, %.0f geographies/s, peak memory %.0f MB with the writing of the blocks", float64(count)/rate, rate, peak))
	}
}
