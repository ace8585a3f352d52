package network

import (
	"cmp"
	"slices"
)

// Reached is a node within reach.
type Reached struct {
	Node     uint32
	Distance Distance
}

// Reach is the catchment of a place: everything within a network distance.
type Reach struct {
	Nodes  []Reached // in the order of distance, then of node
	graph  *Graph
	from   Place
	limit  Distance
	byNode []Reached
}

// ReachOf finds every node within reach of a place, with distances that include the leg. The result's method To returns
// the distance to another place: the minimum over the ends of that place's edge, and straight along the edge if both are
// on the same one.
func (g *Graph) ReachOf(p Place, reach Distance) *Reach {
	r := &Reach{graph: g, from: p, limit: reach}
	search := newBoundedSearch(len(g.Nodes), g.First, g.Arcs, reach)
	e, along := g.Edges[p.Edge], min(p.Along, g.Edges[p.Edge].Length)
	forth, back := g.open(p.Edge)
	if forth {
		search.seed(e.B, uint64(p.Leg)+uint64(e.Length-along))
	}
	if back {
		search.seed(e.A, uint64(p.Leg)+uint64(along))
	}
	search.run()
	for _, node := range search.touched {
		r.Nodes = append(r.Nodes, Reached{node, search.dist[node]})
	}
	r.byNode = slices.Clone(r.Nodes)
	slices.SortFunc(r.byNode, func(a, b Reached) int { return cmp.Compare(a.Node, b.Node) })
	slices.SortFunc(r.Nodes, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Node, b.Node))
	})
	return r
}

// At is the distance to a node; false if it is out of reach.
func (r *Reach) At(node uint32) (Distance, bool) {
	i, found := slices.BinarySearchFunc(r.byNode, node, func(a Reached, n uint32) int { return cmp.Compare(a.Node, n) })
	if !found {
		return Far, false
	}
	return r.byNode[i].Distance, true
}

// To is the distance to a place, both legs included; false if it is out of reach.
func (r *Reach) To(p Place) (Distance, bool) {
	e, along := r.graph.Edges[p.Edge], min(p.Along, r.graph.Edges[p.Edge].Length)
	forth, back := r.graph.open(p.Edge)
	best := uint64(Far)
	if d, ok := r.At(e.A); ok && forth {
		best = min(best, uint64(d)+uint64(along)+uint64(p.Leg))
	}
	if d, ok := r.At(e.B); ok && back {
		best = min(best, uint64(d)+uint64(e.Length-along)+uint64(p.Leg))
	}
	if from := min(r.from.Along, e.Length); r.from.Edge == p.Edge {
		legs := uint64(r.from.Leg) + uint64(p.Leg)
		if along >= from && forth {
			best = min(best, uint64(along-from)+legs)
		}
		if along <= from && back {
			best = min(best, uint64(from-along)+legs)
		}
	}
	if best > uint64(r.limit) {
		return Far, false
	}
	return Distance(best), true
}
