// Package streets makes the walking network of an OpenStreetMap extract. It links neither DuckDB nor Arrow: what a program that
// does nothing else takes can be compared with one in C++.
package streets

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/bench/fail"
	"quartier/ingest/formats/element"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/kinds/osm/location"
	"quartier/ingest/kinds/osm/streettags"
	"quartier/ingest/source"
	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/calibration"
)

// Graph builds the walking network of the streets of a PBF with the options of the product, in as many copies as tiles,
// five degrees apart.
func Graph(ctx context.Context, path string, tiles int) (*network.Graph, network.Report) {
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
	file := fail.Must(pbf.Open(path))
	defer file.Close()
	var nodes location.Store
	refs, ends := walkableWays(ctx, file, &nodes)
	nodes.Freeze()
	fail.Check(file.Read(ctx, element.Want{Kinds: element.Nodes}, func(b *element.Batch) error {
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
	rules := fail.Must(streettags.NewRules())
	var row source.Street
	fail.Check(file.Read(ctx, element.Want{Kinds: element.Ways, Tags: true}, func(b *element.Batch) error {
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
