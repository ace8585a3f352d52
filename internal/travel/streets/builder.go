package streets

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/network"
)

// Edge is a stretch of street, the input of a Builder.
type Edge struct {
	A, B        uint32 // nodes of its region
	Length      network.Distance
	Forth, Back uint32        // costs from A to B and back, or Closed
	NoLink      bool          // no point is linked to it: a motorway
	Line        []coord.Point // from A to B, both included
}

// Builder makes a Network of the edges of regions, one region after the other. It holds them in memory.
type Builder struct {
	edges       []network.Edge
	forth, back []uint32
	noLink      []bool
	shape       []coord.Point
	ends        []uint32
	at          []coord.Point // of each node
	first       []uint32      // the first node of each region
}

// NextRegion begins a region, whose nodes are numbered from 0 again. A node of one region is the same as one of another if they
// are at the same position: streets go on there.
func (b *Builder) NextRegion() { b.first = append(b.first, uint32(len(b.at))) }

// Add adds an edge; its line is copied.
func (b *Builder) Add(e Edge) error {
	if len(e.Line) < 2 || e.Length == 0 || len(b.shape)+len(e.Line) > math.MaxUint32 || max(e.A, e.B) > 1<<31 {
		return fmt.Errorf("travel edge %d of %v metres, nodes %d and %d: %d vertices", len(b.edges), e.Length.Metres(), e.A, e.B, len(e.Line))
	}
	if len(b.first) == 0 {
		b.NextRegion()
	}
	base := b.first[len(b.first)-1]
	for end, node := range [2]uint32{base + e.A, base + e.B} {
		for len(b.at) <= int(node) {
			b.at = append(b.at, coord.Point{})
		}
		b.at[node] = e.Line[end*(len(e.Line)-1)]
	}
	b.edges = append(b.edges, network.Edge{A: base + e.A, B: base + e.B, Length: e.Length})
	b.forth, b.back, b.noLink = append(b.forth, e.Forth), append(b.back, e.Back), append(b.noLink, e.NoLink)
	b.shape = append(b.shape, e.Line...)
	b.ends = append(b.ends, uint32(len(b.shape)))
	return nil
}

// Finish returns the network. Its edges are in the order in which they were added, those to which no point is linked last; no
// link crosses a barrier.
func (b *Builder) Finish(barriers [][]coord.Point) *Network {
	same := b.joined()
	g := &network.Graph{Shape: make([]coord.Point, 0, len(b.shape))}
	var forth, back []uint32
	linked := uint32(0)
	for _, no := range []bool{false, true} {
		for i, e := range b.edges {
			if b.noLink[i] != no {
				continue
			}
			e.A, e.B = same[e.A], same[e.B]
			begin := uint32(0)
			if i > 0 {
				begin = b.ends[i-1]
			}
			g.Edges, g.Shape = append(g.Edges, e), append(g.Shape, b.shape[begin:b.ends[i]]...)
			g.ShapeEnds = append(g.ShapeEnds, uint32(len(g.Shape)))
			forth, back = append(forth, b.forth[i]), append(back, b.back[i])
		}
		if !no {
			linked = uint32(len(g.Edges))
		}
	}
	n := New(network.NewSnapper(g, barriers), len(b.at), forth, back)
	n.linked = linked
	return n
}

// joined is the node that each node is: of those at one position in several regions, that of the first region.
func (b *Builder) joined() []uint32 {
	same, order := make([]uint32, len(b.at)), make([]uint32, len(b.at))
	for i := range order {
		same[i], order[i] = uint32(i), uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(b.at[x].Lng, b.at[y].Lng), cmp.Compare(b.at[x].Lat, b.at[y].Lat), cmp.Compare(x, y))
	})
	for i := 0; i < len(order); {
		first := order[i]
		for ; i < len(order) && b.at[order[i]] == b.at[first]; i++ {
			if b.region(order[i]) != b.region(first) {
				same[order[i]] = first
			}
		}
	}
	return same
}

// region is the number of the region of a node.
func (b *Builder) region(node uint32) int {
	i, found := slices.BinarySearch(b.first, node)
	for found && i+1 < len(b.first) && b.first[i+1] == node { // regions without nodes
		i++
	}
	if !found {
		i--
	}
	return i
}

// weights are how much longer a metre is by stress of the street, 1 to 4, in tenths. The shares are assumed; surveys of riders find
// larger ones on busy roads without lanes (Broach, Dill and Gliebe 2012: 1.4 to 2.4).
var weights = [5]uint64{10, 10, 10, 12, 15}

// BicycleCosts are the costs of an edge for bicycles by its length, its stress and the direction of cars: 15 km/h (pace Bicycle)
// where it is calm, stressful streets weighed, and at 4.8 km/h, pushed, against a one-way street.
func BicycleCosts(length network.Distance, stress int, way network.Direction) (forth, back uint32) {
	ridden := uint32(max(1, (uint64(length)*weights[min(max(stress, 1), 4)]+5)/10))
	pushed := uint32(max(1, uint64(length)*uint64(Bicycle.Street)/uint64(Bicycle.Off)))
	switch way {
	case network.Forward:
		return ridden, pushed
	case network.Backward:
		return pushed, ridden
	}
	return ridden, ridden
}
