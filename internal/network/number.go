package network

import (
	"quartier/internal/coord"
	"quartier/internal/geo"
)

// graph numbers the nodes that have edges along a Hilbert curve, sorts the edges and links them. It releases the parts of
// the graphBuilder as it goes, so that little is in memory twice.
func (d *graphBuilder) graph(directions []Direction, oneWay bool) *Graph {
	number := d.number()
	for i := range d.edges {
		e := &d.edges[i]
		e.A, e.B = number[e.A], number[e.B]
	}
	g := &Graph{Nodes: d.nodes}
	order := make([]uint32, len(d.edges))
	for i := range order {
		order[i] = uint32(i)
	}
	radixSort(order, func(i uint32) uint64 {
		e := d.edges[i]
		return uint64(min(e.A, e.B))<<32 | uint64(max(e.A, e.B))
	})
	g.Shape, g.ShapeEnds = make([]coord.Point, 0, len(d.shape)), make([]uint32, len(order))
	for i, from := range order {
		begin := uint32(0)
		if from > 0 {
			begin = d.ends[from-1]
		}
		g.Shape = append(g.Shape, d.shape[begin:d.ends[from]]...)
		g.ShapeEnds[i] = uint32(len(g.Shape))
	}
	d.shape, d.ends = nil, nil
	g.Edges = make([]Edge, len(order))
	for i, from := range order {
		g.Edges[i] = d.edges[from]
	}
	d.edges = nil
	if oneWay {
		g.Ways = make([]Direction, len(g.Edges))
		for i, e := range g.Edges {
			g.Ways[i] = directions[e.Line]
		}
	}
	g.First, g.Arcs = link(g, true)
	return g
}

// number sorts the nodes that have edges along the curve and returns the new number of every old one.
func (d *graphBuilder) number() []uint32 {
	number := make([]uint32, len(d.nodes))
	for _, e := range d.edges {
		number[e.A], number[e.B] = 1, 1
	}
	var order []uint32
	keys := make([]uint64, len(d.nodes))
	for i, used := range number {
		if used == 1 {
			order = append(order, uint32(i))
			keys[i] = geo.Hilbert(d.nodes[i].Orb())
		}
	}
	radixSort(order, func(i uint32) uint64 { return keys[i] })
	nodes := make([]coord.Point, len(order))
	for i, from := range order {
		nodes[i], number[from] = d.nodes[from], uint32(i)
	}
	d.nodes = nodes
	return number
}

// link returns the arcs from every node, or the reverse ones against the direction of travel, in the order of the edges.
func link(g *Graph, out bool) (first []uint32, arcs []Arc) {
	first = make([]uint32, len(g.Nodes)+1)
	each := func(visit func(from, to uint32, length Distance)) {
		for i, e := range g.Edges {
			forth, back := g.open(uint32(i))
			if !out {
				forth, back = back, forth
			}
			if forth {
				visit(e.A, e.B, e.Length)
			}
			if back {
				visit(e.B, e.A, e.Length)
			}
		}
	}
	each(func(from, _ uint32, _ Distance) { first[from+1]++ })
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	arcs = make([]Arc, first[len(g.Nodes)])
	next := append([]uint32(nil), first[:len(g.Nodes)]...)
	each(func(from, to uint32, length Distance) {
		arcs[next[from]] = Arc{to, length}
		next[from]++
	})
	return first, arcs
}

// WithLengths is the graph with other lengths of its edges, such as times; nodes and lines are shared. Places on it are
// found by a Snapper of it.
func (g *Graph) WithLengths(length func(edge uint32) Distance) *Graph {
	h := *g
	h.Edges = make([]Edge, len(g.Edges))
	for i, e := range g.Edges {
		e.Length = length(uint32(i))
		h.Edges[i] = e
	}
	h.First, h.Arcs = link(&h, true)
	return &h
}
