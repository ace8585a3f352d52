package facts

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/profile"
)

// walkMetresPerMinute is the speed at which distances become minutes.
const walkMetresPerMinute = 80

// target is what the nearest is found of on foot, with the measure that must be known at the middle home.
type target struct {
	code           profile.Code
	section        profile.Section
	subject        string
	class, measure string
	reachM         float64
}

// targets are stations by mode, and places of everyday errands by category.
var targets = []target{
	{profile.StationFact, profile.Transport, "subway", "rapid_station", "nearest_rapid_transit_station_proximity", 3000},
	{profile.StationFact, profile.Transport, "rapid_transit", "rapid_station", "nearest_rapid_transit_station_proximity", 3000},
	{profile.StationFact, profile.Transport, "train", "train_station", "nearest_train_station_proximity", 5000},
	{profile.StationFact, profile.Transport, "tram", "stop", "nearest_bus_stop_proximity", 2000},
	{profile.StationFact, profile.Transport, "ferry", "stop", "nearest_bus_stop_proximity", 3000},
	{profile.StationFact, profile.Transport, "bus", "bus_stop", "nearest_bus_stop_proximity", 1500},
	{profile.WalkTimeFact, profile.Services, "groceries", "grocery", "nearest_general_grocery_store_proximity", 2000},
	{profile.WalkTimeFact, profile.Services, "restaurants", "restaurant", "restaurant_access", 2000},
	{profile.WalkTimeFact, profile.Services, "cafes", "cafe", "coffee_shop_access", 2000},
	{profile.WalkTimeFact, profile.Services, "pharmacies", "pharmacy", "nearest_pharmacy_proximity", 2000},
	{profile.WalkTimeFact, profile.Character, "parks", "park", "park_access", 2000},
}

// ways are the metres on foot from every home to the nearest place of each target, and for stations which place that is.
type ways struct {
	metres [][]uint16 // by target and home, in decimetres; tooFar: none within reach, or its class is not known there
	place  [][]uint32 // by target and home, in reachable; nil for targets without names
	stands []reachable
}

// tooFar is the way to a place that is not within reach. It is longer than the reach of every target.
const tooFar = math.MaxUint16

// reachable is a place that is the nearest of some home. Its name is that of a station.
type reachable struct {
	name, key string
	trips     float64 // in a week; 0: not known
}

// middle returns the home that is nearest to the mean of the homes of the geography; -1 if it has none.
func (c *collector) middle() int32 {
	if c.weight == 0 {
		return -1
	}
	var mean orb.Point
	for _, i := range c.found {
		h := &c.world.homes.Homes[i]
		share := float64(h.Weight) / float64(c.weight)
		mean[0] += share * h.Point[0]
		mean[1] += share * h.Point[1]
	}
	plane := geo.NewPlane(mean)
	best, found := math.Inf(1), int32(-1)
	for _, i := range c.found {
		if d := plane.Distance(c.world.homes.Homes[i].Point); d < best {
			best, found = d, i
		}
	}
	return found
}

// walk finds what is nearest on foot from the homes, region by region. Regions none of whose homes are in the boxes, if
// there are any, are left out.
func (w *world) walk(ctx context.Context, a *assembly.Assembly, boxes []orb.Bound) error {
	homes := w.homes.Homes
	w.ways = ways{metres: make([][]uint16, len(targets)), place: make([][]uint32, len(targets)), stands: []reachable{{}}}
	for t := range targets {
		w.ways.metres[t] = slices.Repeat([]uint16{tooFar}, len(homes))
		w.ways.place[t] = make([]uint32, len(homes))
	}
	byRegion := map[uint16][]int32{}
	for _, box := range boxes {
		for _, i := range w.homes.InBox(nil, box) {
			byRegion[homes[i].Region] = []int32{}
		}
	}
	for i := range homes {
		if list, wanted := byRegion[homes[i].Region]; wanted || boxes == nil {
			byRegion[homes[i].Region] = append(list, int32(i))
		}
	}
	number := uint16(0)
	return a.EachRegion(func(name string, db *duck.DB) error {
		found := byRegion[number]
		number++
		if len(found) == 0 {
			return nil
		}
		walker, err := newWalker(ctx, db, w.incomplete[name])
		if err != nil {
			return err
		}
		for t := range targets {
			if err := w.find(ctx, walker, t, found); err != nil {
				return err
			}
		}
		return nil
	})
}

// find finds the nearest place of a target from homes of a region. Names and keys are read afterwards, of the places that are
// the nearest of some home.
func (w *world) find(ctx context.Context, k *walker, t int, found []int32) error {
	target := &targets[t]
	var places []network.Place
	err := k.each(ctx, target, func(d *derived.Destination) {
		places = append(places, network.Place{Edge: uint32(d.Edge), Along: network.Metres(d.AlongM), Leg: network.Metres(d.LegM)})
	})
	if err != nil || len(places) == 0 {
		return cmp.Or(err, ctx.Err())
	}
	byEdge := orderByEdge(places)
	labels := k.graph.Nearest(places, nil, 1, network.Metres(target.reachM))
	known := uint64(1) << schemas.MustChannel(target.measure)
	metres, place := w.ways.metres[t], w.ways.place[t]
	err = parallel.Each(ctx, len(found), func(i int) {
		h := &w.homes.Homes[found[i]]
		if h.Known&known == 0 {
			return
		}
		if way, nearest := k.nearest(h, labels, places, byEdge); way <= network.Metres(target.reachM) {
			metres[found[i]], place[found[i]] = uint16(way), nearest
		}
	})
	if err != nil {
		return err
	}
	number := make([]uint32, len(places)) // in ways.stands; 0: the place is not the nearest of any home
	for _, i := range found {
		if metres[i] == tooFar {
			continue
		}
		n := &number[place[i]]
		if *n == 0 {
			*n = uint32(len(w.ways.stands))
			w.ways.stands = append(w.ways.stands, reachable{})
		}
		place[i] = *n
	}
	at := 0
	return k.each(ctx, target, func(d *derived.Destination) {
		if n := number[at]; n != 0 {
			r := reachable{key: d.PlaceKey}
			if target.code == profile.StationFact {
				r.name, r.trips = d.Name, k.weekly(d, target.subject)
			}
			w.ways.stands[n] = r
		}
		at++
	})
}

// walked gives what is nearest on foot from the median home of each target, and from which home that is.
func (c *collector) walked() {
	ways := &c.world.ways
	for t := range targets {
		target := &targets[t]
		home := c.medianHome(t)
		if home < 0 {
			continue
		}
		metres := network.Distance(ways.metres[t][home]).Metres()
		place := &ways.stands[ways.place[t][home]]
		f := profile.Fact{
			Section: target.section, Code: target.code, Subject: target.subject, Name: place.name, Value: metres, Further: place.trips,
			Source: c.world.from(home) + " destination:" + target.class + "/" + place.key,
		}
		if target.code == profile.WalkTimeFact {
			f.Value = metres / walkMetresPerMinute
		}
		c.add(f)
	}
}

// medianHome is the home with the median of the ways to a target, the first of those with the same; -1 where the class is known at
// less than half of the homes by weight, or the median is beyond reach. It is the home that has the median of a score: the
// first, from the longest way down, at which half of the weight is reached.
func (c *collector) medianHome(t int) int32 {
	ways, mask := c.world.ways.metres[t], uint64(1)<<schemas.MustChannel(targets[t].measure)
	var upper, lower [256]uint64
	known := uint64(0)
	for _, i := range c.found {
		if h := &c.world.homes.Homes[i]; h.Known&mask != 0 {
			known += h.Weight
			upper[ways[i]>>8] += h.Weight
		}
	}
	if known == 0 || 2*known < c.weight {
		return -1
	}
	high, longer := fromTop(&upper, 0, known)
	for _, i := range c.found {
		if h := &c.world.homes.Homes[i]; h.Known&mask != 0 && int(ways[i]>>8) == high {
			lower[ways[i]&255] += h.Weight
		}
	}
	low, _ := fromTop(&lower, longer, known)
	median := uint16(high<<8 | low)
	if median == tooFar {
		return -1
	}
	return c.found[slices.IndexFunc(c.found, func(i int32) bool { return ways[i] == median && c.world.homes.Homes[i].Known&mask != 0 })]
}

// fromTop returns the last index from which on the sum of weights, with what is above, is half of total, and the sum after it.
func fromTop(weights *[256]uint64, above, total uint64) (int, uint64) {
	for i := 255; i > 0; i-- {
		if w := weights[i]; w > 0 && 2*(above+w) >= total {
			return i, above
		}
		above += weights[i]
	}
	return 0, above
}
