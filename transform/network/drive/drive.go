// Package drive builds the network of streets that cars use.
package drive

import (
	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// Network is the streets that cars use, one-way streets respected.
type Network struct {
	Graph *network.Graph // lengths are decimetres
	lines []uint32       // of each line of Graph, its index in streets
	all   []street.Street
}

var directions = map[string]network.Direction{"both": network.Both, "forward": network.Forward, "backward": network.Backward}

// New builds the network; nil if no street is for cars.
func New(streets []street.Street, c calibration.Walking) *Network {
	n := &Network{all: streets}
	builder := network.NewBuilder(network.Options{MinNodes: c.MinNodes})
	var points []coord.Point
	for i := range streets {
		s := &streets[i]
		direction, ok := directions[s.Car]
		if !ok {
			continue
		}
		if points, ok = street.Points(points, s.Line); ok {
			builder.Add(network.Line{Points: points, Nodes: s.Nodes, Direction: direction})
			n.lines = append(n.lines, uint32(i))
		}
	}
	if n.Graph, _ = builder.Finish(); len(n.Graph.Edges) == 0 {
		return nil
	}
	return n
}

// Line is the index in the streets of an edge's street.
func (n *Network) Line(edge uint32) uint32 { return n.lines[n.Graph.Edges[edge].Line] }

// Street is the street of an edge.
func (n *Network) Street(edge uint32) *street.Street { return &n.all[n.Line(edge)] }

// kmh is the mean speed on an edge, without the time of turns.
func (n *Network) kmh(edge uint32, d *calibration.Drive) float64 {
	return max(n.Street(edge).Flow.SpeedKMH, d.SlowestKMH) * d.SpeedShare
}

// Times is the graph with driving times for lengths, in decimetres at the speed d.UnitKMH: the speed of the street's
// flow times d.SpeedShare, without the time of turns. At 50 km/h and a share of 0.8, 400 m take as long as 600 m at 60.
func (n *Network) Times(d *calibration.Drive) *network.Graph {
	return n.Graph.WithLengths(func(edge uint32) network.Distance {
		return max(1, network.Metres(n.Graph.Edges[edge].Length.Metres()*d.UnitKMH/n.kmh(edge, d)))
	})
}
