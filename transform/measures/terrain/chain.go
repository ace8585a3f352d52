package terrain

import (
	"quartier/internal/network"
	"quartier/transform/network/street"
)

// none marks the end of an edge that no other edge continues.
const none = ^uint32(0)

// Ends of edges are numbered: 2e is node A of edge e, 2e+1 its node B.

// other is the opposite end of the same edge.
func other(end uint32) uint32 { return end ^ 1 }

func nodeOf(g *network.Graph, end uint32) uint32 {
	if end&1 == 0 {
		return g.Edges[end>>1].A
	}
	return g.Edges[end>>1].B
}

// onward pairs the ends of edges that continue each other at a node: those of the same line, else of the same name,
// else the only two. Bridges and tunnels continue each other only if two edges have the same name or are the only
// two. Edges in out are skipped.
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

// structure reports whether a street is on a bridge or in a tunnel, so that the terrain is not its height.
func structure(s *street.Street) bool { return s.Bridge || s.Tunnel }

// incident lists the ends of edges at each node, without the edges in out: those of node n are
// ends[first[n]:first[n+1]].
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

// pairAlike pairs ends that are alike, if each has exactly one such other end.
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

// chains visits every edge once, in chains of edges that continue each other. begins are the ends at which the edges
// of a chain begin.
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
	for end := range uint32(len(paired)) { // first the chains with ends, then the rings
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
