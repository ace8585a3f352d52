package street

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/derived"
)

// Lent are the edges of neighbours' streets within reach of the region's own nodes, as they are numbered in its tables.
type Lent struct {
	edges []uint32         // in the network, ascending
	edge  map[uint32]int32 // their number in the tables
}

// Lent finds the lent edges up to a walking distance from own nodes. Every way of that length from an own node is on
// own and on these edges.
func (n *Network) Lent(reach network.Distance) *Lent {
	l, own := &Lent{edge: map[uint32]int32{}}, n.Own()
	if len(own.Edges) == len(n.Walk.Edges) {
		return l
	}
	var border []network.Place // own nodes at lent edges
	for i, e := range n.Walk.Edges {
		if own.edge[i] >= 0 {
			continue
		}
		if own.node[e.A] >= 0 {
			border = append(border, network.Place{Edge: uint32(i)})
		}
		if own.node[e.B] >= 0 {
			border = append(border, network.Place{Edge: uint32(i), Along: e.Length})
		}
	}
	near := n.Walk.Nearest(border, nil, 1, reach)
	for i, e := range n.Walk.Edges {
		if own.edge[i] < 0 && (near.Count[e.A] > 0 || near.Count[e.B] > 0) {
			l.edge[uint32(i)] = int32(len(l.edges))
			l.edges = append(l.edges, uint32(i))
		}
	}
	return l
}

// Edge is the number of a lent edge in the region's tables; false if it is not among them.
func (l *Lent) Edge(edge uint32) (int32, bool) {
	number, near := l.edge[edge]
	return number, near
}

// WriteLent writes the table lent_edge.
func (n *Network) WriteLent(ctx context.Context, db *duck.DB, l *Lent) error {
	others := map[uint32]int32{} // nodes that are not the region's own
	number := func(node uint32) int32 {
		if own, is := n.Own().Node(node); is {
			return own
		}
		if _, seen := others[node]; !seen {
			others[node] = -1 - int32(len(others))
		}
		return others[node]
	}
	return duck.WriteEach(ctx, db, "lent_edge", l.edges, func(i int, edge uint32) (derived.LentEdge, error) {
		geom, err := geo.WKB(n.lineOf(edge))
		e, s := n.Walk.Edges[edge], n.Street(edge)
		return derived.LentEdge{LentEdge: int32(i), A: number(e.A), B: number(e.B), LengthM: e.Length.Metres(),
			SourceID: s.Source, SourceKey: s.Key, Geom: geom}, err
	})
}

// lineOf is the course of an edge of Walk.
func (n *Network) lineOf(edge uint32) orb.LineString { return Course(n.Walk, edge) }

// Course is the line of an edge from its A to its B.
func Course(g *network.Graph, edge uint32) orb.LineString {
	shape := g.Line(edge)
	line := make(orb.LineString, len(shape))
	for k, p := range shape {
		line[k] = p.Orb()
	}
	return line
}
