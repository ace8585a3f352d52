package network

import (
	"cmp"
	"slices"
)

// NonDominated finds for every node the places on the Pareto front of distance and weight: those with a greater weight
// than every place as near or nearer, nearest first. Of places with the same distance and weight the first counts;
// places of weight 0 are ignored. visit is called in the order of nodes, for nodes that reach any place; the labels are
// valid until it returns.
//
// A node 100 m from a stop of weight 2, 150 m from one of weight 1 and 300 m from one of weight 5 gets the first and the
// last.
func (g *Graph) NonDominated(places []Place, weight []uint32, reach Distance, visit func(node int, labels []Label)) {
	first, arcs := g.reverseArcs()
	b := nonDominatedSearch{most: make([]uint32, len(g.Nodes)), label: make([]Label, len(g.Nodes)), count: make([]uint32, len(g.Nodes)+1)}
	queue := newQueue(arcs)
	queue.seeds = g.seeds(places, reach)
	slices.SortStableFunc(queue.seeds, func(a, b seed) int { return cmp.Compare(a.distance, b.distance) })
	for d, entries, ok := queue.next(); ok; d, entries, ok = queue.next() {
		for _, e := range b.accept(d, entries, weight) {
			for _, arc := range arcs[first[e.node]:first[e.node+1]] {
				if uint64(d)+uint64(arc.Length) <= uint64(reach) && b.most[arc.To] < weight[e.place] {
					queue.push(d+arc.Length, entry{arc.To, e.place})
				}
			}
		}
	}
	if g.beeline != nil {
		visit = g.shortenFronts(places, weight, reach, visit)
	}
	b.visit(g.beeline != nil, visit)
}

// shortenFronts adds the places in a straight line to the fronts of bounded nodes.
func (g *Graph) shortenFronts(places []Place, weight []uint32, reach Distance,
	visit func(node int, labels []Label)) func(node int, labels []Label) {
	straight := g.beeline.targets(g.beeline.positions(places))
	return func(node int, labels []Label) {
		if g.bounded[node] {
			labels = straight.shortened(g.Nodes[node], labels, places, weight, reach)
		}
		if len(labels) > 0 {
			visit(node, labels)
		}
	}
}

// nonDominatedSearch is what a search has found so far.
type nonDominatedSearch struct {
	most     []uint32 // of each node, the weight of the farthest label
	label    []Label  // of each node, the farthest
	count    []uint32 // labels of each node, at the index after its own
	kept     []seed   // all labels, by distance
	accepted []entry
}

// accept keeps the best of the entries of each node, which are at one distance, and returns those.
func (b *nonDominatedSearch) accept(d Distance, entries []entry, weight []uint32) []entry {
	b.accepted = b.accepted[:0]
	for _, e := range entries {
		w, last := weight[e.place], &b.label[e.node]
		if w > b.most[e.node] || w > 0 && w == b.most[e.node] && last.Distance == d && e.place < last.Place {
			b.most[e.node], *last = w, Label{e.place, d}
			b.accepted = append(b.accepted, e)
		}
	}
	stay := b.accepted[:0]
	for _, e := range b.accepted {
		if b.label[e.node].Place == e.place {
			stay = append(stay, e)
			b.kept = append(b.kept, seed{d, e})
			b.count[e.node+1]++
		}
	}
	return stay
}

// visit sorts the labels by node and visits them; nodes without any too, if all is set.
func (b *nonDominatedSearch) visit(all bool, visit func(node int, labels []Label)) {
	for i := 1; i < len(b.count); i++ {
		b.count[i] += b.count[i-1]
	}
	labels := make([]Label, len(b.kept))
	for i := len(b.kept) - 1; i >= 0; i-- {
		k := b.kept[i]
		b.count[k.node+1]--
		labels[b.count[k.node+1]] = Label{k.place, k.distance}
	}
	for node := range b.most {
		begin, end := b.count[node+1], uint32(len(labels))
		if node+2 < len(b.count) {
			end = b.count[node+2]
		}
		if begin < end || all {
			visit(node, labels[begin:end:end])
		}
	}
}
