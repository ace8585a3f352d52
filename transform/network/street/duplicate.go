package street

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
)

var duplicate = Reasons.Skipped("duplicate_street", "The street runs along streets of a source with precedence (calibration: walking.same_street): it is taken from that source alone.")

// dropDuplicates drops the streets that a network with precedence has too, a source of roads and OpenStreetMap, say: those
// of which nearly all points are beside its streets.
func (n *Network) dropDuplicates(c calibration.SameStreet) []issue.Issue {
	if !slices.ContainsFunc(n.Streets, func(s Street) bool { return s.network != n.Streets[0].network }) {
		return nil
	}
	builder := network.NewBuilder(network.Options{})
	precedence := map[string]int{} // of the networks, by their first streets
	var rank []int                 // of the network of each line of the graph
	var points []coord.Point
	for i := range n.Streets {
		s := &n.Streets[i]
		if _, seen := precedence[s.network]; !seen {
			precedence[s.network] = len(precedence)
		}
		var valid bool
		if points, valid = Points(points, s.Line); !valid {
			points = points[:0]
		}
		builder.Add(network.Line{Points: points})
		rank = append(rank, precedence[s.network])
	}
	graph, _ := builder.Finish()
	snapper := network.NewSnapper(graph, nil)
	beside := func(at orb.Point, of int) (found bool) {
		if p, ok := coord.NewPoint(at[0], at[1]); ok {
			snapper.Within(p, c.WithinM, func(place network.Place) { found = found || rank[graph.Edges[place.Edge].Line] < of })
		}
		return found
	}
	dropped := issue.Issue{Step: "street", Reason: duplicate}
	kept := n.Streets[:0]
	for i := range n.Streets {
		s := n.Streets[i]
		near, all := 0, 0
		if rank[i] > 0 {
			eachSample(s.Line, c.WithinM, func(at orb.Point) {
				all++
				if beside(at, rank[i]) {
					near++
				}
			})
		}
		if all > 0 && float64(near) >= c.Share*float64(all) {
			if dropped.Rows++; dropped.Rows == 1 {
				dropped.Example = s.label()
			}
			continue
		}
		kept = append(kept, s)
	}
	n.Streets = kept
	if dropped.Rows == 0 {
		return nil
	}
	return []issue.Issue{dropped}
}

// eachSample visits the middle of every piece of a line of at most the given length.
func eachSample(line orb.LineString, metres float64, visit func(orb.Point)) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		pieces := int(geo.Distance(a, b)/metres) + 1
		for k := range pieces {
			share := (float64(k) + 0.5) / float64(pieces)
			visit(orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])})
		}
	}
}
