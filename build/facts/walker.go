package facts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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

// walker is the streets of a region, with the stops on them.
type walker struct {
	graph   *network.Graph
	beeline *network.Beeline // nil: all footpaths are known
	db      *duck.DB

	platforms map[string][]int32           // stops by station
	trips     map[int32]map[string]float64 // weekly, by stop and mode; 0: not known
}

// newWalker reads the streets and stops of a region. incomplete are the sources of streets without all footpaths.
func newWalker(ctx context.Context, db *duck.DB, incomplete map[string]bool) (*walker, error) {
	k := &walker{db: db, platforms: map[string][]int32{}, trips: map[int32]map[string]float64{}}
	if err := k.readStreets(ctx, db, incomplete); err != nil {
		return nil, err
	}
	err := k.eachOf(ctx, "stop", func(d *derived.Destination) {
		k.platforms[d.Station] = append(k.platforms[d.Station], d.Destination)
	})
	if err != nil {
		return nil, err
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

// eachOf visits the places of a class by number.
func (k *walker) eachOf(ctx context.Context, class string, visit func(*derived.Destination)) error {
	const query = "SELECT * FROM destination WHERE class = ? ORDER BY destination"
	for d, err := range sqlrow.Select[derived.Destination](ctx, k.db, query, class) {
		if err != nil {
			return fmt.Errorf("read destinations: %w", err)
		}
		visit(d)
	}
	return nil
}

// each visits the places of a target.
func (k *walker) each(ctx context.Context, t *target, visit func(*derived.Destination)) error {
	return k.eachOf(ctx, t.class, func(d *derived.Destination) {
		if k.has(t, d) {
			visit(d)
		}
	})
}

// has reports whether a place of the class of a target is one of its places: of stops, those that its mode serves are.
func (k *walker) has(t *target, d *derived.Destination) (served bool) {
	switch {
	case t.code != profile.StationFact || t.class == "train_station" || t.class == "bus_stop":
		return true
	case t.class == "rapid_station":
		_, subway := k.stationTrips(d)["subway"]
		return subway == (t.subject == "subway")
	}
	_, served = k.trips[d.Destination][t.subject]
	return served
}

// orderByEdge returns the places by the edges that they are on, those of an edge by number.
func orderByEdge(places []network.Place) []uint32 {
	order := make([]uint32, len(places))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Or(cmp.Compare(places[a].Edge, places[b].Edge), cmp.Compare(a, b)) })
	return order
}

// nearest returns the way from a home to the nearest place, and the place; network.Far if none is within reach.
func (k *walker) nearest(h *homes.Home, labels *network.Labels, places []network.Place, byEdge []uint32) (network.Distance, uint32) {
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
	first, _ := slices.BinarySearchFunc(byEdge, h.Edge, func(i, edge uint32) int { return cmp.Compare(places[i].Edge, edge) })
	for _, place := range byEdge[first:] {
		p := places[place]
		if p.Edge != h.Edge {
			break
		}
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
