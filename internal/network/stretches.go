package network

import (
	"math"
	"slices"

	"quartier/internal/coord"
)

// Stretch is a part of an edge that is within a limit of a place, and not within the limit before.
type Stretch struct {
	Edge     uint32
	From, To Distance // along the edge from its A, From < To
	Band     int      // index of the limit
}

// Stretches calls visit with the parts of edges within the last of some ascending distances of a place, its leg included, in the
// order of the edges and along each. The graph of the edges around the place is made for each call: no way within reach leaves the
// box of that size. Ways go in both directions of every edge.
//
// An example: from node A of an edge of 100 m that leads nowhere else, with the limits 60 m and 200 m, the stretches are 0 to 60 m
// of band 0 and 60 to 100 m of band 1.
func (s *Snapper) Stretches(from Place, limits []Distance, visit func(Stretch)) {
	if len(limits) == 0 || from.Edge >= uint32(s.Edges()) {
		return
	}
	reach := limits[len(limits)-1]
	numbers := map[uint32]uint32{} // of nodes, in the graph of this call
	number := func(node uint32) uint32 {
		n, ok := numbers[node]
		if !ok {
			n = uint32(len(numbers))
			numbers[node] = n
		}
		return n
	}
	var near []uint32
	var edges []Edge
	s.edges.Search(boxWithin(s.Point(from), 1.02*reach.Metres()+20), func(group uint32) bool {
		for edge := group * groupSize; edge < min((group+1)*groupSize, uint32(s.Edges())); edge++ {
			e := s.Edge(edge)
			near, edges = append(near, edge), append(edges, Edge{A: number(e.A), B: number(e.B), Length: e.Length})
		}
		return true
	})
	at, found := slices.BinarySearch(near, from.Edge)
	if !found { // the boxes are damaged
		return
	}
	own, along := edges[at], min(from.Along, edges[at].Length)
	g := GraphFromEdges(make([]coord.Point, len(numbers)), edges)
	search := newBoundedSearch(len(g.Nodes), g.First, g.Arcs, reach)
	search.seed(own.A, uint64(from.Leg)+uint64(along))
	search.seed(own.B, uint64(from.Leg)+uint64(own.Length-along))
	search.run()
	for i, edge := range near {
		e := edges[i]
		a, b := search.dist[e.A], search.dist[e.B]
		if edge != from.Edge {
			stretch(Stretch{Edge: edge, To: e.Length}, a, b, limits, visit)
			continue
		}
		stretch(Stretch{Edge: edge, To: along}, a, from.Leg, limits, visit)
		stretch(Stretch{Edge: edge, From: along, To: e.Length}, from.Leg, b, limits, visit)
	}
}

// boxWithin contains all that is within metres of a point.
func boxWithin(p coord.Point, metres float64) coord.Box {
	const metresPerDegree = 110_500 // of latitude, or a little more
	north := metres / metresPerDegree * coord.Scale
	east := north / max(0.01, math.Cos(float64(p.Lat)/coord.Scale*math.Pi/180)-metres/6_000_000)
	at := func(v int32, by float64) int32 { return int32(min(max(float64(v)+by, math.MinInt32), math.MaxInt32)) }
	return coord.Box{Min: coord.Point{Lng: at(p.Lng, -east), Lat: at(p.Lat, -north)}, Max: coord.Point{Lng: at(p.Lng, east), Lat: at(p.Lat, north)}}
}

// stretch divides a part of an edge by limits. a and b are the distances of its ends, Far if out of reach; between them it is that
// over the nearer end.
func stretch(part Stretch, a, b Distance, limits []Distance, visit func(Stretch)) {
	length := int64(part.To) - int64(part.From)
	middle := min(max((int64(b)+length-int64(a))/2, 0), length) // up to it the way is over the first end
	var last Stretch
	add := func(begin, end int64, band int) {
		next := Stretch{Edge: part.Edge, From: part.From + Distance(begin), To: part.From + Distance(end), Band: band}
		if last.To > last.From && last.Band == band && last.To == next.From {
			last.To = next.To
			return
		}
		if last.To > last.From {
			visit(last)
		}
		last = next
	}
	before := int64(0)
	for band, limit := range limits {
		if begin, end := max(0, before-int64(a)), min(middle, int64(limit)-int64(a)); begin < end {
			add(begin, end, band)
		}
		before = int64(limit)
	}
	for band := len(limits) - 1; band >= 0; band-- {
		before = 0
		if band > 0 {
			before = int64(limits[band-1])
		}
		if begin, end := max(middle, length-int64(limits[band])+int64(b)), min(length, length-before+int64(b)); begin < end {
			add(begin, end, band)
		}
	}
	if last.To > last.From {
		visit(last)
	}
}

// Cut is the line of an edge from one distance along it to another; none of a damaged edge.
func (s *Snapper) Cut(part Stretch) (line []coord.Point) {
	all := slice(s.t.Shape, s.t.ShapeEnds, part.Edge)
	if len(all) < 2 {
		return nil
	}
	plane := planeAround(all[0])
	scale := length(plane, all) / float64(max(1, s.t.Length[part.Edge])) // metres for a unit of distance
	from, to, at := scale*float64(part.From), scale*float64(part.To), 0.0
	line = append(line, s.Point(Place{Edge: part.Edge, Along: part.From}))
	for i := 1; i < len(all)-1; i++ {
		if at += length(plane, all[i-1:i+1]); at > from && at < to {
			line = append(line, all[i])
		}
	}
	return append(line, s.Point(Place{Edge: part.Edge, Along: part.To}))
}
