package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"quartier/bench/stepwise"
	"quartier/bench/walk"
	"quartier/bench/walk/streets"
)

const (
	growthK      = 10
	growthReachM = 2414
	continent    = 100e6 // approximate number of walk nodes of North America
)

// measureGrowth measures how the search for the ten nearest places of 12 classes scales with the network: copies of a
// state next to each other, with the same number of places each.
func (b *bench) measureGrowth(ctx context.Context) {
	file := delaware()
	var first float64
	for _, tiles := range []int{1, 2, 4} {
		graph, _ := streets.Graph(ctx, file, tiles)
		task := walk.Task{Graph: graph}
		task.Seed(accessPOIs * tiles)
		values := b.Repeat(func() []float64 { return task.NearestRate(growthK, growthReachM) })
		rates, each := values[0], values[1]
		rate := spreadOf(rates).Median
		if tiles == 1 {
			first = rate
		}
		for i := range rates {
			rates[i] /= first
		}
		b.Record(fmt.Sprintf("10 nearest of 12 classes at every node, %d states", tiles), "1 state", runtime.GOMAXPROCS(0), "nodes/s",
			spreadOf(rates), 0,
			fmt.Sprintf("%.0f nodes/s of %d, %.0f bytes a node; 100 million nodes: %.1f h", rate, len(graph.Nodes), spreadOf(each).Median,
				continent/rate/3600))
	}
}

// measureFleet compares a release that is built by steps, so many processes at once, with quartier build.
func (b *bench) measureFleet(ctx context.Context) {
	dir, program := filepath.Join(b.dir, "fleet"), b.program("quartier")
	b.buildOnce(ctx, dir, "scale=20", func(out string) { runToEnd(ctx, program, "fixtures", "--out", out, "--scale", "20") })
	for _, workers := range []int{1, 2, 4} {
		steps, build, figure := stepwise.Rounds(ctx, b.Rounds, program, dir, workers)
		name := fmt.Sprintf("steps, %d at once", workers)
		b.Record(name, "quartier build", workers, "releases/s", ratios(build, steps), 0, figure)
	}
}
