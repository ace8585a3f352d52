package main

import (
	"context"
	"errors"
	"fmt"
	"os"
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
func walkGraph(ctx context.Context, path string, tiles int) (*network.Graph, network.Report, error) {
	walking := calibration.Standard().Walking
	builder := network.NewBuilder(network.Options{MaxEdgeM: walking.MaxEdgeM, MinNodes: walking.MinNodes})
	for tile := range tiles {
		if err := addStreets(ctx, path, builder, tile); err != nil {
			return nil, network.Report{}, err
		}
	}
	graph, report := builder.Finish()
	return graph, report, nil
}

// addStreets adds the streets of a file to a network, shifted by five degrees per tile.
func addStreets(ctx context.Context, path string, builder *network.Builder, tile int) error {
	file, err := pbf.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	const apart = 1 << 48 // greater than any OpenStreetMap id
	var line []coord.Point
	var nodes []int64
	return streettags.Read(ctx, file, func(s *source.Street) error {
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
	})
}

// walkGraphMemory is the memory limit of the subprogram; the code of the bench adds about 22 MB.
const walkGraphMemory = 36 << 20

// makeWalkGraph is the subprogram that builds the walk graph of a PBF.
func makeWalkGraph(args []string) error {
	if len(args) != 1 {
		return errors.New("walkgraph FILE")
	}
	debug.SetMemoryLimit(walkGraphMemory)
	graph, report, err := walkGraph(context.Background(), args[0], 1)
	if err != nil {
		return err
	}
	fmt.Printf("%d lines, %d nodes, %d edges, %d islands left out\n", report.Lines, len(graph.Nodes), len(graph.Edges), report.DroppedComponents)
	return nil
}

// measureWalkGraph measures building the walk graph of a state from its PBF, in a separate process.
func (b *bench) measureWalkGraph(ctx context.Context) error {
	file, err := delaware()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var walls, peaks []float64
	var counts string
	for round := range b.rounds + 1 {
		out, wall, peak, err := runToEnd(ctx, self, "walkgraph", file)
		if err != nil {
			return err
		}
		if counts = strings.TrimSpace(out); round > 0 {
			walls, peaks = append(walls, wall.Seconds()), append(peaks, float64(peak)/(1<<20))
		}
	}
	b.record(result{"a state's PBF to its walk graph", "1 s", 1, "limit/seconds", inverse(1, walls), 1, false},
		fmt.Sprintf("%.2f s, %s", spreadOf(walls).Median, counts))
	b.record(result{"the same", "70 MB", 1, "limit/bytes", inverse(70, peaks), 1, false},
		fmt.Sprintf("peak memory %.0f MB", spreadOf(peaks).Median))
	return nil
}
