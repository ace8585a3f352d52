package travel

import (
	"context"
	"fmt"
	"slices"

	"quartier/internal/network"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/scan"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// Check compares what searches of w find with what is computed by other means, from the edges and the trips themselves: the arcs of all
// streets, and between some pairs of nodes near stops the walks, by a plain search, and the minutes by transit of all departures of a
// window, by a connection scan.
func (w *World) Check(ctx context.Context, o Options, pairs int) error {
	for mode, n := range w.Streets {
		if n == nil {
			continue
		}
		t := n.Tables()
		if again := streets.New(n.Snapper(), n.Nodes(), t.Forth, t.Back).Tables(); !slices.Equal(again.First, t.First) ||
			!slices.Equal(again.Arcs, t.Arcs) || !slices.Equal(again.Edge, t.Edge) {
			return fmt.Errorf("arcs of mode %v are not those of its edges", Mode(mode))
		}
		if err := checkPaths(ctx, n, Mode(mode), pairs); err != nil {
			return fmt.Errorf("mode %v: %w", Mode(mode), err)
		}
	}
	if !w.Has(Transit) || len(w.Egress.Legs) == 0 {
		return nil
	}
	return w.checkTransit(ctx, o, pairs)
}

// sampled are begins of streets that are open in both directions, spread evenly.
func sampled(n *streets.Network, many int) (places []network.Place) {
	t := n.Tables()
	step := max(1, n.Snapper().Edges()/many)
	for edge := 0; edge < n.Snapper().Edges(); edge += step {
		if len(t.Forth) == 0 || t.Forth[edge] != streets.Closed && t.Back[edge] != streets.Closed {
			places = append(places, network.Place{Edge: uint32(edge)})
		}
	}
	return places
}

// checkedSeconds is how far ways along streets are checked.
const checkedSeconds = 20 * 60

// checkPaths compares a matrix between some nodes with a plain search.
func checkPaths(ctx context.Context, n *streets.Network, mode Mode, pairs int) error {
	places := sampled(n, pairs)
	pace := [Transit]streets.Pace{streets.Walk, streets.Bicycle, streets.Car}[mode]
	got, err := n.Matrix(ctx, places, places, pace, checkedSeconds)
	if err != nil {
		return err
	}
	for i, from := range places {
		costs := costsFrom(n, n.Snapper().Edge(from.Edge).A, pace.Cost(checkedSeconds))
		for k, to := range places {
			want := uint32(streets.Never)
			if cost, ok := costs[n.Snapper().Edge(to.Edge).A]; ok {
				want = pace.Seconds(cost)
			}
			if got[i*len(places)+k] != want {
				return fmt.Errorf("from edge %d to %d: %d s, not %d", from.Edge, to.Edge, got[i*len(places)+k], want)
			}
		}
	}
	return nil
}

// costsFrom are the costs from a node to those within a cost: arcs shorten them until nothing changes.
func costsFrom(n *streets.Network, from uint32, most uint64) map[uint32]uint64 {
	t, costs, queue := n.Tables(), map[uint32]uint64{from: 0}, []uint32{from}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, a := range t.Arcs[t.First[queue[0]]:t.First[queue[0]+1]] {
			next := costs[queue[0]] + uint64(a.Length)
			if known, ok := costs[a.To]; next <= most && (!ok || next < known) {
				costs[a.To], queue = next, append(queue, a.To)
			}
		}
	}
	return costs
}

// checkTransit compares all departures of a window between some nodes near stops.
func (w *World) checkTransit(ctx context.Context, o Options, pairs int) error {
	t, err := w.traveller(ctx, o)
	if err != nil {
		return err
	}
	defer t.release()
	scanned := scan.New(t.key.day, o.rules(), 0, o.Depart, o.Depart+60*int32(o.Window+o.MaxMinutes))
	for i := range pairs {
		from := w.nearStop(i * (len(w.Egress.Legs) / pairs))
		to := w.nearStop((i*7919 + 13) % len(w.Egress.Legs))
		if err := t.start(placeOf(w.Streets[Walk], from)); err != nil {
			return err
		}
		walks := costsFrom(w.Streets[Walk], from, t.key.walks.egress.Cost(t.most()))
		q := o.query()
		q.Access = w.legs(t, walks)
		target := raptor.Target{Legs: w.legs(t, costsFrom(w.Streets[Walk], to, t.key.walks.egress.Cost(t.most()))), Walk: raptor.NoWalk}
		if cost, ok := walks[to]; ok {
			target.Walk = t.pace().Seconds(cost)
		}
		stored := raptor.Target{Legs: w.Egress.Legs[w.Egress.First[to]:w.Egress.First[to+1]], Walk: t.query.Node(to)}
		got := make([]uint16, t.search.Values())
		t.search.Seconds(stored, got)
		for minute, seconds := range got[:o.Window] {
			if want := scanned.Seconds(q, target, q.Departs(minute)); want != seconds {
				return fmt.Errorf("from node %d to %d in minute %d: %d s, not %d", from, to, minute, seconds, want)
			}
		}
	}
	return nil
}

// nearStop is the node of a walk from a stop.
func (w *World) nearStop(leg int) uint32 {
	node, found := slices.BinarySearch(w.Egress.First, uint32(leg))
	for found && int(w.Egress.First[node+1]) == leg { // nodes without stops
		node++
	}
	if !found {
		node--
	}
	return uint32(node)
}

// placeOf is the place of a node.
func placeOf(n *streets.Network, node uint32) network.Place {
	t := n.Tables()
	p := network.Place{Edge: t.Edge[t.First[node]]}
	if e := n.Snapper().Edge(p.Edge); e.A != node {
		p.Along = e.Length
	}
	return p
}

// legs are the walks to all stops by the costs to nodes.
func (w *World) legs(t *traveller, costs map[uint32]uint64) (legs []timetable.Leg) {
	n := w.Streets[Walk]
	for stop := range uint32(w.Timetable.Stops()) {
		place, ok := w.Stops.Place(stop)
		if !ok {
			continue
		}
		e := n.Snapper().Edge(place.Edge)
		best, found := uint64(0), false
		for _, end := range [2]struct {
			cost uint64
			node uint32
		}{{uint64(place.Along), e.A}, {uint64(e.Length - place.Along), e.B}} {
			if cost, ok := costs[end.node]; ok && (!found || cost+end.cost < best) {
				best, found = cost+end.cost, true
			}
		}
		if seconds := t.pace().Seconds(best + uint64(place.Leg)); found && seconds <= t.most() {
			legs = append(legs, timetable.Leg{Stop: stop, Seconds: seconds})
		}
	}
	byTime(legs)
	return legs
}
