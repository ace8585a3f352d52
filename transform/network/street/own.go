package street

import (
	"slices"

	"quartier/internal/network"
	"quartier/schemas/staged"
)

// Own are the nodes and edges of a network that are the region's own, as they are numbered in its tables: those of streets
// that neighbouring regions lend are seen from the region, and part of theirs.
type Own struct {
	Nodes, Edges []uint32 // in the network, ascending
	node, edge   []int32  // their number in the tables by that in the network; −1: not its own
}

// Own is the region's own part of the network.
func (n *Network) Own() *Own {
	if n.own == nil {
		n.own = OwnOf(n.Walk, n.Street)
	}
	return n.own
}

// OwnOf is the region's own part of a graph of its streets.
func OwnOf(g *network.Graph, of func(edge uint32) *Street) *Own {
	o := &Own{node: slices.Repeat([]int32{-1}, len(g.Nodes)), edge: slices.Repeat([]int32{-1}, len(g.Edges))}
	for i, e := range g.Edges {
		if staged.Lent(of(uint32(i)).Source) {
			continue
		}
		o.edge[i] = int32(len(o.Edges))
		o.Edges = append(o.Edges, uint32(i))
		o.node[e.A], o.node[e.B] = 0, 0
	}
	for i := range o.node {
		if o.node[i] == 0 {
			o.node[i] = int32(len(o.Nodes))
			o.Nodes = append(o.Nodes, uint32(i))
		}
	}
	return o
}

// Node is the number of a node in the region's tables; false if it is not its own.
func (o *Own) Node(node uint32) (int32, bool) { return o.node[node], o.node[node] >= 0 }

// Edge is the number of an edge in the region's tables; false if it is not its own.
func (o *Own) Edge(edge uint32) (int32, bool) { return o.edge[edge], o.edge[edge] >= 0 }
