package access

import (
	"maps"
	"slices"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
)

// vibrant fills the score vibrant (docs/methods.md, 5): each place counts once, as the first of its kinds of activity.
func (d *deriver) vibrant() {
	v := &d.c.Vibrant
	if !d.c.Known.Counted(rating.ActivityClasses(v), d.known.Has) {
		return
	}
	kinds := rating.ActivityOf(v)
	index := map[string]int{} // of places, by key
	var places []network.Place
	var kindOf []uint8
	for i := range d.set.List {
		p := &d.set.List[i]
		kind, counts := kinds[p.Class]
		if !counts {
			continue
		}
		if at, seen := index[p.Key]; seen {
			kindOf[at] = min(kindOf[at], uint8(kind))
			continue
		}
		index[p.Key] = len(places)
		places, kindOf = append(places, p.Place), append(kindOf, uint8(kind))
	}
	weight := slices.Repeat([]uint32{1}, int(v.RadiusM)+1)
	n := len(v.Activities)
	sums := d.graph.Sums(places, kindOf, n, weight)
	at, seen := schemas.MustChannel("vibrant"), d.within(slices.Sorted(maps.Keys(kinds)), 0, v.RadiusM)
	for node := range d.graph.Nodes {
		if d.coverage.places[node] && seen.Known(node, nil) {
			d.m.Set(node, at, rating.Vibrant(v, sums[node*n:node*n+n], nil))
		}
	}
}
