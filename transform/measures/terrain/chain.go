package terrain

import (
	"quartier/internal/network"
	"quartier/transform/network/street"
)

// none marks the end of an edge that no other one goes on from.
const none = ^uint32(0)

// ends numbers the ends of edges: 2e is the A of edge e, 2e+1 its B.

// other is the end of the same edge across.
func other(end uint32) uint32 { return end ^ 1 }

func nodeOf(g *network.Graph, end uint32) uint32 {
	if end&1 == 0 {
		return g.Edges[end>>1].A
	}
	return g.Edges[end>>1].B
}

// onward pairs the ends of edges that go on into each other at a node: those of one line, else of one name, else the
// only two there are. What stands on a bridge or in a tunnel goes on only there, and steps are left out.
func onward(net *street.Network, out []bool) []uint32 {
	g := net.Walk
	first, ends := incident(g, out)
	paired := make([]uint32, 2*len(g.Edges))
	for i := range paired {
		paired[i] = none
	}
	for node := range g.Nodes {
		here := ends[first[node]:first[node+1]]
		pairAlike(here, paired, func(a, b uint32) bool { return g.Edges[a>>1].Line == g.Edges[b>>1].Line })
		pairAlike(here, paired, func(a, b uint32) bool {
			s, t := net.Street(a>>1), net.Street(b>>1)
			return s.Name != "" && s.Name == t.Name && structure(s) == structure(t)
		})
		if len(here) == 2 && paired[here[0]] == none && structure(net.Street(here[0]>>1)) == structure(net.Street(here[1]>>1)) {
			paired[here[0]], paired[here[1]] = here[1], here[0]
		}
	}
	return paired
}

// structure reports whether a street is carried or dug, so that the ground beside it says nothing of it.
func structure(s *street.Street) bool { return s.Bridge || s.Tunnel }

// incident lists the ends of edges at each node, those that are left out aside.
func incident(g *network.Graph, out []bool) (first, ends []uint32) {
	first = make([]uint32, len(g.Nodes)+1)
	for e := range g.Edges {
		if !out[e] {
			first[g.Edges[e].A+1]++
			first[g.Edges[e].B+1]++
		}
	}
	for n := 1; n < len(first); n++ {
		first[n] += first[n-1]
	}
	ends = make([]uint32, first[len(g.Nodes)])
	next := append([]uint32(nil), first...)
	for e := range g.Edges {
		if out[e] {
			continue
		}
		for end := uint32(2 * e); end <= uint32(2*e+1); end++ {
			n := nodeOf(g, end)
			ends[next[n]] = end
			next[n]++
		}
	}
	return first, ends
}

// pairAlike pairs those ends that are like exactly one other.
func pairAlike(ends, paired []uint32, alike func(a, b uint32) bool) {
	for i, a := range ends {
		if paired[a] != none {
			continue
		}
		found, several := none, false
		for j, b := range ends {
			if i != j && paired[b] == none && alike(a, b) {
				several, found = several || found != none, b
			}
		}
		if found != none && !several {
			paired[a], paired[found] = found, a
		}
	}
}

// chains visits every edge once, in chains of those that go on into each other: the ends at which the edges begin.
func chains(paired []uint32, out []bool, visit func(begins []uint32)) {
	seen := make([]bool, len(out))
	var begins []uint32
	follow := func(end uint32) {
		begins = begins[:0]
		for end != none && !seen[end>>1] {
			seen[end>>1] = true
			begins = append(begins, end)
			end = paired[other(end)]
		}
		visit(begins)
	}
	for end := range uint32(len(paired)) { // from the tips, then the rings
		if !seen[end>>1] && !out[end>>1] && paired[end] == none {
			follow(end)
		}
	}
	for e := range uint32(len(out)) {
		if !seen[e] && !out[e] {
			follow(2 * e)
		}
	}
}
