package terrain

import (
	"math"

	"quartier/internal/network"
	"quartier/transform/network/street"
)

// interpolateDecks gives the nodes on bridges and in tunnels heights between those of the ends: linear along the way,
// and where several bridges fork, the height at which none has a kink. Ends are nodes where a street at ground level
// continues or no street does. A bridge of 200 m from 100 m to 94 m is at 97 m halfway.
func interpolateDecks(net *street.Network, heights []float64) {
	g := net.Walk
	d := &deck{g: g, anchored: make([]bool, len(g.Nodes))}
	ground := make([]bool, len(g.Edges))
	for e := range g.Edges {
		if ground[e] = !structure(net.Street(uint32(e))); ground[e] {
			d.anchored[g.Edges[e].A], d.anchored[g.Edges[e].B] = true, true
		}
	}
	d.first, d.ends = incident(g, ground)
	for n := range d.anchored {
		d.anchored[n] = d.anchored[n] || len(d.at(uint32(n))) == 1
	}
	spans := d.spans()
	relaxForks(spans, d.anchored, heights)
	for _, s := range spans {
		along := 0.0
		for _, end := range s.ends[:len(s.ends)-1] {
			along += g.Edges[end>>1].Length.Metres()
			heights[nodeOf(g, other(end))] = heights[s.from] + (heights[s.to]-heights[s.from])*along/s.length
		}
	}
}

// deck is the edges on bridges and in tunnels.
type deck struct {
	g           *network.Graph
	first, ends []uint32 // of deck edges at each node
	anchored    []bool   // nodes at ground level
}

func (d *deck) at(n uint32) []uint32 { return d.ends[d.first[n]:d.first[n+1]] }

// passed reports whether a node is inside a single bridge.
func (d *deck) passed(n uint32) bool { return !d.anchored[n] && len(d.at(n)) == 2 }

// span is a way on a bridge from one end or fork to the next. Each has two spans, one in either direction.
type span struct {
	from, to uint32
	length   float64
	ends     []uint32 // the ends at which its edges begin
}

// spans returns the spans by their first node.
func (d *deck) spans() []span {
	var list []span
	for n := range uint32(len(d.anchored)) {
		if d.passed(n) {
			continue
		}
		for _, end := range d.at(n) {
			list = append(list, d.span(end))
		}
	}
	return list
}

// span follows a bridge from the end of an edge.
func (d *deck) span(end uint32) span {
	s := span{from: nodeOf(d.g, end)}
	for {
		s.length += d.g.Edges[end>>1].Length.Metres()
		s.to = nodeOf(d.g, other(end))
		s.ends = append(s.ends, end)
		if !d.passed(s.to) {
			return s
		}
		here := d.at(s.to)
		next := here[0]
		if next == other(end) {
			next = here[1]
		}
		end = next
	}
}

// rounds is enough for forks that are connected by a few spans.
const rounds = 100

// relaxForks computes the heights of forks by iteration: each is the mean of its neighbours' heights, weighted by
// 1/length.
func relaxForks(spans []span, anchored []bool, heights []float64) {
	type sum struct{ height, weight float64 }
	for i := range spans {
		if !anchored[spans[i].from] {
			heights[spans[i].from] = math.NaN()
		}
	}
	for range rounds {
		moved := false
		for i := 0; i < len(spans); {
			n := spans[i].from
			var s sum
			for ; i < len(spans) && spans[i].from == n; i++ {
				if h := heights[spans[i].to]; !math.IsNaN(h) && spans[i].to != n {
					s.height, s.weight = s.height+h/spans[i].length, s.weight+1/spans[i].length
				}
			}
			if anchored[n] || s.weight == 0 {
				continue
			}
			h := s.height / s.weight
			moved = moved || math.IsNaN(heights[n]) || math.Abs(h-heights[n]) > 0.01
			heights[n] = h
		}
		if !moved {
			return
		}
	}
}
