package network

import "quartier/internal/coord"

// GraphFromEdges makes a graph of ready edges, as a part of a network that was built before: nodes and edges keep their order.
// Every edge leads from node to node; ways may be gone both ways. The slices are kept. It has no Shape.
func GraphFromEdges(nodes []coord.Point, edges []Edge) *Graph {
	g := &Graph{Nodes: nodes, Edges: edges}
	g.First, g.Arcs = link(g, true)
	return g
}
