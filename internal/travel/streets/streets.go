// Package streets computes travel times along streets on foot, by bicycle and by car: from one point to all, from many points to
// many, to the stops of timetables around, and outlines of what is reached. A Network is flat slices, which a pack stores and
// maps. Costs are whole numbers and seconds are rounded up once, at the end, so that no result depends on the order of
// computation. Time for turns is not part of it.
package streets

import (
	"errors"
	"fmt"
	"math"

	"quartier/internal/coord"
	"quartier/internal/network"
)

// Closed is the cost of an edge in a direction that is not allowed.
const Closed = math.MaxUint32

// Never is the time to what is not reached.
const Never = math.MaxUint32

// Network is the streets of one mode with a cost of every edge each way: decimetres on foot, decimetres weighed by stress on
// bicycles, deciseconds in cars and under the rules of R5. It is safe for concurrent use.
type Network struct {
	snapper  *network.Snapper
	cost     [2][]uint32 // of each edge from its A to its B, and back
	first    []uint32    // the arcs from node n are arcs[first[n]:first[n+1]]
	arcs     []network.Arc
	edge     []uint32   // of each arc
	linked   uint32     // points are linked to the edges below it
	shortcut *hierarchy // for many pairs; nil: none is built
}

// Pace is how costs become seconds: a decimetre at Street metres an hour takes 360/Street seconds. Off is the speed in metres
// an hour of the way between a point and its street.
type Pace struct{ Street, Off uint32 }

// The paces. Costs in deciseconds are at 3,600; the last metres of a drive or a ride are walked.
var (
	Walk    = Pace{4800, 4800}
	Bicycle = Pace{15000, 4800}
	Car     = Pace{3600, 4800}
	R5      = Pace{3600, 3600} // 1 m/s off the street, whatever the speed on it; before version 7.5 of R5 1.3 m/s
)

// Foot is the pace of walking at a speed, at least 1 and at most 50 km/h.
func Foot(kmh float64) Pace {
	speed := uint32(math.Round(1000 * min(max(kmh, 1), 50)))
	return Pace{speed, speed}
}

// Seconds are those of a cost, rounded up.
func (p Pace) Seconds(cost uint64) uint32 {
	return uint32(min((360*cost+uint64(p.Street)-1)/uint64(p.Street), Never))
}

// Cost is the greatest cost that takes at most some seconds.
func (p Pace) Cost(seconds uint32) uint64 { return uint64(seconds) * uint64(p.Street) / 360 }

// leg is the cost of a way off the streets.
func (p Pace) leg(d network.Distance) uint64 {
	return (uint64(d)*uint64(p.Street) + uint64(p.Off)/2) / uint64(p.Off)
}

// New makes a network of the edges of a Snapper, whose node numbers are below nodes. forth and back are the cost of each edge
// from its A to its B and back, or Closed; nil: its length.
func New(s *network.Snapper, nodes int, forth, back []uint32) *Network {
	n := &Network{snapper: s, cost: [2][]uint32{forth, back}, first: make([]uint32, nodes+1), linked: uint32(s.Edges())}
	for i, costs := range n.cost {
		if costs == nil {
			n.cost[i] = s.Tables().Length
		}
	}
	ends := [2][]uint32{s.Tables().A, s.Tables().B}
	for way, from := range ends {
		for edge, node := range from {
			if n.cost[way][edge] != Closed {
				n.first[node+1]++
			}
		}
	}
	for i := 1; i <= nodes; i++ {
		n.first[i] += n.first[i-1]
	}
	n.arcs, n.edge = make([]network.Arc, n.first[nodes]), make([]uint32, n.first[nodes])
	next := append([]uint32(nil), n.first[:nodes]...)
	for edge := range ends[0] {
		for way, from := range ends {
			if cost := n.cost[way][edge]; cost != Closed {
				at := next[from[edge]]
				n.arcs[at], n.edge[at] = network.Arc{To: ends[1-way][edge], Length: network.Distance(cost)}, uint32(edge)
				next[from[edge]]++
			}
		}
	}
	return n
}

// Tables are a Network as flat slices, beside those of its Snapper. A network on foot has the Snapper of the streets that are
// served and needs no costs.
type Tables struct {
	Forth, Back []uint32 // of each edge; empty: its length
	First       []uint32 // of each node and the end
	Arcs        []network.Arc
	Edge        []uint32 // of each arc
	Linked      []uint32 // one number: points are linked to the edges below it; empty: to all
	Hierarchy   HierarchyTables
}

// Tables are the slices of n. They are not copied.
func (n *Network) Tables() Tables {
	t := Tables{Forth: n.cost[0], Back: n.cost[1], First: n.first, Arcs: n.arcs, Edge: n.edge}
	if lengths := n.snapper.Tables().Length; len(lengths) > 0 && &n.cost[0][0] == &lengths[0] && &n.cost[1][0] == &lengths[0] {
		t.Forth, t.Back = nil, nil
	}
	if int(n.linked) < len(n.cost[0]) {
		t.Linked = []uint32{n.linked}
	}
	if n.shortcut != nil {
		t.Hierarchy = n.shortcut.tables()
	}
	return t
}

// ErrDamaged marks tables from which no Network can be made.
var ErrDamaged = errors.New("damaged tables of a travel network")

// From makes a Network of tables, which are not copied. It reads the arcs once, to check that they lead to nodes and edges.
func From(s *network.Snapper, t Tables) (*Network, error) {
	edges, arcs := s.Edges(), len(t.Arcs)
	n := &Network{snapper: s, cost: [2][]uint32{t.Forth, t.Back}, first: t.First, arcs: t.Arcs, edge: t.Edge}
	if n.linked = uint32(edges); len(t.Linked) > 0 {
		n.linked = t.Linked[0]
	}
	if len(t.Forth) == 0 && len(t.Back) == 0 {
		n.cost = [2][]uint32{s.Tables().Length, s.Tables().Length}
	}
	if len(n.cost[0]) != edges || len(n.cost[1]) != edges || len(t.Edge) != arcs {
		return nil, fmt.Errorf("%w: costs of %d and %d edges of %d, %d edges of %d arcs", ErrDamaged, len(n.cost[0]), len(n.cost[1]), edges,
			len(t.Edge), arcs)
	}
	if err := checkArcs(n.first, n.arcs); err != nil {
		return nil, err
	}
	for i, e := range t.Edge {
		if int(e) >= edges {
			return nil, fmt.Errorf("%w: arc %d is of edge %d of %d", ErrDamaged, i, e, edges)
		}
	}
	for _, ends := range [][]uint32{s.Tables().A, s.Tables().B} {
		for i, node := range ends {
			if int(node) >= n.Nodes() {
				return nil, fmt.Errorf("%w: edge %d ends at node %d of %d", ErrDamaged, i, node, n.Nodes())
			}
		}
	}
	if len(t.Hierarchy.FirstUp) > 0 {
		var err error
		n.shortcut, err = hierarchyFrom(t.Hierarchy, n.Nodes())
		return n, err
	}
	return n, nil
}

// checkArcs checks that arcs are listed in order and lead to nodes.
func checkArcs(first []uint32, arcs []network.Arc) error {
	if len(first) == 0 || first[0] != 0 || int(first[len(first)-1]) != len(arcs) {
		return fmt.Errorf("%w: %d arcs are not those of %d nodes", ErrDamaged, len(arcs), max(len(first), 1)-1)
	}
	for i := 1; i < len(first); i++ {
		if first[i] < first[i-1] {
			return fmt.Errorf("%w: arcs of node %d end before they begin", ErrDamaged, i-1)
		}
	}
	for i, a := range arcs {
		if int(a.To) >= len(first)-1 {
			return fmt.Errorf("%w: arc %d leads to node %d of %d", ErrDamaged, i, a.To, len(first)-1)
		}
	}
	return nil
}

// Nodes is the number of nodes.
func (n *Network) Nodes() int { return len(n.first) - 1 }

// Snap links a point to the nearest street within metres that no barrier separates from it; false if there is none.
func (n *Network) Snap(p coord.Point, metres float64) (network.Place, bool) {
	return n.snapper.SnapFirst(p, metres, n.linked)
}

// Snapper finds the places of points on the streets.
func (n *Network) Snapper() *network.Snapper { return n.snapper }
