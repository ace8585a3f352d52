package travel

import (
	"context"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
)

// reach is the memory of Reach.
type reach struct {
	lower    *streets.Query // of the streets on foot, with Transit
	outliner streets.Outliner
	nodes    []uint32
	seconds  []uint16 // of nodes, by percentile
}

// Reached is what is reached from a point within Options.MaxMinutes. It is memory of the World until Close.
type Reached struct {
	t      *traveller
	linked bool
}

// Reach searches from a point to all nodes of the streets of the mode, with Transit of those on foot.
func (w *World) Reach(ctx context.Context, from coord.Point, o Options) (*Reached, error) {
	t, err := w.traveller(ctx, o)
	if err != nil {
		return nil, err
	}
	place, linked := t.snap(from)
	r := &Reached{t, linked}
	if !linked {
		t.nodes, t.seconds = t.nodes[:0], t.seconds[:0]
		return r, nil
	}
	return r, r.run(ctx, place)
}

// ReachFrom is Reach from a place on the network of the mode, with Transit on that of Walk.
func (w *World) ReachFrom(ctx context.Context, from network.Place, o Options) (*Reached, error) {
	t, err := w.traveller(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &Reached{t, true}
	return r, r.run(ctx, from)
}

// Close gives the memory back.
func (r *Reached) Close() { r.t.release() }

// Linked reports whether the point is near a street.
func (r *Reached) Linked() bool { return r.linked }

// Nodes are the nodes that are reached, of the network of the mode, with Transit of that of Walk, in no useful order.
func (r *Reached) Nodes() []uint32 { return r.t.nodes }

// Seconds are those to node Nodes()[i], by percentile of the options; raptor.Unreached: not with that one.
func (r *Reached) Seconds(i int) []uint16 {
	n := len(r.t.o.Percentiles)
	return r.t.seconds[i*n:][:n]
}

func (r *Reached) run(ctx context.Context, from network.Place) error {
	t := r.t
	t.nodes, t.seconds = t.nodes[:0], t.seconds[:0]
	err := t.start(from)
	if err == nil && t.o.Mode == Transit {
		err = t.reachByTransit(ctx)
	} else if err == nil {
		for _, node := range t.query.Reached() {
			t.nodes = append(t.nodes, node)
			for range t.o.Percentiles {
				t.seconds = append(t.seconds, uint16(t.query.Node(node)))
			}
		}
	}
	if err != nil {
		r.Close()
	}
	return err
}

// reachByTransit computes the percentiles of the nodes that are within reach of the stops where one gets off.
func (t *traveller) reachByTransit(ctx context.Context) error {
	egress, err := t.key.walks.egressTo(ctx, t.w, min(t.o.MaxWalk, t.o.MaxMinutes))
	if err != nil {
		return err
	}
	if t.lower == nil {
		t.lower = t.w.Streets[Walk].NewQuery()
	}
	t.lower.Start(t.key.walks.egress, uint32(60*t.o.MaxMinutes+60)) // a superset: seconds of stops are rounded
	t.lower.Add(t.from, 0)
	for _, stop := range t.search.Reached() {
		if place, ok := t.key.walks.back.Place(stop); ok {
			t.lower.Add(place, uint32(t.search.Least(stop)))
		}
	}
	t.lower.Run()
	for i, node := range t.lower.Reached() {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		to := raptor.Target{Legs: egress.Legs[egress.First[node]:egress.First[node+1]], Walk: t.query.Node(node)}
		t.search.Percentiles(to, t.o.Percentiles, t.values)
		if t.values[0] < raptor.Unreached {
			t.nodes, t.seconds = append(t.nodes, node), append(t.seconds, t.values...)
		}
	}
	return nil
}

// grid is how fine outlines are drawn, in metres: a buffer around streets and the cells. Those of other modes than walking are wider.
var grid = [...]struct{ buffer, cell float64 }{Walk: {40, 25}, Bicycle: {75, 50}, Car: {100, 100}, Transit: {60, 40}}

// Outlines are the outlines of what is reached within ascending limits of minutes with one of the percentiles of the options, by its
// index: those of a limit contain those of the limits before. Nothing is in those of a point that is not Linked.
func (r *Reached) Outlines(percentile int, minutes []int) [][]streets.Polygon {
	t, limits := r.t, make([]uint32, len(minutes))
	for i, m := range minutes {
		limits[i] = uint32(60 * m)
	}
	if !r.linked {
		return make([][]streets.Polygon, len(minutes))
	}
	q, g := t.query, grid[t.o.Mode]
	if t.o.Mode == Transit {
		q = t.lower
		n := len(t.o.Percentiles)
		q.Lay(t.key.walks.egress, slices.Max(limits), t.from, t.nodes, func(i int) uint32 { return uint32(t.seconds[i*n+percentile]) })
	}
	return q.Outlines(&t.outliner, limits, g.buffer, g.cell)
}
