package streets_test

import (
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/streets"
)

// town is a random network with the graph that it was made of.
type town struct {
	graph       *network.Graph
	net         *streets.Network
	forth, back []uint32
}

// at is a point some metres from a place in Texas.
func at(x, y float64) coord.Point {
	p, _ := coord.NewPoint(-97.7+x/96000, 30.3+y/111000)
	return p
}

// drawTown makes streets between the corners of a grid, some one-way, with costs that are not their lengths.
func drawTown(t *rapid.T) *town {
	builder := network.NewBuilder(network.Options{})
	count := rapid.IntRange(1, 30).Draw(t, "streets")
	corner := rapid.IntRange(0, 4)
	for range count {
		var line []coord.Point
		for range rapid.IntRange(2, 4).Draw(t, "vertices") {
			line = append(line, at(100*float64(corner.Draw(t, "x")), 100*float64(corner.Draw(t, "y"))))
		}
		builder.Add(network.Line{Points: line, Direction: network.Direction(rapid.IntRange(0, 2).Draw(t, "direction"))})
	}
	g, _ := builder.Finish()
	if len(g.Edges) == 0 {
		t.Skip("all streets have no length")
	}
	w := &town{graph: g}
	cost := rapid.Uint32Range(1, 300)
	for i := range g.Edges {
		forth, back := cost.Draw(t, "forth"), cost.Draw(t, "back")
		if g.Ways != nil && g.Ways[i] == network.Forward {
			back = streets.Closed
		}
		if g.Ways != nil && g.Ways[i] == network.Backward {
			forth = streets.Closed
		}
		w.forth, w.back = append(w.forth, forth), append(w.back, back)
	}
	w.net = streets.New(network.NewSnapper(g, nil), len(g.Nodes), w.forth, w.back)
	return w
}

// foot is the same streets on foot.
func (w *town) foot() *streets.Network {
	return streets.New(w.net.Snapper(), len(w.graph.Nodes), nil, nil)
}

// place draws a place on a street.
func (w *town) place(t *rapid.T, name string) network.Place {
	edge := rapid.Uint32Range(0, uint32(len(w.graph.Edges)-1)).Draw(t, name)
	along := rapid.Uint32Range(0, uint32(w.graph.Edges[edge].Length)).Draw(t, name+" along")
	return network.Place{Edge: edge, Along: network.Distance(along), Leg: network.Distance(rapid.Uint32Range(0, 500).Draw(t, name+" leg"))}
}

// naive is the time between two places by relaxing all edges until nothing changes, with places as nodes.
func (w *town) naive(forth, back []uint32, from, to network.Place, pace streets.Pace, seconds uint32) uint32 {
	const far = 1 << 40
	best := make([]uint64, len(w.graph.Nodes))
	for i := range best {
		best[i] = far
	}
	split := func(p network.Place) (fromA, fromB, toA, toB uint64) { // costs between a place and the ends of its edge
		length := uint64(w.graph.Edges[p.Edge].Length)
		fromA, fromB, toA, toB = far, far, far, far
		if c := forth[p.Edge]; c != streets.Closed {
			fromA = uint64(c) * uint64(p.Along) / length
			toB = uint64(c) - fromA
		}
		if c := back[p.Edge]; c != streets.Closed {
			fromB = uint64(c) * (length - uint64(p.Along)) / length
			toA = uint64(c) - fromB
		}
		return fromA, fromB, toA, toB
	}
	leg := func(d network.Distance) uint64 {
		return (uint64(d)*uint64(pace.Street) + uint64(pace.Off)/2) / uint64(pace.Off)
	}
	fromA, fromB, startA, startB := split(from)
	e := w.graph.Edges[from.Edge]
	best[e.A], best[e.B] = startA, min(startB, best[e.B])
	if e.A == e.B {
		best[e.A] = min(startA, startB)
	}
	for changed := true; changed; {
		changed = false
		relax := func(a, b uint32, cost uint32) {
			if cost != streets.Closed && best[a]+uint64(cost) < best[b] {
				best[b], changed = best[a]+uint64(cost), true
			}
		}
		for i, e := range w.graph.Edges {
			relax(e.A, e.B, forth[i])
			relax(e.B, e.A, back[i])
		}
	}
	toA, toB, _, _ := split(to)
	end := w.graph.Edges[to.Edge]
	cost := min(best[end.A]+toA, best[end.B]+toB)
	if from.Edge == to.Edge {
		if to.Along >= from.Along && toA < far {
			cost = min(cost, toA-fromA)
		}
		if to.Along <= from.Along && toB < far {
			cost = min(cost, toB-fromB)
		}
	}
	if cost += leg(from.Leg) + leg(to.Leg); cost > uint64(seconds)*uint64(pace.Street)/360 {
		return streets.Never
	}
	return uint32((360*cost + uint64(pace.Street) - 1) / uint64(pace.Street))
}
