package facts

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
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

// reached is the nearest place of a target from the middle home of a geography.
type reached struct {
	target uint8
	place  uint32 // in world.reachable
	way    network.Distance
}

// reachable is a place that some middle home is near.
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

// walk finds what is nearest on foot from the middle homes of the geographies, region by region.
func (w *world) walk(ctx context.Context, a *assembly.Assembly) error {
	byRegion := map[uint16][]int{}
	for i := range w.subjects {
		if m := w.subjects[i].middle; m >= 0 {
			region := w.homes.Homes[m].Region
			byRegion[region] = append(byRegion[region], i)
		}
	}
	number := uint16(0)
	return a.EachRegion(func(name string, db *duck.DB) error {
		subjects := byRegion[number]
		number++
		if len(subjects) == 0 {
			return nil
		}
		walker, err := newWalker(ctx, db, w.incomplete[name])
		if err != nil {
			return err
		}
		for t := range targets {
			if err := ctx.Err(); err != nil {
				return err
			}
			w.find(walker, uint8(t), subjects)
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

// find finds the nearest place of a target from the middle homes of geographies of a region.
func (w *world) find(k *walker, number uint8, subjects []int) {
	t := &targets[number]
	list := k.of(t)
	if len(list) == 0 {
		return
	}
	places, groups := make([]network.Place, len(list)), make([]uint32, len(list))
	onEdge, stations := map[uint32][]uint32{}, map[string]uint32{}
	for i, d := range list {
		places[i] = network.Place{Edge: uint32(d.Edge), Along: network.Metres(d.AlongM), Leg: network.Metres(d.LegM)}
		onEdge[places[i].Edge] = append(onEdge[places[i].Edge], uint32(i))
		group, ok := stations[d.Station]
		if !ok {
			group = uint32(len(stations))
			stations[d.Station] = group
		}
		groups[i] = group
	}
	labels := k.graph.Nearest(places, groups, 1, network.Metres(t.reachM))
	kept := map[uint32]uint32{} // places in w.reachable
	known := uint64(1) << schemas.MustChannel(t.measure)
	for _, i := range subjects {
		h := &w.homes.Homes[w.subjects[i].middle]
		if h.Known&known == 0 {
			continue
		}
		way, place := k.nearest(h, labels, places, onEdge[h.Edge])
		if way > network.Metres(t.reachM) {
			continue
		}
		at, ok := kept[place]
		if !ok {
			at = uint32(len(w.reachable))
			kept[place] = at
			d := &list[place]
			r := reachable{name: d.Name, key: d.PlaceKey}
			if t.code == profile.StationFact {
				r.trips = k.weekly(d, t.subject)
			}
			w.reachable = append(w.reachable, r)
		}
		w.subjects[i].reached = append(w.subjects[i].reached, reached{number, at, way})
	}
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

// walked adds what is nearest on foot from the middle home.
func (w *world) walked(s *subject, facts []profile.Fact) []profile.Fact {
	if s.middle < 0 {
		return facts
	}
	from := w.from(s.middle)
	for _, r := range s.reached {
		t, place := &targets[r.target], &w.reachable[r.place]
		f := profile.Fact{
			Section: t.section, Code: t.code, Subject: t.subject, Name: place.name, Value: r.way.Metres(), Further: place.trips,
			Source: from + " destination:" + t.class + "/" + place.key,
		}
		if t.code == profile.WalkTimeFact {
			f.Name, f.Value = "", r.way.Metres()/walkMetresPerMinute
		}
		facts = append(facts, f)
	}
	return facts
}
