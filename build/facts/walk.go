package facts

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
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

// reachable is a place that is the nearest of some home.
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

// walker is the streets of a region with the places on them.
type walker struct {
	graph   *network.Graph
	beeline *network.Beeline // nil: all footpaths are known
	places  map[string][]derived.Destination

	platforms map[string][]int32           // stops by station
	trips     map[int32]map[string]float64 // weekly, by stop and mode; 0: not known
}

// newWalker reads the streets and places of a region. incomplete are the sources of streets without all footpaths.
func newWalker(ctx context.Context, db *duck.DB, incomplete map[string]bool) (*walker, error) {
	k := &walker{places: map[string][]derived.Destination{}, platforms: map[string][]int32{}, trips: map[int32]map[string]float64{}}
	if err := k.readStreets(ctx, db, incomplete); err != nil {
		return nil, err
	}
	for d, err := range sqlrow.Select[derived.Destination](ctx, db, "SELECT * FROM destination ORDER BY destination") {
		if err != nil {
			return nil, fmt.Errorf("read destinations: %w", err)
		}
		k.places[d.Class] = append(k.places[d.Class], *d)
		if d.Class == "stop" {
			k.platforms[d.Station] = append(k.platforms[d.Station], d.Destination)
		}
	}
	for s, err := range sqlrow.Select[derived.TransitService](ctx, db, "SELECT * FROM transit_service") {
		if err != nil {
			return nil, fmt.Errorf("read services: %w", err)
		}
		if k.trips[s.Destination] == nil {
			k.trips[s.Destination] = map[string]float64{}
		}
		mode := modeOfService(s)
		if s.Basis == schemas.TimetableBasis {
			k.trips[s.Destination][mode] += float64(s.TripsWeek)
		} else {
			k.trips[s.Destination][mode] += 0
		}
	}
	return k, nil
}

// readStreets makes the graph of a region, with ways bounded as those of its measures are.
func (k *walker) readStreets(ctx context.Context, db *duck.DB, incomplete map[string]bool) error {
	var nodes []coord.Point
	err := assembly.EachNumbered(ctx, db, "street_node", "node", "", func(_ int64, n *derived.StreetNode) error {
		p, ok := coord.NewPoint(n.Lng, n.Lat)
		if nodes = append(nodes, p); !ok {
			return fmt.Errorf("is at %v, %v", n.Lng, n.Lat)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var edges []network.Edge
	var ends []uint32
	var shape []coord.Point
	bounded, any := make([]bool, len(nodes)), false
	err = assembly.EachNumbered(ctx, db, "street_edge", "edge", "", func(number int64, e *derived.StreetEdge) error {
		line, err := geo.LineString(e.Geom)
		if err != nil {
			return err
		}
		for _, at := range line {
			p, _ := coord.NewPoint(at[0], at[1])
			shape = append(shape, p)
		}
		ends = append(ends, uint32(len(shape)))
		if incomplete[e.SourceID] {
			bounded[e.A], bounded[e.B], any = true, true, true
		}
		edges = append(edges, network.Edge{A: uint32(e.A), B: uint32(e.B), Length: network.Metres(e.LengthM), Line: uint32(number)})
		return nil
	})
	if err != nil {
		return err
	}
	k.graph = network.GraphFromEdges(nodes, edges)
	k.graph.Shape, k.graph.ShapeEnds = shape, ends
	if !any {
		return nil
	}
	barriers, err := readBarriers(ctx, db)
	k.beeline = network.NewBeeline(calibration.Standard().Walking.Detour, network.NewSnapper(k.graph, barriers))
	k.graph.Bound(k.beeline, bounded)
	return err
}

func readBarriers(ctx context.Context, db *duck.DB) (barriers [][]coord.Point, err error) {
	err = assembly.EachNumbered(ctx, db, "barrier", "barrier", "", func(_ int64, b *derived.Barrier) error {
		line, err := geo.LineString(b.Geom)
		if err != nil {
			return err
		}
		points := make([]coord.Point, len(line))
		for i, at := range line {
			points[i], _ = coord.NewPoint(at[0], at[1])
		}
		barriers = append(barriers, points)
		return nil
	})
	return barriers, err
}

// of are the places of a target: of stops, those that its mode serves.
func (k *walker) of(t *target) (list []derived.Destination) {
	for _, d := range k.places[t.class] {
		switch {
		case t.code != profile.StationFact || t.class == "train_station" || t.class == "bus_stop":
		case t.class == "rapid_station":
			if _, subway := k.stationTrips(&d)["subway"]; subway != (t.subject == "subway") {
				continue
			}
		default:
			if _, served := k.trips[d.Destination][t.subject]; !served {
				continue
			}
		}
		list = append(list, d)
	}
	return list
}

// find finds the nearest place of a target from homes of a region.
func (w *world) find(ctx context.Context, k *walker, t int, found []int32) error {
	target := &targets[t]
	list := k.of(target)
	if len(list) == 0 {
		return ctx.Err()
	}
	places, groups := make([]network.Place, len(list)), make([]uint32, len(list))
	onEdge, stations := map[uint32][]uint32{}, map[string]uint32{}
	first := uint32(len(w.ways.stands))
	for i, d := range list {
		places[i] = network.Place{Edge: uint32(d.Edge), Along: network.Metres(d.AlongM), Leg: network.Metres(d.LegM)}
		onEdge[places[i].Edge] = append(onEdge[places[i].Edge], uint32(i))
		group, ok := stations[d.Station]
		if !ok {
			group = uint32(len(stations))
			stations[d.Station] = group
		}
		groups[i] = group
		r := reachable{name: d.Name, key: d.PlaceKey}
		if target.code == profile.StationFact {
			r.trips = k.weekly(&d, target.subject)
		}
		w.ways.stands = append(w.ways.stands, r)
	}
	labels := k.graph.Nearest(places, groups, 1, network.Metres(target.reachM))
	known := uint64(1) << schemas.MustChannel(target.measure)
	return parallel.Each(ctx, len(found), func(i int) {
		h := &w.homes.Homes[found[i]]
		if h.Known&known == 0 {
			return
		}
		if way, place := k.nearest(h, labels, places, onEdge[h.Edge]); way <= network.Metres(target.reachM) {
			w.ways.metres[t][found[i]], w.ways.place[t][found[i]] = uint16(way), first+place
		}
	})
}

// nearest returns the way from a home to the nearest place, and the place; network.Far if none is within reach.
func (k *walker) nearest(h *homes.Home, labels *network.Labels, places []network.Place, onEdge []uint32) (network.Distance, uint32) {
	e := k.graph.Edges[h.Edge]
	along := min(network.Metres(float64(h.AlongM)), e.Length)
	best, found := network.Far, uint32(0)
	try := func(way network.Distance, place uint32) {
		if way < best || way == best && place < found {
			best, found = way, place
		}
	}
	for _, end := range []struct {
		node uint32
		way  network.Distance
	}{{e.A, along}, {e.B, e.Length - along}} {
		for _, l := range labels.At(int(end.node)) {
			try(end.way+l.Distance, l.Place)
		}
	}
	for _, place := range onEdge {
		p := places[place]
		try(max(p.Along, along)-min(p.Along, along)+p.Leg, place)
	}
	return best, found
}

// weekly is the weekly trips in a mode at a station, all platforms together; 0: not known.
func (k *walker) weekly(d *derived.Destination, subject string) float64 {
	return k.stationTrips(d)[subject]
}

// stationTrips is the weekly trips at the platforms of a station by mode.
func (k *walker) stationTrips(d *derived.Destination) map[string]float64 {
	trips := map[string]float64{}
	for _, platform := range k.platforms[d.Station] {
		for mode, n := range k.trips[platform] {
			trips[mode] += n
		}
	}
	return trips
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
			f.Name, f.Value = "", metres/walkMetresPerMinute
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
