package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"quartier/schemas/calibration"
)

// measureWalkGraph compares building the walk graph of a state from its PBF with the same in C++ over libosmium, as whole
// processes. Both find the same lines, nodes, edges and islands.
func (b *bench) measureWalkGraph(ctx context.Context) {
	file, walking := delaware(), calibration.Standard().Walking
	peer := b.compile(ctx, "walkgraph", "-std=c++17", "-pthread", "-lz")
	ours := filepath.Join(b.dir, "walkgraph")
	runToEnd(ctx, "go", "build", "-o", ours, "./bench/walkgraph")
	rules := filepath.Join("ingest", "kinds", "osm", "streettags")
	options := []string{file, filepath.Join(rules, "classes.csv"), filepath.Join(rules, "access.csv"),
		fmt.Sprint(walking.MaxEdgeM), fmt.Sprint(walking.MinNodes)}
	var counts string
	values := b.repeat(func() []float64 {
		built, known := runToEnd(ctx, ours, file), runToEnd(ctx, peer, options...)
		if counts = strings.TrimSpace(built.Output); counts != strings.TrimSpace(known.Output) {
			failf("%w: we have %s, libosmium %s", errDifferent, counts, known.Output)
		}
		return []float64{built.Seconds, known.Seconds, built.PeakMB, known.PeakMB}
	})
	b.record(result{"a state's PBF to its walk graph", "libosmium in C++", 1, "1/seconds", ratios(values[1], values[0]), 1.11, false},
		fmt.Sprintf("%.2f s, theirs %.2f s, %s", spreadOf(values[0]).Median, spreadOf(values[1]).Median, counts))
	b.record(result{"the same", "libosmium in C++", 1, "1/bytes", ratios(values[3], values[2]), 1, false},
		fmt.Sprintf("peak memory %.0f MB, theirs %.0f MB", spreadOf(values[2]).Median, spreadOf(values[3]).Median))
}
