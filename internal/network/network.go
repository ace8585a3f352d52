// Package network is the access engine: what can be reached along streets from exactly here. In go the lines of
// streets and the places that people walk to; out come a compact graph, the point of a street nearest to a door
// without crossing what cannot be crossed, and, for every node at once, the nearest places with their distances or
// sums over all places within reach. Distances are whole decimetres, so that no sum depends on an order.
package network

import (
	"math"

	"quartier/internal/coord"
)

// Distance is a length along the network in decimetres.
type Distance uint32

// Far is a distance that nothing is at.
const Far Distance = math.MaxUint32

// Metres makes a Distance of metres, rounded.
func Metres(m float64) Distance { return Distance(math.Round(10 * m)) }

// Metres is the distance in metres.
func (d Distance) Metres() float64 { return float64(d) / 10 }

// Edge is a stretch of street between two nodes, from A to B as its line was drawn. Both ways have the same length.
type Edge struct {
	A, B   uint32 // nodes
	Length Distance
	Line   uint32 // which call of Builder.Add it comes from, counted from 0
}

// Arc is an edge as seen from a node.
type Arc struct {
	To     uint32
	Length Distance
}

// Graph is a network in memory. Nodes are numbered along a Hilbert curve, so that neighbours lie together.
type Graph struct {
	Nodes     []coord.Point
	Edges     []Edge
	ShapeEnds []uint32 // the vertices of edge i from A to B, both included, are Shape[ShapeEnds[i-1]:ShapeEnds[i]]
	Shape     []coord.Point
	First     []uint32 // the arcs out of node n are Arcs[First[n]:First[n+1]]
	Arcs      []Arc
	Ways      []Direction // of each edge, as seen from its A; nil: one may go both ways along all of them
}

// Line is the vertices of an edge from its A to its B, both included.
func (g *Graph) Line(edge uint32) []coord.Point {
	begin := uint32(0)
	if edge > 0 {
		begin = g.ShapeEnds[edge-1]
	}
	return g.Shape[begin:g.ShapeEnds[edge]]
}

// open tells which ways one may go along an edge: from its A to its B, and back.
func (g *Graph) open(edge uint32) (forth, back bool) {
	if g.Ways == nil {
		return true, true
	}
	return g.Ways[edge] != Backward, g.Ways[edge] != Forward
}

// Place is where a door, a stop or a query meets the network.
type Place struct {
	Edge  uint32
	Along Distance // from the edge's A
	Leg   Distance // from the street to the door
}

// Label says that a place is so far from a node, its leg included. Where ways are one-way it is the distance from the
// node to the place.
type Label struct {
	Place    uint32
	Distance Distance
}

// Ends is a place on each node: an end of one of its edges.
func (g *Graph) Ends() []Place {
	ends := make([]Place, len(g.Nodes))
	for i, e := range g.Edges {
		ends[e.A] = Place{Edge: uint32(i)}
		ends[e.B] = Place{Edge: uint32(i), Along: e.Length}
	}
	return ends
}
