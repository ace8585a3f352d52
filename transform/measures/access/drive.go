package access

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/transform/network/street"
	"quartier/transform/parallel"
)

// roads is the network that cars use, and where each node of the walking network meets it.
type roads struct {
	graph   *network.Graph
	line    []uint32 // the street that a line of graph is
	snapper *network.Snapper
	edge    []uint32        // of graph, that an edge of snapper is
	door    []network.Place // of each node of the walking network, on graph
	found   []bool
}

// drive fills nearest_highway_proximity and Reach.Driven, over the streets that cars use, the way they may go.
func (d *deriver) drive() {
	r := d.newRoads()
	if r == nil {
		return
	}
	if ramps := r.ramps(d.net, d.set.Ramps); len(ramps) > 0 {
		p := d.c.Proximity["nearest_highway_proximity"]
		at := channelOf("nearest_highway_proximity")
		labels := r.graph.Nearest(ramps, nil, 1, network.Metres(p.FarM))
		for node := range d.graph.Nodes {
			if r.found[node] {
				d.m.Set(node, at, rating.LogRamp(r.metres(labels, node), p.NearM, p.FarM))
			}
		}
	}
	d.driveErrands(r)
}

// driveErrands fills Reach.Driven: the share of errands, by the weights of the slots, that a short drive does.
func (d *deriver) driveErrands(r *roads) {
	sums, of := make([]float64, len(d.graph.Nodes)), share{}
	for _, slot := range d.c.Access.Slots {
		weight, known := rating.Total(slot.Weights), false
		for _, class := range slot.Classes {
			known = known || d.ground.known[class]
		}
		of.add(weight, known)
		if !known {
			continue
		}
		labels := r.graph.Nearest(r.doors(d, slot.Classes), nil, 1, network.Metres(d.c.Scores.Drive.NoneM))
		for node := range sums {
			if r.found[node] {
				sums[node] += weight * rating.Driven(d.c.Scores.Drive, r.metres(labels, node))
			}
		}
	}
	if of.known == 0 || of.known < d.c.Coverage.SlotShare*of.all {
		return
	}
	d.reach.Driven = absent(len(sums))
	for node, sum := range sums {
		if r.found[node] && d.ground.places[node] {
			d.reach.Driven[node] = float32(sum / of.known)
		}
	}
}

// newRoads makes the network of streets that cars use; nil where there is none.
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
			r.line = append(r.line, uint32(i))
		}
	}
	r.graph, _ = builder.Finish()
	if len(r.graph.Edges) == 0 {
		return nil
	}
	r.makeSnapper(d.net)
	r.door, r.found = make([]network.Place, len(d.graph.Nodes)), make([]bool, len(d.graph.Nodes))
	_ = parallel.Nodes(context.Background(), len(d.graph.Nodes), func(lo, hi int) { // ends with all nodes visited: it cannot be stopped
		for node := lo; node < hi; node++ {
			r.door[node], r.found[node] = r.snap(d.graph.Nodes[node], d.c.Scores.Drive.SnapM)
		}
	})
	return r
}

// makeSnapper indexes the roads that one may stop on.
func (r *roads) makeSnapper(net *street.Network) {
	ordinary := &network.Graph{Nodes: r.graph.Nodes}
	for edge, e := range r.graph.Edges {
		if class := net.Streets[r.line[e.Line]].Class; class == "motorway" || isRamp(class) {
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

// metres is the way from a walkable node to the place nearest on the roads, +Inf where there is none.
func (r *roads) metres(labels *network.Labels, node int) float64 {
	p := r.door[node]
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

// doors are where the destinations of some classes meet the roads; those that are too far from any are left out.
func (r *roads) doors(d *deriver, classes []string) []network.Place {
	var doors []network.Place
	for _, class := range classes {
		for _, v := range d.set.Of(class) {
			if p, ok := coord.NewPoint(v.Point[0], v.Point[1]); ok {
				if place, ok := r.snap(p, d.c.Scores.Drive.SnapM); ok {
					doors = append(doors, place)
				}
			}
		}
	}
	return doors
}

// ramps are the ends of ramps that meet a highway, as places on the ramps themselves.
func (r *roads) ramps(net *street.Network, ends []orb.Point) []network.Place {
	meets := map[coord.Point]bool{}
	for _, p := range ends {
		if point, ok := coord.NewPoint(p[0], p[1]); ok {
			meets[point] = true
		}
	}
	var places []network.Place
	for edge, e := range r.graph.Edges {
		if !isRamp(net.Streets[r.line[e.Line]].Class) {
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
