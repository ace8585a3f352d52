package streets

import "quartier/internal/network"

// Query is a search from places to all that is within some seconds. Its memory serves one search after another: Start, Add,
// Run, and then the questions. One goroutine uses it at a time.
type Query struct {
	*Network
	pace   Pace
	search *network.Search
	seeds  []seed
	reach  uint64 // cost
}

// seed is a place where a search begins.
type seed struct {
	place network.Place
	cost  uint64 // until it is there, its leg included
}

// NewQuery makes a query: 8 bytes a node.
func (n *Network) NewQuery() *Query {
	return &Query{Network: n, search: network.NewSearch(n.first, n.arcs)}
}

// Start begins a search that goes as far as some seconds, at most 24 hours.
func (q *Query) Start(pace Pace, seconds uint32) {
	q.pace, q.seeds, q.reach = pace, q.seeds[:0], pace.reach(seconds)
	q.search.Begin(network.Distance(q.reach))
}

// reach is the cost of the longest search for some seconds.
func (p Pace) reach(seconds uint32) uint64 { return p.Cost(min(seconds, 24*3600)) }

// Add adds a place of the network where the search begins some seconds after its start: the point that is asked for, or a stop
// that is reached.
func (q *Query) Add(p network.Place, seconds uint32) {
	cost := q.pace.Cost(seconds) + q.pace.leg(p.Leg)
	q.seeds = append(q.seeds, seed{p, cost})
	e := q.snapper.Edge(p.Edge)
	toA, toB := q.outward(p)
	if toB != Closed {
		q.search.Seed(e.B, cost+toB)
	}
	if toA != Closed {
		q.search.Seed(e.A, cost+toA)
	}
}

// Run computes all times.
func (q *Query) Run() { q.search.Run() }

// Reached are the nodes that are reached, in no useful order. Valid until Start.
func (q *Query) Reached() []uint32 { return q.search.Reached() }

// Node is the time to a node; Never if it is out of reach.
func (q *Query) Node(node uint32) uint32 {
	if d := q.search.At(node); d != network.Far {
		return q.pace.Seconds(uint64(d))
	}
	return Never
}

// To is the time to a place, its leg included; Never if it is out of reach.
func (q *Query) To(p network.Place) uint32 {
	e := q.snapper.Edge(p.Edge)
	best := uint64(Closed)
	fromA, fromB := q.inward(p)
	if d := q.search.At(e.A); d != network.Far && fromA != Closed {
		best = uint64(d) + fromA
	}
	if d := q.search.At(e.B); d != network.Far && fromB != Closed {
		best = min(best, uint64(d)+fromB)
	}
	for i := range q.seeds {
		if s := &q.seeds[i]; s.place.Edge == p.Edge {
			if along := q.along(s.place, p); along != Closed {
				best = min(best, s.cost+along)
			}
		}
	}
	return q.pace.within(best, p.Leg, q.reach)
}

// within is the time of a cost and a leg; Never beyond the reach.
func (p Pace) within(cost uint64, leg network.Distance, reach uint64) uint32 {
	if cost >= Closed || cost+p.leg(leg) > reach {
		return Never
	}
	return p.Seconds(cost + p.leg(leg))
}

// part is the cost of the first along of length decimetres of an edge; Closed if the edge is.
func part(cost uint32, along, length network.Distance) uint64 {
	switch {
	case cost == Closed || length == 0:
		return uint64(cost)
	case along >= length:
		return uint64(cost)
	}
	return uint64(cost) * uint64(along) / uint64(length)
}

// inward are the costs from the ends of an edge to a place on it, each Closed if the edge is in that direction.
func (n *Network) inward(p network.Place) (fromA, fromB uint64) {
	length := n.snapper.Edge(p.Edge).Length
	along := min(p.Along, length)
	return part(n.cost[0][p.Edge], along, length), part(n.cost[1][p.Edge], length-along, length)
}

// outward are the costs from a place to the ends of its edge. With those of inward they add up to the cost of the edge.
func (n *Network) outward(p network.Place) (toA, toB uint64) {
	toA, toB = Closed, Closed
	fromA, fromB := n.inward(p)
	if cost := n.cost[1][p.Edge]; cost != Closed {
		toA = uint64(cost) - fromB
	}
	if cost := n.cost[0][p.Edge]; cost != Closed {
		toB = uint64(cost) - fromA
	}
	return toA, toB
}

// along is the cost from one place to another on the same edge, along that edge; Closed against its direction.
func (n *Network) along(from, to network.Place) uint64 {
	fromA, fromB := n.inward(from)
	toA, toB := n.inward(to)
	switch {
	case to.Along >= from.Along && fromA != Closed:
		return toA - fromA
	case to.Along <= from.Along && fromB != Closed:
		return toB - fromB
	}
	return Closed
}

// Lay makes times of nodes that something else computed the result of a search from a place, for Outlines; times beyond some seconds
// are not reached.
func (q *Query) Lay(pace Pace, seconds uint32, from network.Place, nodes []uint32, at func(i int) uint32) {
	q.Start(pace, 0)
	q.Add(from, 0)
	q.Run()
	q.reach = pace.reach(seconds)
	for i, node := range nodes {
		if t := at(i); t <= seconds {
			q.search.Set(node, network.Distance(pace.Cost(t)))
		}
	}
}
