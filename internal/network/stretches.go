package network

import (
	"slices"

	"quartier/internal/coord"
)

// Stretch is a part of an edge that is within a limit of a place, and not within the limit before.
type Stretch struct {
	Edge     uint32
	From, To Distance // along the edge from its A, From < To
	Band     int      // index of the limit
}

// Stretches calls visit with the parts of edges within the last of some ascending distances of a place, its leg included, in the
// order of the edges and along each. Ways go in both directions of every edge. No way within reach leaves the circle of that radius,
// so that a graph of the edges in it is enough.
//
// An example: from node A of an edge of 100 m that leads nowhere else, with the limits 60 m and 200 m, the stretches are 0 to 60 m
// of band 0 and 60 to 100 m of band 1.
func (s *Snapper) Stretches(from Place, limits []Distance, visit func(Stretch)) {
	if len(limits) == 0 || from.Edge >= uint32(s.Edges()) {
		return
	}
	reach, numbers := limits[len(limits)-1], map[uint32]uint32{} // of nodes in the circle
	number := func(node uint32) uint32 {
		if _, ok := numbers[node]; !ok {
			numbers[node] = uint32(len(numbers))
		}
		return numbers[node]
	}
	var near []uint32
	var edges []Edge
	plane, most := planeAround(s.Point(from)), 1.02*reach.Metres()+20
	s.edges.Walk(func(b coord.Box) bool { return plane.SquareToBox(b) <= most*most }, func(group uint32) bool {
		for edge := group * groupSize; edge < min((group+1)*groupSize, uint32(s.Edges())); edge++ {
			e := s.Edge(edge)
			near, edges = append(near, edge), append(edges, Edge{A: number(e.A), B: number(e.B), Length: e.Length})
		}
		return true
	})
	at, found := slices.BinarySearch(near, from.Edge)
	if !found { // the boxes are damaged
		return
	}
	own, along := edges[at], min(from.Along, edges[at].Length)
	g := GraphFromEdges(make([]coord.Point, len(numbers)), edges)
	search := newBoundedSearch(len(g.Nodes), g.First, g.Arcs, reach)
	search.seed(own.A, uint64(from.Leg)+uint64(along))
	search.seed(own.B, uint64(from.Leg)+uint64(own.Length-along))
	search.run()
	for i, edge := range near {
		e, a, b := edges[i], search.dist[edges[i].A], search.dist[edges[i].B]
		if i != at {
			divide(Stretch{Edge: edge, To: e.Length}, a, b, limits, visit)
			continue
		}
		divide(Stretch{Edge: edge, To: along}, a, from.Leg, limits, visit)
		divide(Stretch{Edge: edge, From: along, To: e.Length}, from.Leg, b, limits, visit)
	}
}

// divide cuts a part of an edge where the way to it is as long as a limit. a and b are the distances of its ends, Far if out of
// reach; between them the way is over the nearer end.
func divide(part Stretch, a, b Distance, limits []Distance, visit func(Stretch)) {
	length, toA, toB := int64(part.To-part.From), int64(a), int64(b)
	cuts := []int64{0, length}
	for _, limit := range limits {
		cuts = append(cuts, min(max(int64(limit)-toA, 0), length), max(min(length-int64(limit)+toB, length), 0))
	}
	slices.Sort(cuts)
	for i := 1; i < len(cuts); i++ {
		twice := cuts[i-1] + cuts[i] // the middle, times two
		nearest := min(2*toA+twice, 2*toB+2*length-twice)
		band := slices.IndexFunc(limits, func(limit Distance) bool { return nearest <= 2*int64(limit) })
		if cuts[i-1] < cuts[i] && band >= 0 {
			visit(Stretch{part.Edge, part.From + Distance(cuts[i-1]), part.From + Distance(cuts[i]), band})
		}
	}
}

// Cut is the line of a part of an edge; none of a damaged one.
func (s *Snapper) Cut(part Stretch) (line []coord.Point) {
	all := slice(s.t.Shape, s.t.ShapeEnds, part.Edge)
	if len(all) < 2 {
		return nil
	}
	plane, at := planeAround(all[0]), 0.0
	unit := length(plane, all) / float64(max(1, s.t.Length[part.Edge])) // metres
	line = append(line, s.Point(Place{Edge: part.Edge, Along: part.From}))
	for i := 1; i < len(all)-1; i++ {
		if at += length(plane, all[i-1:i+1]); at > unit*float64(part.From) && at < unit*float64(part.To) {
			line = append(line, all[i])
		}
	}
	return append(line, s.Point(Place{Edge: part.Edge, Along: part.To}))
}

// Line is the vertices of an edge from its A to its B, both included; none of a damaged one.
func (s *Snapper) Line(edge uint32) []coord.Point { return slice(s.t.Shape, s.t.ShapeEnds, edge) }
