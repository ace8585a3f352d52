package network

import (
	"cmp"
	"slices"

	"quartier/internal/coord"

	"pgregory.net/rapid"
)

// The simple algorithms that the engine is compared with.

// anyGraph is a small graph of random lines on a lattice: with ids or without, parallel edges, loops, one-ways, several components.
func anyGraph(t *rapid.T, directed bool) *Graph {
	b := NewBuilder(Options{MaxEdgeM: rapid.SampledFrom([]float64{0, 60, 100}).Draw(t, "max edge")})
	for range rapid.IntRange(1, 12).Draw(t, "lines") {
		b.Add(anyLine(t, directed))
	}
	g, _ := b.Finish()
	if len(g.Edges) == 0 {
		t.Skip("no edge")
	}
	return g
}

const lattice = 6 // points a side

func anyLine(t *rapid.T, directed bool) Line {
	var l Line
	var ids []int64
	for range rapid.IntRange(2, 6).Draw(t, "vertices") {
		x, y := rapid.IntRange(0, lattice-1).Draw(t, "x"), rapid.IntRange(0, lattice-1).Draw(t, "y")
		l.Points = append(l.Points, latticePoint(x, y))
		ids = append(ids, int64(x-y*lattice))
	}
	if rapid.Bool().Draw(t, "ids") {
		l.Nodes = ids
	}
	if directed {
		l.Direction = rapid.SampledFrom([]Direction{Both, Forward, Backward}).Draw(t, "direction")
	}
	return l
}

// latticePoint is one of points some 60 m apart; rows are slightly skewed, so that lengths differ.
func latticePoint(x, y int) coord.Point {
	return coord.Point{Lng: int32(-755000000 + 7000*x + 300*y*y), Lat: int32(391000000 + 5500*y + 100*x*x)}
}

func anyPlaces(t *rapid.T, g *Graph, maxCount int) []Place {
	places := make([]Place, rapid.IntRange(1, maxCount).Draw(t, "places"))
	for i := range places {
		e := rapid.IntRange(0, len(g.Edges)-1).Draw(t, "edge")
		places[i] = Place{
			Edge:  uint32(e),
			Along: Distance(rapid.IntRange(0, int(g.Edges[e].Length)).Draw(t, "along")),
			Leg:   Distance(rapid.SampledFrom([]int{0, 0, 100, 777}).Draw(t, "leg")),
		}
	}
	return places
}

// naive is the distances between all nodes, by relaxing all edges until nothing changes.
func naive(g *Graph) [][]uint64 {
	all := make([][]uint64, len(g.Nodes))
	for from := range all {
		dist := make([]uint64, len(g.Nodes))
		for i := range dist {
			dist[i] = uint64(Far)
		}
		dist[from] = 0
		for changed := true; changed; {
			changed = false
			for i, e := range g.Edges {
				forth, back := g.open(uint32(i))
				if d := dist[e.A] + uint64(e.Length); forth && d < dist[e.B] {
					dist[e.B], changed = d, true
				}
				if d := dist[e.B] + uint64(e.Length); back && d < dist[e.A] {
					dist[e.A], changed = d, true
				}
			}
		}
		all[from] = dist
	}
	return all
}

// toPlace is the distance from a node to a place.
func toPlace(g *Graph, all [][]uint64, node int, p Place) uint64 {
	e := g.Edges[p.Edge]
	forth, back := g.open(p.Edge)
	d := uint64(Far)
	if forth {
		d = min(d, all[node][e.A]+uint64(p.Along))
	}
	if back {
		d = min(d, all[node][e.B]+uint64(e.Length-p.Along))
	}
	d += uint64(p.Leg)
	if g.beeline != nil && g.bounded[node] {
		if bound, clear := g.beeline.Way(g.Nodes[node], p); clear {
			d = min(d, uint64(bound))
		}
	}
	return d
}

// anyBound bounds the ways of a graph, or not: from some nodes, with barriers between.
func anyBound(t *rapid.T, g *Graph) {
	if rapid.Bool().Draw(t, "unbounded") {
		return
	}
	var barriers [][]coord.Point
	for range rapid.IntRange(0, 3).Draw(t, "barriers") {
		barriers = append(barriers, anyLine(t, false).Points)
	}
	bounded := make([]bool, len(g.Nodes))
	for i := range bounded {
		bounded[i] = rapid.IntRange(0, 3).Draw(t, "bounded") > 0
	}
	g.Bound(NewBeeline(rapid.SampledFrom([]float64{1, 1.6}).Draw(t, "factor"), NewSnapper(g, barriers)), bounded)
}

// inOrder is the places within reach of a node as labels, nearest first, then by place.
func inOrder(g *Graph, all [][]uint64, node int, places []Place, reach Distance) []Label {
	var labels []Label
	for i, p := range places {
		if d := toPlace(g, all, node, p); d <= uint64(reach) {
			labels = append(labels, Label{uint32(i), Distance(d)})
		}
	}
	slices.SortFunc(labels, func(a, b Label) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Place, b.Place))
	})
	return labels
}
