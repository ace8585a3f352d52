package network

import "quartier/internal/coord"

// GraphFromEdges makes a graph of existing edges, all of them open in both directions. Nodes and edges keep their order;
// the slices are not copied. The graph has no Shape.
func GraphFromEdges(nodes []coord.Point, edges []Edge) *Graph {
	g := &Graph{Nodes: nodes, Edges: edges}
	g.First, g.Arcs = link(g, true)
	return g
}
