package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quartier/ingest/osm/pbf"
	"quartier/ingest/osm/street"
	"quartier/ingest/source"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/schemas/calibration"
)

// walkGraph reads the streets of a PBF that one may walk and makes the network of them, with the options of the
// product: as many times beside each other as tiles says, five degrees apart.
func walkGraph(ctx context.Context, path string, tiles int) (*network.Graph, network.Report, error) {
	file, err := pbf.Open(path)
	if err != nil {
		return nil, network.Report{}, err
	}
	defer file.Close()
	walking := calibration.Standard().Walking
	builder := network.NewBuilder(network.Options{MaxEdgeM: walking.MaxEdgeM, LeastNodes: walking.LeastNodes})
	for tile := range tiles {
		if err := addStreets(ctx, file, builder, tile); err != nil {
			return nil, network.Report{}, err
		}
	}
	graph, report := builder.Finish()
	return graph, report, nil
}

// addStreets adds the streets of a file to a network, moved by five degrees a tile.
func addStreets(ctx context.Context, file *pbf.File, builder *network.Builder, tile int) error {
	const apart = 1 << 48 // more than any id of OpenStreetMap
	var line []pack.Point
	var nodes []int64
	return street.Read(ctx, file, func(s *source.Street) error {
		if !s.Foot {
			return nil
		}
		line, nodes = line[:0], nodes[:0]
		for i, p := range s.Line {
			at, _ := pack.NewPoint(p[0]+5*float64(tile), p[1])
			line, nodes = append(line, at), append(nodes, s.Nodes[i]+apart*int64(tile))
		}
		builder.Add(network.Line{Points: line, Nodes: nodes})
		return nil
	})
}

// makeWalkGraph is the subprogram that makes the walk graph of a PBF in a process of its own.
func makeWalkGraph(args []string) error {
	if len(args) != 1 {
		return errors.New("walkgraph FILE")
	}
	begun := time.Now()
	graph, report, err := walkGraph(context.Background(), args[0], 1)
	if err != nil {
		return err
	}
	fmt.Printf("%d lines, %d nodes, %d edges, %d islands left out, %.3f s\n", report.Lines, len(graph.Nodes), len(graph.Edges), report.Islands, time.Since(begun).Seconds())
	return nil
}
