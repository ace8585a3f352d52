package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/kinds/osm/location"
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

// addStreets adds the walkable streets of a file to a network, shifted by five degrees per tile. It reads the ways and then
// the nodes, and keeps eight bytes for each vertex and 16 for each node.
func addStreets(ctx context.Context, path string, builder *network.Builder, tile int) {
	file := must(pbf.Open(path))
	defer file.Close()
	var nodes location.Store
	refs, ends := walkableWays(ctx, file, &nodes)
	nodes.Freeze()
	check(file.Read(ctx, element.Want{Kinds: element.Nodes}, func(b *element.Batch) error {
		for i := range b.Nodes {
			nodes.Put(b.Nodes[i].ID, b.Nodes[i].Point)
		}
		return nil
	}))
	const apart = 1 << 48 // greater than any OpenStreetMap id
	var line orb.LineString
	var ids []int64
	var points []coord.Point
	begin := 0
	for _, end := range ends {
		line, ids, _ = nodes.LongestKnownRun(refs[begin:end], line, ids)
		begin = end
		if len(line) < 2 {
			continue
		}
		points = points[:0]
		for i, p := range line {
			at, _ := coord.NewPoint(p[0]+5*float64(tile), p[1])
			points, ids[i] = append(points, at), ids[i]+apart*int64(tile)
		}
		builder.Add(network.Line{Points: points, Nodes: ids})
	}
}

// walkableWays returns the nodes of the walkable streets of a file, one way after the other, and where each ends; and requests
// the coordinates of the nodes.
func walkableWays(ctx context.Context, file element.File, nodes *location.Store) (refs []int64, ends []int) {
	rules := must(streettags.NewRules())
	var row source.Street
	check(file.Read(ctx, element.Want{Kinds: element.Ways, Tags: true}, func(b *element.Batch) error {
		for i := range b.Ways {
			w := &b.Ways[i]
			if status, _ := rules.Row(&row, w.Tags, w.Closed()); status != streettags.Street || !row.Foot {
				continue
			}
			nodes.Locate(w.Refs, w.Points)
			refs = append(refs, w.Refs...)
			ends = append(ends, len(refs))
		}
		return nil
	}))
	return refs, ends
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
