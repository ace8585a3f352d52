package access

import (
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
)

// parks fills park_access and park_access_weighted_by_area (docs/methods.md, 5). Parks are searched by band of size, so
// that the nearest of each band are exact.
func (d *deriver) parks() {
	if !d.known.Has("park") {
		return
	}
	c, sizes := &d.c.Access, &d.c.Access.ParkSizes
	at := schemas.MustChannel("park_access")
	seen := d.onFoot([]string{"park"}, len(c.ParkSlots))
	d.nearestParks(len(c.ParkSlots), d.walk.Reach(), func(hectares float64) bool { return hectares >= c.ParkMinHa },
		func(node int, metres []float64) {
			value := func(metres []float64) float64 { return rating.ParkAccess(c, d.walk, metres, nil) }
			if seen.Bounded(node, metres, value) {
				d.m.Set(node, at, value(metres))
			}
		})
	nodes, largest := len(d.graph.Nodes), sizes.Reference[len(sizes.Reference)-1].Hectares // larger parks are too rare to be expected
	sums, beyond, another := make([]float64, nodes), make([]float64, nodes), make([]float64, nodes)
	for i, band := range rating.ParkBands(sizes, d.walk) {
		weight := d.stretched(band.ReachM / d.walk.Reach())
		seen, one := d.edges.NewSearch([]string{"park"}, sizes.Places, weight), d.edges.NewSearch([]string{"park"}, 1, weight)
		d.nearestParks(sizes.Places, band.ReachM, func(hectares float64) bool { return rating.Band(sizes.BandsHa, hectares) == i },
			func(node int, metres []float64) {
				var buffer [1]float64
				sums[node] += band.Sum(metres, nil)
				beyond[node] = max(beyond[node], seen.Beyond(node, metres)) // one large park may be more than all small ones
				if band.FromHa <= largest {
					another[node] = max(another[node], band.Sum(one.Most(buffer[:], node, nil), nil))
				}
			})
	}
	bySize := schemas.MustChannel("park_access_weighted_by_area")
	for node, sum := range sums {
		if !d.coverage.places[node] {
			continue
		}
		value := rating.ParksBySize(sizes, sum, nil)
		if d.edges.Narrow(rating.ParksBySize(sizes, sum+another[node], nil)-value) || d.edges.Allows(node, beyond[node]) {
			d.m.Set(node, bySize, value)
		}
	}
}

// nearestParks visits the nodes with the distances to the k nearest of the parks that match; a park is as near as its
// nearest entrance.
func (d *deriver) nearestParks(k int, reachM float64, matches func(hectares float64) bool, v visitor) {
	var places []network.Place
	var group []uint32
	keys := numbering{}
	for _, park := range d.set.Of("park") {
		if matches(rating.ParkSize(&d.c.Access, park.Hectares)) {
			places, group = append(places, park.Place), append(group, keys.of(park.Key))
		}
	}
	d.nearest(places, group, k, reachM, d.coverage.places, []visitor{v})
}
