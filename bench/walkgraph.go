package main

import (
	"context"
	"fmt"
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

// measureWalkGraph measures building the walk graph of a state from its PBF, in a separate process.
func (b *bench) measureWalkGraph(ctx context.Context) {
	file := delaware()
	var counts string
	values := b.repeat(func() []float64 {
		built := runSelf(ctx, "walkgraph", file)
		counts = strings.TrimSpace(built.output)
		return []float64{built.seconds, built.peakMB}
	})
	walls, peaks := values[0], values[1]
	b.record(result{"a state's PBF to its walk graph", "1 s", 1, "limit/seconds", inverse(1, walls), 1, false},
		fmt.Sprintf("%.2f s, %s", spreadOf(walls).Median, counts))
	b.record(result{"the same", "70 MB", 1, "limit/bytes", inverse(70, peaks), 1, false},
		fmt.Sprintf("peak memory %.0f MB", spreadOf(peaks).Median))
}
