// Package ride builds the network of streets that bicycles use, with their traffic stress. Output: the derived table
// bicycle_edge.
package ride

import (
	"context"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/transform/network/street"
)

// Network is the streets that bicycles use, in both directions of each.
type Network struct {
	graph  *network.Graph
	lines  []uint32 // of each line of graph, its index in all
	stress []uint8  // the same
	all    []street.Street
}

// New builds the network, with no edges if bicycles may go nowhere. Where a source has no attributes for bicycles they may go
// where the class of street says.
func New(streets []street.Street, c *calibration.Calibration) *Network {
	n := &Network{all: streets}
	builder := network.NewBuilder(network.Options{MinNodes: c.Walking.MinNodes})
	var points []coord.Point
	for i := range streets {
		s := &streets[i]
		stress := Stress(s, &c.Bicycle.Stress)
		if stress == 0 {
			continue
		}
		var ok bool
		if points, ok = street.Points(points, s.Line); ok {
			builder.Add(network.Line{Points: points, Nodes: s.Nodes})
			n.lines, n.stress = append(n.lines, uint32(i)), append(n.stress, uint8(stress))
		}
	}
	n.graph, _ = builder.Finish()
	return n
}

func (n *Network) street(edge uint32) *street.Street {
	return &n.all[n.lines[n.graph.Edges[edge].Line]]
}

// Write writes the table bicycle_edge, of the region's own streets.
func (n *Network) Write(ctx context.Context, db *duck.DB) error {
	own := street.OwnOf(n.graph, n.street)
	return duck.WriteEach(ctx, db, "bicycle_edge", own.Edges, func(i int, edge uint32) (derived.BicycleEdge, error) {
		e := n.graph.Edges[edge]
		geom, err := geo.WKB(street.Course(n.graph, edge))
		a, _ := own.Node(e.A)
		b, _ := own.Node(e.B)
		way := n.street(edge).Car
		if way != "forward" && way != "backward" {
			way = "both"
		}
		return derived.BicycleEdge{Edge: int32(i), A: a, B: b, LengthM: e.Length.Metres(), Stress: int32(n.stress[e.Line]), Way: way,
			Geom: geom}, err
	})
}
