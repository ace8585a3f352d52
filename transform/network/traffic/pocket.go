package traffic

import (
	"math"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/network/drive"
	"quartier/transform/network/street"
)

// Pockets lowers the assumed flow of streets that lead only to what is behind them: a dead end, or a quarter with one way
// in, has the trips of its own homes. These are TripsM for each metre of its residential streets; behind a street with
// any other kind of street, or one that leaves the ground where streets are known, it is unknown what generates traffic, and the
// flow stays. Of the latter, Flow.Beyond is what it would be less if there were nothing out there.
//
// A dead end of 150 m with 0.45 trips a metre has 68 vehicles a day at its beginning and none at its end: 34 on average.
func Pockets(streets []street.Street, n *drive.Network, leaves map[coord.Point]bool, c *calibration.Pocket) {
	if n == nil {
		return
	}
	flows := newTree(n, leaves, c).lowered(streets)
	closed := flows
	if len(leaves) > 0 {
		closed = newTree(n, nil, c).lowered(streets)
	}
	for i := range streets {
		flow := &streets[i].Flow
		least := min(closed[i], flow.AADT-flow.Beyond)
		flow.AADT, flow.Beyond = flows[i], max(0, flows[i]-least)
	}
}

// lowered are the flows of streets, lowered where they are in pockets.
func (t *tree) lowered(streets []street.Street) []float64 {
	bounded, length := make([]float64, len(streets)), make([]float64, len(streets)) // vehicles·m and m of each street
	for edge := range t.net.Graph.Edges {
		line, metres := t.net.Line(uint32(edge)), t.net.Graph.Edges[edge].Length.Metres()
		bounded[line] += metres * min(streets[line].Flow.AADT, t.through(uint32(edge)))
		length[line] += metres
	}
	for i := range streets {
		s := &streets[i]
		if s.Flow.Count == "" && length[i] > 0 && t.c.TripsM[s.Class] > 0 {
			bounded[i] = max(min(t.c.Least, s.Flow.AADT), bounded[i]/length[i])
		} else {
			bounded[i] = s.Flow.AADT
		}
	}
	return bounded
}

// tree is a depth-first tree of each component of a network of streets, regardless of one-way streets.
type tree struct {
	net    *drive.Network
	leaves map[coord.Point]bool
	c      *calibration.Pocket
	first  []uint32 // links[first[n]:first[n+1]] are the edges of node n
	links  []uint32
	order  []uint32  // of each node, its number in the search; 0: not reached
	low    []uint32  // the lowest number that is reached from below a node without its edge to the parent
	parent []uint32  // edge to the parent
	below  []float64 // trips of the edges below a node, +Inf: unknown
	total  []float64 // of the component, by the number of its root
	root   []uint32  // of each node: index in total
}

const noEdge = math.MaxUint32

func newTree(n *drive.Network, leaves map[coord.Point]bool, c *calibration.Pocket) *tree {
	nodes := len(n.Graph.Nodes)
	t := &tree{net: n, leaves: leaves, c: c,
		first: make([]uint32, nodes+1), links: make([]uint32, 2*len(n.Graph.Edges)), order: make([]uint32, nodes),
		low: make([]uint32, nodes), parent: make([]uint32, nodes), below: make([]float64, nodes), root: make([]uint32, nodes)}
	for _, e := range n.Graph.Edges {
		t.first[e.A+1]++
		t.first[e.B+1]++
	}
	for i := range nodes {
		t.first[i+1] += t.first[i]
	}
	next := append([]uint32(nil), t.first[:nodes]...)
	for i, e := range n.Graph.Edges {
		t.links[next[e.A]] = uint32(i)
		next[e.A]++
		t.links[next[e.B]] = uint32(i)
		next[e.B]++
	}
	t.search()
	return t
}

// search visits every component, from a node at a through street if it has one: then no pocket contains the root.
func (t *tree) search() {
	s := &search{tree: t, next: append([]uint32(nil), t.first[:len(t.order)]...)}
	for edge, e := range t.net.Graph.Edges {
		if math.IsInf(t.of(uint32(edge)), 1) {
			s.from(e.A)
		}
	}
	for node := range t.order {
		s.from(uint32(node))
	}
}

// search is a depth-first search without recursion, as components have a million nodes.
type search struct {
	*tree
	next   []uint32 // of each node, the next of its links
	path   []uint32 // nodes from the root
	number uint32   // of nodes so far
}

func (s *search) enter(node, parent uint32) {
	s.number++
	s.order[node], s.low[node], s.parent[node], s.root[node] = s.number, s.number, parent, uint32(len(s.total)-1)
	s.path = append(s.path, node)
}

// from searches the component of a node unless it has been searched.
func (s *search) from(root uint32) {
	if s.order[root] != 0 {
		return
	}
	s.total = append(s.total, 0)
	s.enter(root, noEdge)
	for len(s.path) > 0 {
		node := s.path[len(s.path)-1]
		if s.next[node] == s.first[node+1] {
			s.path = s.path[:len(s.path)-1]
			s.leave(node)
			continue
		}
		edge := s.links[s.next[node]]
		s.next[node]++
		switch other := s.other(edge, node); {
		case edge == s.parent[node]:
		case s.order[other] == 0:
			s.enter(other, edge)
		case other == node: // a loop, which has two links
			s.below[node] += s.of(edge) / 2
		case s.order[other] < s.order[node]: // a way around
			s.low[node] = min(s.low[node], s.order[other])
			s.below[node] += s.of(edge)
		}
	}
}

// leave adds a node that has been searched to its parent.
func (t *tree) leave(node uint32) {
	edge := t.parent[node]
	if edge == noEdge {
		t.total[t.root[node]] = t.below[node]
		return
	}
	parent := t.other(edge, node)
	t.low[parent] = min(t.low[parent], t.low[node])
	t.below[parent] += t.below[node] + t.of(edge)
}

func (t *tree) other(edge, node uint32) uint32 {
	e := &t.net.Graph.Edges[edge]
	return e.A + e.B - node
}

// of is the trips of an edge's own homes, +Inf if what it generates is unknown.
func (t *tree) of(edge uint32) float64 {
	perMetre, known := t.c.TripsM[t.net.Street(edge).Class]
	e := &t.net.Graph.Edges[edge]
	if !known || t.leaves[t.net.Graph.Nodes[e.A]] || t.leaves[t.net.Graph.Nodes[e.B]] {
		return math.Inf(1)
	}
	return perMetre * t.net.Graph.Edges[edge].Length.Metres()
}

// through is the vehicles a day on an edge whose one side has no other way out: the trips of that side and half of its
// own; +Inf if both sides are connected otherwise.
func (t *tree) through(edge uint32) float64 {
	e := &t.net.Graph.Edges[edge]
	child := e.A
	if t.parent[child] != edge {
		if child = e.B; t.parent[child] != edge {
			return math.Inf(1)
		}
	}
	if t.low[child] < t.order[child] {
		return math.Inf(1)
	}
	own := t.of(edge)
	behind := t.below[child]
	if rest := max(0, t.total[t.root[child]]-behind-own); rest < behind { // 0 but for rounding at a root; NaN if both are unknown
		behind = rest
	}
	return behind + own/2
}
