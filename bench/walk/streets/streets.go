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
		east := func(p orb.Point) orb.Point { return orb.Point{p[0] + 5*float64(tile), p[1]} }
		addStreets(ctx, path, builder, tile, OnFoot, east)
	}
	graph, report := builder.Finish()
	return graph, report
}

// GraphOf builds the network of the streets of a PBF that some may use, at other places, and returns their use by line. Edges have
// at most so many metres; 0: any.
func GraphOf(ctx context.Context, path string, maxEdgeM float64, may May, move func(orb.Point) orb.Point) (*network.Graph, []Use) {
	builder := network.NewBuilder(network.Options{MaxEdgeM: maxEdgeM, MinNodes: calibration.Standard().Walking.MinNodes})
	lines := addStreets(ctx, path, builder, 0, may, move)
	graph, _ := builder.Finish()
	return graph, lines
}

// Use is how a street is used.
type Use struct {
	Direction network.Direction
	KMH       float32 // 0: not known
}

// May says how somebody may use a street; false: not at all.
type May func(*source.Street) (Use, bool)

// OnFoot is the May of walkers.
func OnFoot(s *source.Street) (Use, bool) { return Use{}, s.Foot }

// ByCar is the May of drivers.
func ByCar(s *source.Street) (Use, bool) {
	way, ok := map[string]network.Direction{"both": network.Both, "forward": network.Forward, "backward": network.Backward}[s.Car]
	return Use{way, float32(s.SpeedKMH)}, ok
}

// addStreets adds the streets of a file that may be used to a network, moved, and returns them by line. It reads the ways and then
// the nodes, and keeps eight bytes for each vertex and 16 for each node.
func addStreets(ctx context.Context, path string, builder *network.Builder, tile int, may May,
	move func(orb.Point) orb.Point) (lines []Use) {
	file := fail.Must(pbf.Open(path))
	defer file.Close()
	var nodes location.Store
	refs, ends, uses := usableWays(ctx, file, &nodes, may)
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
	for way, end := range ends {
		line, ids, _ = nodes.LongestKnownRun(refs[begin:end], line, ids)
		begin = end
		if len(line) < 2 {
			continue
		}
		points = points[:0]
		for i, p := range line {
			p = move(p)
			at, _ := coord.NewPoint(p[0], p[1])
			points, ids[i] = append(points, at), ids[i]+apart*int64(tile)
		}
		builder.Add(network.Line{Points: points, Nodes: ids, Direction: uses[way].Direction})
		lines = append(lines, uses[way])
	}
	return lines
}

// usableWays returns the nodes of the streets of a file that may be used, one way after the other, where each ends, and how it is
// used; and requests the coordinates of the nodes.
func usableWays(ctx context.Context, file element.File, nodes *location.Store, may May) (refs []int64, ends []int, uses []Use) {
	rules := fail.Must(streettags.NewRules())
	var row source.Street
	fail.Check(file.Read(ctx, element.Want{Kinds: element.Ways, Tags: true}, func(b *element.Batch) error {
		for i := range b.Ways {
			w := &b.Ways[i]
			if status, _ := rules.Row(&row, w.Tags, w.Closed()); status != streettags.Street {
				continue
			}
			use, ok := may(&row)
			if !ok {
				continue
			}
			nodes.Locate(w.Refs, w.Points)
			refs = append(refs, w.Refs...)
			ends = append(ends, len(refs))
			uses = append(uses, use)
		}
		return nil
	}))
	return refs, ends, uses
}
