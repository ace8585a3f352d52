package streets

// Limits of a link between a point and the streets under the rules of R5, in metres. R5 looks within 300 m first; the nearest
// street is the same.
const LimitR5M = 1600

// Unbarred is the same network with links across barriers, of which R5 knows none.
func (n *Network) Unbarred() *Network {
	u := *n
	u.snapper = n.snapper.WithoutBarriers()
	return &u
}

// RulesR5 is a walking network under the rules of R5, for comparison with its figures: every edge takes whole seconds, rounded
// up, at a speed in km/h, and the way off the street is at 1 m/s (pace R5). An edge of R5 is a street between two that share a
// node with it; of the pieces into which a network.Builder with MaxEdgeM cuts it each takes its part of the seconds.
func (n *Network) RulesR5(kmh float64) *Network {
	pace := Foot(kmh)
	costs := make([]uint32, n.snapper.Edges())
	for i := range costs {
		if costs[i] > 0 {
			continue
		}
		pieces := n.piecesOf(uint32(i))
		length := uint64(0)
		for _, e := range pieces {
			length += uint64(n.snapper.Edge(e).Length)
		}
		left := 10 * pace.Seconds(length)
		for k, e := range pieces {
			costs[e] = left / uint32(len(pieces)-k)
			left -= costs[e]
		}
	}
	r := New(n.snapper, n.Nodes(), costs, costs)
	r.linked = n.linked
	return r
}

// leastPiece is less than the length of a piece in decimetres, where a street of more than 100 m is cut into pieces of equal length.
const leastPiece = 500

// piecesOf are an edge and the others that were cut of the same one, in no order: they lie between nodes without a further edge and
// are as long as it is.
func (n *Network) piecesOf(edge uint32) []uint32 {
	pieces := []uint32{edge}
	ends := n.snapper.Edge(edge)
	for _, node := range [2]uint32{ends.A, ends.B} {
		for last, ok := n.otherPiece(node, edge); ok; last, ok = n.otherPiece(node, last) {
			if last == edge { // a ring
				return pieces
			}
			pieces = append(pieces, last)
			e := n.snapper.Edge(last)
			node = e.A + e.B - node
		}
	}
	return pieces
}

// otherPiece is the piece that goes on at a node where one ends; false if there is none.
func (n *Network) otherPiece(node, edge uint32) (uint32, bool) {
	first, end := n.first[node], n.first[node+1]
	if end-first != 2 {
		return 0, false
	}
	other := n.edge[first]
	if other == edge {
		other = n.edge[first+1]
	}
	length, same := n.snapper.Edge(edge).Length, n.snapper.Edge(other).Length
	return other, other != edge && length > leastPiece && same+1 >= length && length+1 >= same
}
