package streets

import (
	"context"
	"slices"

	"quartier/internal/network"
	"quartier/internal/parallel"
)

// blockOfPlaces bounds the memory of buckets: a few hundred of 8 bytes for each place to which ways lead.
const blockOfPlaces = 4096

// Matrix is the times from places to places in seconds, legs included, a row for each place of from; Never where a way takes
// longer than some seconds or there is none. With a hierarchy it searches that, else all that is within reach of each place of
// from. It uses all processors.
func (n *Network) Matrix(ctx context.Context, from, to []network.Place, pace Pace, seconds uint32) ([]uint32, error) {
	times := make([]uint32, len(from)*len(to))
	row := func(i, begin, end int) []uint32 { return times[i*len(to)+begin : i*len(to)+end] }
	if n.shortcut == nil {
		err := parallel.EachWith(ctx, len(from), n.NewQuery, func(q *Query, i int) error {
			q.Start(pace, seconds)
			q.Add(from[i], 0)
			q.Run()
			q.toAll(to, row(i, 0, len(to)))
			return nil
		})
		return times, err
	}
	for begin := 0; begin < len(to); begin += blockOfPlaces {
		end := min(begin+blockOfPlaces, len(to))
		down := n.buckets(to[begin:end], pace.reach(seconds))
		if err := parallel.EachWith(ctx, len(from), n.newUpward, func(u *upward, i int) error {
			u.toAll(from[i], to[begin:end], down, pace, seconds, row(i, begin, end))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return times, nil
}

// toAll are the times to places.
func (q *Query) toAll(to []network.Place, times []uint32) {
	for i, p := range to {
		times[i] = q.To(p)
	}
}

// upward is a search up the hierarchy.
type upward struct {
	q    *Query // on the arcs of the hierarchy that lead up
	cost []uint64
}

func (n *Network) newUpward() *upward {
	return &upward{q: &Query{Network: n, search: network.NewSearch(n.shortcut.firstUp, n.shortcut.up)}}
}

// toAll are the times from a place to those of buckets.
func (u *upward) toAll(from network.Place, to []network.Place, down *buckets, pace Pace, seconds uint32, times []uint32) {
	u.q.Start(pace, seconds)
	u.q.Add(from, 0)
	u.q.Run()
	u.cost = slices.Grow(u.cost[:0], len(to))[:len(to)]
	for i, p := range to {
		u.cost[i] = Closed
		if p.Edge == from.Edge {
			u.cost[i] = pace.leg(from.Leg) + u.q.along(from, p)
		}
	}
	for _, node := range u.q.Reached() {
		at := uint64(u.q.search.At(node))
		for _, b := range down.list[down.first[node]:down.first[node+1]] {
			u.cost[b.place] = min(u.cost[b.place], at+uint64(b.cost))
		}
	}
	for i, p := range to {
		times[i] = pace.within(u.cost[i], p.Leg, u.q.reach)
	}
}
