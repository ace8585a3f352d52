package streets

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/travel/timetable"
)

// Stops are the stops of timetables linked to a network on which one can go in both directions of every street.
type Stops struct {
	*Network
	places []network.Place // of each stop; Edge none: it has no street
	first  []uint32        // the ends of stops at node n are ends[first[n]:first[n+1]]
	ends   []stopEnd
	byEdge []uint32 // the stops that have a street, by edge
}

// stopEnd is a stop at one of the nodes of its edge.
type stopEnd struct {
	stop, along uint32 // along: cost between the two, without the leg
}

const none = Closed // the edge of a stop without a street

// Link finds the streets of stops. A stop that is farther than limit metres from all of them has none: it is reached from no
// point and leads nowhere, except by transfers that the timetable has.
func (n *Network) Link(stops []coord.Point, limit float64) *Stops {
	places := make([]network.Place, len(stops))
	for i, at := range stops {
		var ok bool
		if places[i], ok = n.Snap(at, limit); !ok {
			places[i].Edge = none
		}
	}
	return n.at(places)
}

// StopsAt are the stops at places that Link found, which are not copied.
func (n *Network) StopsAt(places []network.Place) (*Stops, error) {
	for i, p := range places {
		if p.Edge != none && int(p.Edge) >= n.snapper.Edges() {
			return nil, fmt.Errorf("%w: stop %d is on edge %d of %d", ErrDamaged, i, p.Edge, n.snapper.Edges())
		}
	}
	return n.at(places), nil
}

func (n *Network) at(places []network.Place) *Stops {
	s := &Stops{Network: n, places: places, first: make([]uint32, n.Nodes()+1)}
	for i, place := range places {
		if place.Edge == none {
			continue
		}
		s.byEdge = append(s.byEdge, uint32(i))
		e := n.snapper.Edge(place.Edge)
		s.first[e.A+1]++
		s.first[e.B+1]++
	}
	slices.SortStableFunc(s.byEdge, func(a, b uint32) int { return cmp.Compare(s.places[a].Edge, s.places[b].Edge) })
	for i := 1; i < len(s.first); i++ {
		s.first[i] += s.first[i-1]
	}
	s.ends = make([]stopEnd, s.first[n.Nodes()])
	next := slices.Clone(s.first[:n.Nodes()])
	for i, p := range s.places {
		if p.Edge == none {
			continue
		}
		e := n.snapper.Edge(p.Edge)
		fromA, fromB := n.inward(p)
		for way, node := range [2]uint32{e.A, e.B} {
			s.ends[next[node]] = stopEnd{uint32(i), uint32([2]uint64{fromA, fromB}[way])}
			next[node]++
		}
	}
	return s
}

// Places are where the stops are, as StopsAt takes them.
func (s *Stops) Places() []network.Place { return s.places }

// Place is where a stop is on the network; false if it has no street.
func (s *Stops) Place(stop uint32) (network.Place, bool) {
	return s.places[stop], s.places[stop].Edge != none
}

// StopsQuery finds the stops that are near. Its memory serves one search after another; one goroutine uses it at a time.
type StopsQuery struct {
	Query *Query // the last search: what is reached on foot alone
	stops *Stops
	cost  []uint64 // of each stop
	found []uint32
	legs  []timetable.Leg
}

// NewQuery makes a query: 8 bytes a node and 8 a stop.
func (s *Stops) NewQuery() *StopsQuery {
	return &StopsQuery{Query: s.Network.NewQuery(), stops: s, cost: slices.Repeat([]uint64{Closed}, len(s.places))}
}

// From are the ways from a place to all stops within some seconds, in the order of the stops, legs included at both ends. They
// are the ways back too. Valid until the next call.
func (q *StopsQuery) From(from network.Place, pace Pace, seconds uint32) []timetable.Leg {
	q.Query.Start(pace, seconds)
	q.Query.Add(from, 0)
	q.Query.Run()
	s := q.stops
	for _, stop := range q.found {
		q.cost[stop] = Closed
	}
	q.found, q.legs = q.found[:0], q.legs[:0]
	for _, node := range q.Query.Reached() {
		at := uint64(q.Query.search.At(node))
		for _, end := range s.ends[s.first[node]:s.first[node+1]] {
			q.lower(end.stop, at+uint64(end.along))
		}
	}
	i, _ := slices.BinarySearchFunc(s.byEdge, from.Edge, func(stop, edge uint32) int { return cmp.Compare(s.places[stop].Edge, edge) })
	for ; i < len(s.byEdge) && s.places[s.byEdge[i]].Edge == from.Edge; i++ {
		q.lower(s.byEdge[i], pace.leg(from.Leg)+s.along(from, s.places[s.byEdge[i]]))
	}
	slices.Sort(q.found)
	for _, stop := range q.found {
		if t := pace.within(q.cost[stop], s.places[stop].Leg, q.Query.reach); t != Never {
			q.legs = append(q.legs, timetable.Leg{Stop: stop, Seconds: t})
		}
	}
	return q.legs
}

func (q *StopsQuery) lower(stop uint32, cost uint64) {
	if q.cost[stop] == Closed {
		q.found = append(q.found, stop)
	}
	q.cost[stop] = min(q.cost[stop], cost)
}

// Transfers are the ways on foot within some seconds from each stop to others: those of stop s are legs[first[s]:first[s+1]], in
// the order of the stops. It uses all processors.
func (s *Stops) Transfers(ctx context.Context, pace Pace, seconds uint32) (first []uint32, legs []timetable.Leg, err error) {
	from := make([][]timetable.Leg, len(s.places))
	err = parallel.EachWith(ctx, len(from), s.NewQuery, func(q *StopsQuery, i int) error {
		if s.places[i].Edge != none {
			from[i] = slices.DeleteFunc(slices.Clone(q.From(s.places[i], pace, seconds)), func(l timetable.Leg) bool { return l.Stop == uint32(i) })
		}
		return nil
	})
	first = make([]uint32, len(from)+1)
	for i, list := range from {
		legs = append(legs, list...)
		first[i+1] = uint32(len(legs))
	}
	return first, legs, err
}

// Egress are the stops within some seconds of each node: those of node n are legs[first[n]:first[n+1]], in the order of the
// stops. It uses all processors and 8 bytes a leg twice.
func (s *Stops) Egress(ctx context.Context, pace Pace, seconds uint32) (first []uint32, legs []timetable.Leg, err error) {
	type reached struct{ node, seconds uint32 }
	from := make([][]reached, len(s.places))
	err = parallel.EachWith(ctx, len(from), s.Network.NewQuery, func(q *Query, i int) error {
		if s.places[i].Edge == none {
			return nil
		}
		q.Start(pace, seconds)
		q.Add(s.places[i], 0)
		q.Run()
		from[i] = make([]reached, len(q.Reached()))
		for k, node := range q.Reached() {
			from[i][k] = reached{node, q.Node(node)}
		}
		return nil
	})
	first = make([]uint32, s.Nodes()+1)
	for _, list := range from {
		for _, r := range list {
			first[r.node+1]++
		}
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	legs = make([]timetable.Leg, first[s.Nodes()])
	next := slices.Clone(first[:s.Nodes()])
	for stop, list := range from {
		for _, r := range list {
			legs[next[r.node]] = timetable.Leg{Stop: uint32(stop), Seconds: r.seconds}
			next[r.node]++
		}
		from[stop] = nil
	}
	return first, legs, err
}
