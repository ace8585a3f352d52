package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"

	"quartier/ingest/formats/pbf"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/calibration"
)

// walkGraph builds the walking network of the streets of a PBF with the options of the product, in as many copies as tiles,
// five degrees apart.
func walkGraph(ctx context.Context, path string, tiles int) (*network.Graph, network.Report) {
	walking := calibration.Standard().Walking
	builder := network.NewBuilder(network.Options{MaxEdgeM: walking.MaxEdgeM, MinNodes: walking.MinNodes})
	for tile := range tiles {
		addStreets(ctx, path, builder, tile)
	}
	graph, report := builder.Finish()
	return graph, report
}

// addStreets adds the streets of a file to a network, shifted by five degrees per tile.
func addStreets(ctx context.Context, path string, builder *network.Builder, tile int) {
	file := must(pbf.Open(path))
	defer file.Close()
	const apart = 1 << 48 // greater than any OpenStreetMap id
	var line []coord.Point
	var nodes []int64
	check(streettags.Read(ctx, file, func(s *source.Street) error {
		if !s.Foot {
			return nil
		}
		line, nodes = line[:0], nodes[:0]
		for i, p := range s.Line {
			at, _ := coord.NewPoint(p[0]+5*float64(tile), p[1])
			line, nodes = append(line, at), append(nodes, s.Nodes[i]+apart*int64(tile))
		}
		builder.Add(network.Line{Points: line, Nodes: nodes})
		return nil
	}))
}

// walkGraphMemory is the memory limit of the subprogram; the code of the bench adds about 22 MB.
const walkGraphMemory = 36 << 20

// makeWalkGraph is the subprogram that builds the walk graph of a PBF.
func makeWalkGraph(args []string) {
	debug.SetMemoryLimit(walkGraphMemory)
	graph, report := walkGraph(context.Background(), args[0], 1)
	fmt.Printf("%d lines, %d nodes, %d edges, %d islands left out\n", report.Lines, len(graph.Nodes), len(graph.Edges), report.DroppedComponents)
}

// measureWalkGraph compares building the walk graph of a state from its PBF with the same in C++ over libosmium, as whole
// processes. Both find the same lines, nodes, edges and islands.
func (b *bench) measureWalkGraph(ctx context.Context) {
	file, walking := delaware(), calibration.Standard().Walking
	peer := b.compile(ctx, "walkgraph", "-std=c++17", "-pthread", "-lz")
	rules := filepath.Join("ingest", "kinds", "osm", "streettags")
	options := []string{file, filepath.Join(rules, "classes.csv"), filepath.Join(rules, "access.csv"),
		fmt.Sprint(walking.MaxEdgeM), fmt.Sprint(walking.MinNodes)}
	var counts string
	values := b.repeat(func() []float64 {
		built, known := runSelf(ctx, "walkgraph", file), runToEnd(ctx, peer, options...)
		if counts = strings.TrimSpace(built.output); counts != strings.TrimSpace(known.output) {
			failf("%w: we have %s, libosmium %s", errDifferent, counts, known.output)
		}
		return []float64{built.seconds, known.seconds, built.peakMB, known.peakMB}
	})
	b.record(result{"a state's PBF to its walk graph", "libosmium in C++", 1, "1/seconds", ratios(values[1], values[0]), 1.11, false},
		fmt.Sprintf("%.2f s, theirs %.2f s, %s", spreadOf(values[0]).Median, spreadOf(values[1]).Median, counts))
	b.record(result{"the same", "libosmium in C++", 1, "1/bytes", ratios(values[3], values[2]), 1, false},
		fmt.Sprintf("peak memory %.0f MB, theirs %.0f MB", spreadOf(values[2]).Median, spreadOf(values[3]).Median))
}
