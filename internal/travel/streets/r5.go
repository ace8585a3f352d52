package streets

// Limits of a link between a point and the streets under the rules of R5, in metres. R5 looks within 300 m first; the nearest
// street is the same.
const LimitR5M = 1600

// RulesR5 is a walking network under the rules of R5, for comparison with its figures: every edge takes whole seconds, rounded
// up, at a speed in km/h, and the way off the street is at 1.3 m/s (pace R5). The edges of n must be cut where two ways share a
// node and nowhere else, as a network.Builder without MaxEdgeM does.
func (n *Network) RulesR5(kmh float64) *Network {
	pace := Foot(kmh)
	costs := make([]uint32, n.snapper.Edges())
	for i := range costs {
		costs[i] = 10 * pace.Seconds(uint64(n.snapper.Edge(uint32(i)).Length))
	}
	r := New(n.snapper, n.Nodes(), costs, costs)
	r.linked = n.linked
	return r
}
