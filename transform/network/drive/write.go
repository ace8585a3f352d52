package drive

import (
	"context"
	"math"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/transform/network/street"
)

// Write writes the table drive_edge, of the region's own streets; nothing of a network that is nil.
func (n *Network) Write(ctx context.Context, db *duck.DB, d *calibration.Drive) error {
	if n == nil {
		return nil
	}
	own := street.OwnOf(n.Graph, n.Street)
	return duck.WriteEach(ctx, db, "drive_edge", own.Edges, func(i int, edge uint32) (derived.DriveEdge, error) {
		e := n.Graph.Edges[edge]
		geom, err := geo.WKB(street.Course(n.Graph, edge))
		a, _ := own.Node(e.A)
		b, _ := own.Node(e.B)
		forth, back := n.deciseconds(edge, d)
		return derived.DriveEdge{Edge: int32(i), A: a, B: b, LengthM: e.Length.Metres(), ForthDs: forth, BackDs: back,
			Stop: n.MayStop(edge), Geom: geom}, err
	})
}

// deciseconds are the times of an edge from its A to its B and back in free flow; nil where cars may not go.
func (n *Network) deciseconds(edge uint32, d *calibration.Drive) (forth, back *int32) {
	time := max(1, int32(math.Round(n.Graph.Edges[edge].Length.Metres()*36/n.kmh(edge, d))))
	way := network.Both
	if n.Graph.Ways != nil {
		way = n.Graph.Ways[edge]
	}
	if way != network.Backward {
		forth = &time
	}
	if way != network.Forward {
		back = &time
	}
	return forth, back
}

// MayStop reports whether cars may stop on an edge: neither on motorways nor on ramps.
func (n *Network) MayStop(edge uint32) bool {
	switch n.Street(edge).Class {
	case "motorway", "motorway_link", "trunk_link":
		return false
	}
	return true
}
