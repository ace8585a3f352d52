package access

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/extent"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/drive"
)

// roads is the network that cars use, by distance and by time, and where each node of the walking network is on it.
type roads struct {
	*drive.Network
	times   *network.Graph // lengths are driving times (drive.Network.Times)
	snapper *network.Snapper
	edge    []uint32        // of each edge of snapper, its index in Graph
	access  []network.Place // of each node of the walking network, its place on Graph
	snapped []bool          // whether it has one
}

// drive fills nearest_highway_proximity, RampMin, ArterialMin and DriveErrands, over the streets that cars use, one-way
// streets respected.
func (d *deriver) drive() {
	if d.cars == nil {
		return
	}
	r := d.newRoads()
	c := &d.c.Scores.Drive
	if ramps := r.ramps(d.set.Ramps); len(ramps) > 0 {
		p := d.c.Proximity[rating.HighwayProximity]
		at := schemas.MustChannel(rating.HighwayProximity)
		labels, seen := r.Graph.Nearest(ramps, nil, 1, network.Metres(p.FarM)), d.within(nil, 1, p.FarM)
		for node := range d.graph.Nodes {
			if metres := r.metres(r.Graph, labels, node); r.snapped[node] && seen.Known(node, []float64{metres}) {
				d.m.Set(node, at, rating.Proximity(rating.HighwayProximity, p, metres, nil))
			}
		}
		d.s.RampMin = d.seen(r.minutes(c, r.timed(ramps), c.Ramp), c.Ramp)
	}
	d.s.ArterialMin = d.seen(r.minutes(c, r.arterials(c.Arterials), c.Arterial), c.Arterial)
	d.driveErrands(r)
}

// seen are driving times to the nearest street of a kind without those of nodes from which the search looks too far beyond
// the edge of the streets.
func (d *deriver) seen(minutes []float32, within calibration.Minutes) []float32 {
	minuteM := d.c.Scores.Drive.MinuteM
	search := d.within(nil, 1, within.None*minuteM)
	for node, m := range minutes {
		if !math.IsNaN(float64(m)) && !search.Known(node, []float64{float64(m) * minuteM}) {
			minutes[node] = float32(math.NaN())
		}
	}
	return minutes
}

// driveErrands fills DriveErrands: the share of errands, by the weights of the slots, within a short drive.
func (d *deriver) driveErrands(r *roads) {
	errands := rating.NewErrands(d.c, d.c.Estimates.Drive, false, d.known.Has)
	if !errands.Enough() {
		return
	}
	c := &d.c.Scores.Drive
	sums, beyond, total := make([]float64, len(d.graph.Nodes)), make([]float64, len(d.graph.Nodes)), 0.0
	short := extent.NewWeight(c.Errands.None*c.MinuteM, func(metres float64) float64 { return rating.Driven(c.Errands, metres/c.MinuteM) })
	for _, slot := range errands.Slots {
		weight, seen := rating.Total(slot.Weights), d.edges.NewSearch(slot.Classes, 1, short)
		total += weight
		minutes := r.minutes(c, r.timed(r.entrances(d, slot.Classes)), c.Errands)
		for node := range sums {
			if r.snapped[node] {
				sums[node] += weight * rating.Driven(c.Errands, float64(minutes[node]))
				beyond[node] += weight * seen.Beyond(node, []float64{float64(minutes[node]) * c.MinuteM})
			}
		}
	}
	d.s.DriveErrands = channel.Absent(len(sums))
	for node, sum := range sums {
		if r.snapped[node] && d.coverage.places[node] && d.edges.Sees(node, beyond[node]/total) {
			d.s.DriveErrands[node] = float32(errands.Share(sum, nil))
		}
	}
}

// newRoads finds the nodes of the walking network on the streets that cars use.
func (d *deriver) newRoads() *roads {
	r := &roads{Network: d.cars, times: d.cars.Times(&d.c.Scores.Drive)}
	r.makeSnapper()
	r.access, r.snapped = make([]network.Place, len(d.graph.Nodes)), make([]bool, len(d.graph.Nodes))
	_ = parallel.Nodes(context.Background(), len(d.graph.Nodes), func(lo, hi int) { // never cancelled
		for node := lo; node < hi; node++ {
			r.access[node], r.snapped[node] = r.snap(d.graph.Nodes[node], d.c.Scores.Drive.SnapM)
		}
	})
	return r
}

// makeSnapper indexes the roads where cars may stop: not motorways and ramps.
func (r *roads) makeSnapper() {
	ordinary := &network.Graph{Nodes: r.Graph.Nodes}
	for edge, e := range r.Graph.Edges {
		if !r.MayStop(uint32(edge)) {
			continue
		}
		r.edge = append(r.edge, uint32(edge))
		ordinary.Edges = append(ordinary.Edges, e)
		ordinary.Shape = append(ordinary.Shape, r.Graph.Line(uint32(edge))...)
		ordinary.ShapeEnds = append(ordinary.ShapeEnds, uint32(len(ordinary.Shape)))
	}
	r.snapper = network.NewSnapper(ordinary, nil)
}

func isRamp(class string) bool { return class == "motorway_link" || class == "trunk_link" }

func (r *roads) snap(p coord.Point, limit float64) (network.Place, bool) {
	place, ok := r.snapper.Snap(p, limit)
	if ok {
		place.Edge = r.edge[place.Edge]
	}
	return place, ok
}

// timed are places on times: along an edge by the share of its length, and without legs, which are walked or parking.
func (r *roads) timed(places []network.Place) []network.Place {
	places = slices.Clone(places)
	for i := range places {
		places[i] = r.timedPlace(places[i])
	}
	return places
}

func (r *roads) timedPlace(p network.Place) network.Place {
	share := float64(p.Along) / float64(max(1, r.Graph.Edges[p.Edge].Length))
	return network.Place{Edge: p.Edge, Along: network.Distance(math.Round(share * float64(r.times.Edges[p.Edge].Length)))}
}

// minutes is the driving time of every node of the walking network to the nearest of the places on times, at most
// within.None; NaN at nodes without a street for cars.
func (r *roads) minutes(c *calibration.Drive, places []network.Place, within calibration.Minutes) []float32 {
	labels := r.times.Nearest(places, nil, 1, network.Metres(c.Reach(within)))
	minutes := channel.Absent(len(r.access))
	for node := range minutes {
		if r.snapped[node] {
			minutes[node] = float32(min(within.None, r.metres(r.times, labels, node)*60/1000/c.UnitKMH))
		}
	}
	return minutes
}

// metres is the distance on a graph, by distance or time, from a node of the walking network to the nearest labelled
// place, +Inf if there is none.
func (r *roads) metres(g *network.Graph, labels *network.Labels, node int) float64 {
	p := r.access[node]
	if g == r.times {
		p = r.timedPlace(p)
	}
	e := g.Edges[p.Edge]
	direction := network.Both
	if g.Ways != nil {
		direction = g.Ways[p.Edge]
	}
	least := math.Inf(1)
	if at := labels.At(int(e.A)); len(at) > 0 && direction != network.Forward {
		least = min(least, (p.Along + at[0].Distance).Metres())
	}
	if at := labels.At(int(e.B)); len(at) > 0 && direction != network.Backward {
		least = min(least, (e.Length - p.Along + at[0].Distance).Metres())
	}
	return least + p.Leg.Metres()
}

// entrances are the destinations of some classes snapped to the roads; those too far from any are skipped.
func (r *roads) entrances(d *deriver, classes []string) []network.Place {
	var entrances []network.Place
	for _, class := range classes {
		for _, v := range d.set.Of(class) {
			if p, ok := coord.NewPoint(v.Point[0], v.Point[1]); ok {
				if place, ok := r.snap(p, d.c.Scores.Drive.SnapM); ok {
					entrances = append(entrances, place)
				}
			}
		}
	}
	return entrances
}

// arterials are the ends of the edges of arterials.
func (r *roads) arterials(classes []string) (places []network.Place) {
	for edge, e := range r.times.Edges {
		if slices.Contains(classes, r.Street(uint32(edge)).Class) {
			places = append(places, network.Place{Edge: uint32(edge)}, network.Place{Edge: uint32(edge), Along: e.Length})
		}
	}
	return places
}

// ramps are the ends of ramps at a highway, as places on the ramps themselves.
func (r *roads) ramps(ends []orb.Point) []network.Place {
	meets := map[coord.Point]bool{}
	for _, p := range ends {
		if point, ok := coord.NewPoint(p[0], p[1]); ok {
			meets[point] = true
		}
	}
	var places []network.Place
	for edge, e := range r.Graph.Edges {
		if !isRamp(r.Street(uint32(edge)).Class) {
			continue
		}
		if meets[r.Graph.Nodes[e.A]] {
			places = append(places, network.Place{Edge: uint32(edge)})
		}
		if meets[r.Graph.Nodes[e.B]] {
			places = append(places, network.Place{Edge: uint32(edge), Along: e.Length})
		}
	}
	return places
}
