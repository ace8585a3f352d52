package main

import (
	"context"
	"fmt"
	"path/filepath"

	"quartier/bench/programs"
	"quartier/schemas/calibration"
)

// measureWalkGraph compares building the walk graph of a state from its PBF with the same in C++ over libosmium, as whole
// processes. Both find the same lines, nodes, edges and islands.
func (b *bench) measureWalkGraph(ctx context.Context) {
	file, walking := delaware(), calibration.Standard().Walking
	peer := b.compile(ctx, "walkgraph", "-std=c++17", "-pthread", "-lz")
	ours := b.buildProgram(ctx, "walkgraph", "./bench/walkgraph")
	peak := b.buildProgram(ctx, "peak", "./bench/programs/peak")
	rules := filepath.Join("ingest", "kinds", "osm", "streettags")
	options := []string{file, filepath.Join(rules, "classes.csv"), filepath.Join(rules, "access.csv"),
		fmt.Sprint(walking.MaxEdgeM), fmt.Sprint(walking.MinNodes)}
	var counts string
	values := b.Repeat(func() []float64 {
		built, known := programs.RunAlone(ctx, peak, ours, file), programs.RunAlone(ctx, peak, peer, options...)
		if counts = built.Output; counts != known.Output {
			failf("%w: we have %s, libosmium %s", errDifferent, counts, known.Output)
		}
		return []float64{built.Seconds, known.Seconds, built.Processor, known.Processor, built.PeakMB, known.PeakMB}
	})
	record := func(name, unit string, k int, target float64, figure string) {
		ours, theirs := spreadOf(values[k]).Median, spreadOf(values[k+1]).Median
		b.Record(name, "libosmium in C++", 1, unit, ratios(values[k+1], values[k]), target, fmt.Sprintf(figure, ours, theirs))
	}
	record("a state's PBF to its walk graph", "1/seconds", 0, 1.11, "%.2f s, theirs %.2f s, "+counts)
	record("the same", "1/processor time", 2, 0, "%.2f s, theirs %.2f s")
	record("the same", "1/bytes", 4, 1, "peak memory %.0f MB, theirs %.0f MB")
}

// buildProgram compiles a program of this module, to be run by itself.
func (b *bench) buildProgram(ctx context.Context, name, pkg string) string {
	program := filepath.Join(b.dir, name)
	runToEnd(ctx, "go", "build", "-o", program, pkg)
	return program
}
