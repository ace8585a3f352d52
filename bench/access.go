package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quartier/bench/walk"
	"quartier/bench/walk/streets"
	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/calibration"
)

const (
	accessReachM = 1600
	accessPOIs   = 60_000
)

// measureAccess compares the sums over 12 classes within 1,600 m of every node of a state's walk graph with a bounded
// Dijkstra from every node in C++.
func (b *bench) measureAccess(ctx context.Context) {
	file := delaware()
	peer := b.compile(ctx, "access", "-fopenmp")
	graph, _ := streets.Graph(ctx, file, 1)
	task := walk.Task{Graph: graph, Weight: walk.DecayByMetre(accessReachM)}
	task.Seed(accessPOIs)
	b.compareAccess(ctx, peer, "60,000 seeded POIs", &task, 2)
	b.ownPOIs(ctx, file, &task)
	b.compareAccess(ctx, peer, "the extract's own POIs", &task, 5)
}

// compile compiles a peer in C++ for this machine, and returns the program.
func (b *bench) compile(ctx context.Context, name string, options ...string) string {
	program := filepath.Join(b.dir, name+"-peer")
	check(os.MkdirAll(b.dir, 0o755))
	source := filepath.Join("bench", "baseline", name+".cpp")
	runToEnd(ctx, "g++", append([]string{"-O3", "-march=native", "-o", program, source}, options...)...)
	return program
}

// compareAccess runs both sides in turn; each times its own searches only.
func (b *bench) compareAccess(ctx context.Context, peer, name string, t *walk.Task, target float64) {
	input := filepath.Join(b.dir, "access.bin")
	t.Write(input)
	values := b.Repeat(func() []float64 {
		begun := time.Now()
		sums := t.Graph.Sums(t.Places, t.Class, walk.Classes, t.Weight)
		seconds := time.Since(begun).Seconds()
		var other float64
		var sum, mix uint64
		if _, err := fmt.Sscan(runToEnd(ctx, peer, input).Output, &other, &sum, &mix); err != nil {
			failf("read the output of %s: %w", peer, err)
		}
		if s, m := walk.Checksum(sums); s != sum || m != mix {
			failf("%w: sums of %d and %d, checksums %x and %x", errDifferent, s, sum, m, mix)
		}
		return []float64{seconds, other}
	})
	ours, theirs := values[0], values[1]
	b.Record("12 sums at every node, "+name, "Dijkstra in C++", 2, "1/seconds", ratios(theirs, ours), target,
		fmt.Sprintf("%.2f s, theirs %.2f s, %d nodes, %d places", spreadOf(ours).Median, spreadOf(theirs).Median, len(t.Graph.Nodes),
			len(t.Places)))
}

// ownPOIs adds to a task the POIs of an extract in their 12 most frequent categories, snapped to edges. A POI with several
// categories counts in each.
func (b *bench) ownPOIs(ctx context.Context, file string, t *walk.Task) {
	staged, derived := filepath.Join(b.dir, "own.duckdb"), filepath.Join(b.dir, "own-derived.duckdb")
	for _, old := range []string{staged, derived} {
		check(os.RemoveAll(old))
	}
	runSelf(ctx, "stage", file, staged)
	pois := walk.POIs(ctx, staged, derived)
	classes := walk.MostFrequent(pois, walk.Classes)
	snapper, limit := network.NewSnapper(t.Graph, nil), calibration.Standard().Walking.SnapM
	t.Places, t.Class = nil, nil
	for _, p := range pois {
		at, _ := coord.NewPoint(p.Lng, p.Lat)
		place, ok := snapper.Snap(at, limit)
		for _, category := range p.Categories {
			if class := slices.Index(classes, category); ok && class >= 0 {
				t.Places, t.Class = append(t.Places, place), append(t.Class, uint8(class))
			}
		}
	}
}
