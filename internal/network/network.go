// Package network is the access engine: it builds a compact graph from the lines of streets, snaps points to the nearest
// street that no barrier separates them from, and computes for all nodes in one pass the nearest places with their
// distances, or sums over all places within reach. It uses no database. Distances are whole decimetres and sums are
// integers, so that no result depends on the order of computation or on the number of threads.
package network

import (
	"math"

	"quartier/internal/coord"
)

// Distance is a length along the network in decimetres.
type Distance uint32

// Far is the distance of what is out of reach.
const Far Distance = math.MaxUint32

// Metres rounds a length in metres to a Distance.
func Metres(m float64) Distance { return Distance(math.Round(10 * m)) }

// Metres is the distance in metres.
func (d Distance) Metres() float64 { return float64(d) / 10 }

// Edge is a stretch of street between two nodes, from A to B in the direction of its line.
type Edge struct {
	A, B   uint32 // nodes
	Length Distance
	Line   uint32 // number of the call of Builder.Add that it comes from, from 0
}

// Arc is an edge as seen from one of its nodes.
type Arc struct {
	To     uint32
	Length Distance
}

// Graph is a network in memory. Nodes are numbered along a Hilbert curve, so that neighbours are
// close in memory.
type Graph struct {
	Nodes     []coord.Point
	Edges     []Edge
	ShapeEnds []uint32 // the vertices of edge i from A to B, both included, are Shape[ShapeEnds[i-1]:ShapeEnds[i]]
	Shape     []coord.Point
	First     []uint32 // the arcs from node n are Arcs[First[n]:First[n+1]]
	Arcs      []Arc
	Ways      []Direction // allowed on each edge, as seen from its A; nil: both on all of them

	beeline *Beeline // bounds the ways from and to bounded nodes; nil: none
	bounded []bool   // of each node
}

// Line is the vertices of an edge from its A to its B, both included.
func (g *Graph) Line(edge uint32) []coord.Point {
	begin := uint32(0)
	if edge > 0 {
		begin = g.ShapeEnds[edge-1]
	}
	return g.Shape[begin:g.ShapeEnds[edge]]
}

// open reports whether an edge may be used from its A to its B, and back.
func (g *Graph) open(edge uint32) (forth, back bool) {
	if g.Ways == nil {
		return true, true
	}
	return g.Ways[edge] != Backward, g.Ways[edge] != Forward
}

// Place is the position on the network of an entrance, a stop or a query.
type Place struct {
	Edge  uint32
	Along Distance // from the edge's A
	Leg   Distance // access leg: from the street to the entrance
}

// Label is the distance from a node to a place, its leg included.
type Label struct {
	Place    uint32
	Distance Distance
}

// Ends returns a place at each node: an end of one of its edges.
func (g *Graph) Ends() []Place {
	ends := make([]Place, len(g.Nodes))
	for i, e := range g.Edges {
		ends[e.A] = Place{Edge: uint32(i)}
		ends[e.B] = Place{Edge: uint32(i), Along: e.Length}
	}
	return ends
}
