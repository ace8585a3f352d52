package access

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
)

// roads is the network that cars use, and where each node of the walking network is snapped to it.
type roads struct {
	graph   *network.Graph
	street  []uint32 // of each line of graph, its index in the streets
	snapper *network.Snapper
	edge    []uint32        // of each edge of snapper, its index in graph
	access  []network.Place // of each node of the walking network, its place on graph
	snapped []bool          // whether it has one
}

// drive fills nearest_highway_proximity and DriveErrands, over the streets that cars use, one-way streets respected.
func (d *deriver) drive() {
	r := d.newRoads()
	if r == nil {
		return
	}
	if ramps := r.ramps(d.net, d.set.Ramps); len(ramps) > 0 {
		p := d.c.Proximity[rating.HighwayProximity]
		at := schemas.MustChannel(rating.HighwayProximity)
		labels := r.graph.Nearest(ramps, nil, 1, network.Metres(p.FarM))
		for node := range d.graph.Nodes {
			if r.snapped[node] {
				d.m.Set(node, at, rating.Proximity(rating.HighwayProximity, p, r.metres(labels, node), nil))
			}
		}
	}
	d.driveErrands(r)
}

// driveErrands fills DriveErrands: the share of errands, by the weights of the slots, within a short drive.
func (d *deriver) driveErrands(r *roads) {
	errands := rating.NewErrands(d.c, false, d.known.has)
	if !errands.Enough() {
		return
	}
	sums := make([]float64, len(d.graph.Nodes))
	for _, slot := range errands.Slots {
		weight := rating.Total(slot.Weights)
		labels := r.graph.Nearest(r.entrances(d, slot.Classes), nil, 1, network.Metres(d.c.Scores.Drive.NoneM))
		for node := range sums {
			if r.snapped[node] {
				sums[node] += weight * rating.Driven(d.c.Scores.Drive, r.metres(labels, node))
			}
		}
	}
	d.s.DriveErrands = channel.Absent(len(sums))
	for node, sum := range sums {
		if r.snapped[node] && d.coverage.places[node] {
			d.s.DriveErrands[node] = float32(errands.Share(sum, nil))
		}
	}
}

// newRoads builds the network of streets that cars use; nil if there are none.
func (d *deriver) newRoads() *roads {
	r := &roads{}
	builder := network.NewBuilder(network.Options{MinNodes: d.c.Walking.MinNodes})
	var points []coord.Point
	for i := range d.net.Streets {
		s := &d.net.Streets[i]
		direction, ok := map[string]network.Direction{"both": network.Both, "forward": network.Forward, "backward": network.Backward}[s.Car]
		if !ok {
			continue
		}
		if points, ok = street.Points(points, s.Line); ok {
			builder.Add(network.Line{Points: points, Nodes: s.Nodes, Direction: direction})
			r.street = append(r.street, uint32(i))
		}
	}
	r.graph, _ = builder.Finish()
	if len(r.graph.Edges) == 0 {
		return nil
	}
	r.makeSnapper(d.net)
	r.access, r.snapped = make([]network.Place, len(d.graph.Nodes)), make([]bool, len(d.graph.Nodes))
	_ = parallel.Nodes(context.Background(), len(d.graph.Nodes), func(lo, hi int) { // never cancelled
		for node := lo; node < hi; node++ {
			r.access[node], r.snapped[node] = r.snap(d.graph.Nodes[node], d.c.Scores.Drive.SnapM)
		}
	})
	return r
}

// makeSnapper indexes the roads where cars may stop: not motorways and ramps.
func (r *roads) makeSnapper(net *street.Network) {
	ordinary := &network.Graph{Nodes: r.graph.Nodes}
	for edge, e := range r.graph.Edges {
		if class := net.Streets[r.street[e.Line]].Class; class == "motorway" || isRamp(class) {
			continue
		}
		r.edge = append(r.edge, uint32(edge))
		ordinary.Edges = append(ordinary.Edges, e)
		ordinary.Shape = append(ordinary.Shape, r.graph.Line(uint32(edge))...)
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

// metres is the driving distance from a node of the walking network to the nearest labelled place, +Inf if there is none.
func (r *roads) metres(labels *network.Labels, node int) float64 {
	p := r.access[node]
	e := r.graph.Edges[p.Edge]
	direction := network.Both
	if r.graph.Ways != nil {
		direction = r.graph.Ways[p.Edge]
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

// ramps are the ends of ramps at a highway, as places on the ramps themselves.
func (r *roads) ramps(net *street.Network, ends []orb.Point) []network.Place {
	meets := map[coord.Point]bool{}
	for _, p := range ends {
		if point, ok := coord.NewPoint(p[0], p[1]); ok {
			meets[point] = true
		}
	}
	var places []network.Place
	for edge, e := range r.graph.Edges {
		if !isRamp(net.Streets[r.street[e.Line]].Class) {
			continue
		}
		if meets[r.graph.Nodes[e.A]] {
			places = append(places, network.Place{Edge: uint32(edge)})
		}
		if meets[r.graph.Nodes[e.B]] {
			places = append(places, network.Place{Edge: uint32(edge), Along: e.Length})
		}
	}
	return places
}
