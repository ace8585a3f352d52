package street

import (
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/staged"
)

// nameNetworks names the networks of which streets meet as their publisher has drawn it. Sources with nodes of OpenStreetMap
// are one, in whatever extracts they are. Others are one each, in all regions in which they have the same id and keys.
func (n *Network) nameNetworks() {
	osm := map[string]bool{}
	for i := range n.Streets {
		s := &n.Streets[i]
		osm[s.Source] = osm[s.Source] || slices.ContainsFunc(s.Nodes, func(id int64) bool { return id > 0 })
	}
	for i := range n.Streets {
		s := &n.Streets[i]
		if !osm[s.Source] {
			scheme, _, _ := strings.Cut(s.Key, ":")
			s.network = staged.Original(s.Source) + " " + scheme
		}
	}
}

// joinSources connects streets of networks that share no vertices: of a road network and a city's paths. An end that meets
// no other street is led on to the nearest street of another network, within limit metres and on this side of the
// barriers, which gets a vertex there.
//
//	road  ────────────────────  →  ──────────o─────────
//	                 ·                       │
//	path             │                       │
func (n *Network) joinSources(barriers [][]coord.Point, limit float64) {
	lines := n.walks()
	if !slices.ContainsFunc(lines, func(i uint32) bool { return n.Streets[i].network != n.Streets[lines[0]].network }) {
		return
	}
	next := n.numberVertices()
	builder := network.NewBuilder(network.Options{})
	meets := map[int64]int{} // vertices of streets at each node
	var points []coord.Point
	for _, i := range lines {
		s := &n.Streets[i]
		points, _ = Points(points, s.Line)
		builder.Add(network.Line{Points: points, Nodes: s.Nodes})
		for _, node := range s.Nodes {
			meets[node]++
		}
	}
	graph, _ := builder.Finish()
	snapper := network.NewSnapper(graph, barriers)
	for _, i := range lines {
		s := &n.Streets[i]
		for _, end := range []int{len(s.Line) - 1, 0} {
			if meets[s.Nodes[end]] > 1 {
				continue
			}
			p, _ := coord.NewPoint(s.Line[end][0], s.Line[end][1])
			best, other := network.Place{Leg: network.Far}, s
			snapper.Within(p, limit, func(place network.Place) {
				if of := &n.Streets[lines[graph.Edges[place.Edge].Line]]; place.Leg < best.Leg && of.network != s.network {
					best, other = place, of
				}
			})
			if other != s {
				at := snapper.Point(best).Orb()
				node := other.vertexAt(at, next)
				next++
				s.leadTo(at, node, end > 0)
			}
		}
	}
}

// walks are the streets open to pedestrians.
func (n *Network) walks() (lines []uint32) {
	for i := range n.Streets {
		s := &n.Streets[i]
		if _, valid := Points(nil, s.Line); valid && s.Foot && len(s.Line) > 1 {
			lines = append(lines, uint32(i))
		}
	}
	return lines
}

// numberVertices gives streets that meet at equal positions, for cars too, node ids that no source has, and returns the
// next one.
func (n *Network) numberVertices() (next int64) {
	next = 1 << 62
	at := map[coord.Point]int64{}
	var points []coord.Point
	for i := range n.Streets {
		s := &n.Streets[i]
		var valid bool
		if points, valid = Points(points, s.Line); !valid || s.Nodes != nil {
			continue
		}
		s.Nodes = make([]int64, len(points))
		for k, p := range points {
			if at[p] == 0 {
				at[p] = next
				next++
			}
			s.Nodes[k] = at[p]
		}
	}
	return next
}

// vertexAt returns the node of a vertex at a point that is on the street but for rounding: of an old one there, else a
// new one, which gets the given number.
func (s *Street) vertexAt(at orb.Point, node int64) int64 {
	plane := geo.NewPlane(at)
	first, nearest := 0, plane.SegmentDistance(at, s.Line[0], s.Line[1])
	for i := 2; i < len(s.Line); i++ {
		if d := plane.SegmentDistance(at, s.Line[i-1], s.Line[i]); d < nearest {
			first, nearest = i-1, d
		}
	}
	for k := first; k <= first+1; k++ {
		if s.Line[k] == at {
			return s.Nodes[k]
		}
	}
	s.Line = slices.Insert(slices.Clone(s.Line), first+1, at)
	s.Nodes = slices.Insert(slices.Clone(s.Nodes), first+1, node)
	return node
}

// leadTo adds a vertex after the last one of the street, or before the first.
func (s *Street) leadTo(at orb.Point, node int64, last bool) {
	k := 0
	if last {
		k = len(s.Line)
	}
	s.Line, s.Nodes = slices.Insert(slices.Clone(s.Line), k, at), slices.Insert(slices.Clone(s.Nodes), k, node)
}
