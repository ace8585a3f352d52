package access

import (
	"quartier/internal/network"
	"quartier/internal/rating"
)

// parks fills park_access and park_access_weighted_by_area (methods, 5). Parks are searched band by band of size, so
// that the nearest of each band are exact.
func (d *deriver) parks() {
	if !d.ground.known["park"] {
		return
	}
	sizes, slots := d.c.Access.ParkSizes, d.c.Access.ParkSlots
	near := channelOf("park_access")
	places, group := d.parksOf(func(hectares float64) bool { return hectares >= d.c.Access.ParkMinHa })
	var buffer [16]float64
	d.nearest(places, group, len(slots), d.walk.Reach(), d.ground.places, []use{func(node int, metres []float64) {
		sum := rating.Slots(slots, d.worths(buffer[:0], metres, len(slots), 1))
		d.m.Set(node, near, 5*sum/rating.Total(slots))
	}})
	sums := make([]float64, len(d.graph.Nodes))
	for band, size := range sizes.BandsHa {
		places, group := d.parksOf(func(hectares float64) bool { return rating.Band(sizes.BandsHa, hectares) == band })
		mass, stretch := rating.ParkMass(size), rating.ParkStretch(size)
		d.nearest(places, group, sizes.Places, d.walk.Reach()*stretch, d.ground.places, []use{func(node int, metres []float64) {
			for _, w := range d.worths(buffer[:0], metres, sizes.Places, stretch) {
				sums[node] += mass * w
			}
		}})
	}
	bySize := channelOf("park_access_weighted_by_area")
	for node, sum := range sums {
		if d.ground.places[node] {
			d.m.Set(node, bySize, rating.Saturate(sum, sizes.G0))
		}
	}
}

// parksOf are the entrances of parks of some sizes, with the number of each one's park.
func (d *deriver) parksOf(fits func(hectares float64) bool) (places []network.Place, group []uint32) {
	number := map[string]uint32{}
	for _, park := range d.set.Of("park") {
		hectares := park.Hectares
		if hectares == 0 {
			hectares = d.c.Access.ParkUnknownHa
		}
		if !fits(hectares) {
			continue
		}
		n, ok := number[park.Key]
		if !ok {
			n = uint32(len(number))
			number[park.Key] = n
		}
		places, group = append(places, park.Place), append(group, n)
	}
	return places, group
}
