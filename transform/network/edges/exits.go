package edges

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/extent"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/transform/network/channel"
)

// Limits of the implementation, in metres: how near to a border a dead end is taken for a street that goes on beyond it; how
// far from it there is ground that it may lead to, as over a river; and how far along the streets exits are looked for.
const (
	deadEndM  = 100.0
	crossingM = 3000.0
	exitsM    = 8000.0
)

// layer is the ground of some sets of sources, as seen from every node: what is unknown of it in a straight line, and how far
// it is there along the streets.
type layer struct {
	*extent.Edges
	exits []float32 // of each node, metres along the streets to the nearest exit, at most exitsM; NaN: farther
	leave []bool    // of each node, whether it is one
}

// beyond is the share of a search's weight that is on unknown ground. Ground that no street leads to within the search is no
// lack, and what is there is at least as far as the nearest exit.
func (l *layer) beyond(node int, w *extent.Weight, limitM float64) float64 {
	if l == nil {
		return 0
	}
	return l.BeyondFrom(node, w, limitM, l.exit(node))
}

// exit is the distance to the nearest exit in metres, +Inf if there is none within exitsM.
func (l *layer) exit(node int) float64 {
	if l == nil || math.IsNaN(float64(l.exits[node])) {
		return math.Inf(1)
	}
	return float64(l.exits[node])
}

// exitsOf finds the nodes at which streets lead to unknown ground, and how far every node is from them: those on such ground,
// and dead ends at its border, as of a bridge of which the other half is in nobody's extract.
func (d *deriver) exitsOf(e *extent.Edges, unknown func(orb.Point) bool, outside func(orb.Point) bool) *layer {
	degree := make([]uint8, len(d.graph.Nodes))
	at := make([]network.Place, len(d.graph.Nodes))
	for i, edge := range d.graph.Edges {
		degree[edge.A], degree[edge.B] = min(degree[edge.A]+1, 3), min(degree[edge.B]+1, 3)
		at[edge.A], at[edge.B] = network.Place{Edge: uint32(i)}, network.Place{Edge: uint32(i), Along: edge.Length}
	}
	l := &layer{Edges: e, exits: channel.Absent(len(d.graph.Nodes)), leave: make([]bool, len(d.graph.Nodes))}
	around := extent.NewWeight(crossingM, nil)
	var exits []network.Place
	for node, p := range d.graph.Nodes {
		if e.Beyond(node, around, math.Inf(1)) == 0 {
			continue
		}
		if l.leave[node] = unknown(p.Orb()) || degree[node] == 1 && atBorder(p, outside); l.leave[node] {
			exits = append(exits, at[node])
		}
	}
	labels := d.graph.Nearest(exits, nil, 1, network.Metres(exitsM))
	for node := range l.exits {
		if found := labels.At(node); len(found) > 0 {
			l.exits[node] = float32(found[0].Distance.Metres())
		}
	}
	return l
}

// atBorder reports whether some ground near a point is outside.
func atBorder(p coord.Point, outside func(orb.Point) bool) bool {
	plane := geo.NewPlane(p.Orb())
	for i := range 8 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 4)
		if outside(plane.Point(deadEndM*cos, deadEndM*sin)) {
			return true
		}
	}
	return false
}

// Leaves are the nodes at which streets lead to ground where no source has streets, by their points.
func (e *Edges) Leaves(nodes []coord.Point) map[coord.Point]bool {
	leaves := map[coord.Point]bool{}
	if e != nil && e.Streets != nil {
		for node, leave := range e.Streets.leave {
			if leave {
				leaves[nodes[node]] = true
			}
		}
	}
	return leaves
}

// Most are the distances at which the places of a search could be at the nearest, where those found are at metres, nearest
// first: those nearer than every exit, and as many as are looked for at the exit.
//
// For example, a search for three cafés that found one at 300 m and one at 900 m, and an exit at 700 m: 300, 700 and 700 m.
func (s *Search) Most(buffer []float64, node int, metres []float64) []float64 {
	exit := math.Inf(1)
	for _, l := range s.of {
		exit = min(exit, l.exit(node))
	}
	found, _ := slices.BinarySearch(metres, exit)
	most := append(buffer[:0], metres[:found]...)
	for len(most) < s.places && !math.IsInf(exit, 1) {
		most = append(most, exit)
	}
	return most
}
