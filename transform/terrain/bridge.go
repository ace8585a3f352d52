package terrain

import (
	"math"

	"quartier/transform/street"
)

// carry gives the nodes on bridges and in tunnels heights between those of their ends: along the way evenly, and where
// several meet so that none bends. Ends are nodes where a street on the ground goes on, or nothing does.
func carry(net *street.Network, heights []float64) {
	g := net.Walk
	ground := make([]bool, len(g.Edges))
	for e := range g.Edges {
		ground[e] = !structure(net.Street(uint32(e)))
	}
	first, ends := incident(g, ground)
	anchored := make([]bool, len(g.Nodes))
	for e := range g.Edges {
		if ground[e] {
			anchored[g.Edges[e].A], anchored[g.Edges[e].B] = true, true
		}
	}
	degree := func(n uint32) uint32 { return first[n+1] - first[n] }
	for n := range uint32(len(g.Nodes)) {
		anchored[n] = anchored[n] || degree(n) == 1
	}
	var spans []span
	for n := range uint32(len(g.Nodes)) {
		if degree(n) == 0 || !anchored[n] && degree(n) == 2 {
			continue
		}
		for _, end := range ends[first[n]:first[n+1]] {
			s := span{from: n, length: 0}
			for {
				s.length += g.Edges[end>>1].Length.Metres()
				s.to = nodeOf(g, other(end))
				s.ends = append(s.ends, end)
				if anchored[s.to] || degree(s.to) != 2 || s.to == n {
					break
				}
				here := ends[first[s.to]:first[s.to+1]]
				next := here[0]
				if next == other(end) {
					next = here[1]
				}
				end = next
			}
			spans = append(spans, s)
		}
	}
	settle(spans, anchored, heights)
	for _, s := range spans {
		along := 0.0
		for _, end := range s.ends[:len(s.ends)-1] {
			along += g.Edges[end>>1].Length.Metres()
			heights[nodeOf(g, other(end))] = heights[s.from] + (heights[s.to]-heights[s.from])*along/s.length
		}
	}
}

// span is a way on a bridge from one end or fork to the next, each told from both sides.
type span struct {
	from, to uint32
	length   float64
	ends     []uint32 // where its edges begin
}

// rounds are enough for forks that hang together by a few spans.
const rounds = 100

// settle finds the heights of forks: each is the mean of its neighbours', the nearer ones weighing more.
func settle(spans []span, anchored []bool, heights []float64) {
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
