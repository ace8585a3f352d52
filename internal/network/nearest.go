package network

import (
	"fmt"
	"slices"
)

// maxK is the most labels that Nearest keeps at a node.
const maxK = 16

// Labels are the nearest places of every node, nearest first; of equal distances the lower place first.
type Labels struct {
	K     int
	Count []uint8 // of each node
	Items []Label // K for each node, Count of them set
}

// At is the labels of a node.
func (l *Labels) At(node int) []Label { return l.Items[node*l.K : node*l.K+int(l.Count[node])] }

// Nearest finds the k nearest places of every node within reach, exactly. Places of the same group (an entry for each
// place; nil: each its own) count once, by the nearest of them: entrances of one park, platforms of one station.
// k is at most 16. The cost is that of nodes × k arcs at most, however many places there are; memory is 8 bytes a
// label beside the result.
//
// The k nearest of a point on an edge are among those of the edge's two ends and the places on the edge itself.
func (g *Graph) Nearest(places []Place, group []uint32, k int, reach Distance) *Labels {
	if k < 1 || k > maxK {
		panic(fmt.Sprintf("network: %d nearest places", k))
	}
	n := nearest{
		labels: &Labels{K: k, Count: make([]uint8, len(g.Nodes)), Items: make([]Label, k*len(g.Nodes))},
		group:  group, reach: reach,
	}
	n.first, n.arcs = g.toward()
	n.queue = newQueue(n.arcs, g.seeds(places, reach))
	for d, entries, ok := n.queue.next(); ok; d, entries, ok = n.queue.next() {
		n.accept(d, entries)
		n.spread(d)
	}
	return n.labels
}

// toward is the arcs against the direction of travel: from a place to where one comes from.
func (g *Graph) toward() (first []uint32, arcs []Arc) {
	if g.Ways == nil {
		return g.First, g.Arcs
	}
	return link(g, false)
}

// seeds are the nodes from which one comes to a place along its own edge.
func (g *Graph) seeds(places []Place, reach Distance) []seed {
	var seeds []seed
	add := func(node uint32, along Distance, leg Distance, place int) {
		if d := uint64(along) + uint64(leg); d <= uint64(reach) {
			seeds = append(seeds, seed{Distance(d), entry{node, uint32(place)}})
		}
	}
	for i, p := range places {
		e := g.Edges[p.Edge]
		forth, back := g.open(p.Edge)
		along := min(p.Along, e.Length)
		if forth {
			add(e.A, along, p.Leg, i)
		}
		if back {
			add(e.B, e.Length-along, p.Leg, i)
		}
	}
	return seeds
}

// nearest is a search from all places at once, in the order of distance. All entries of a distance are accepted before
// any of them is spread, so that ties do not depend on an order.
type nearest struct {
	labels   *Labels
	group    []uint32
	reach    Distance
	first    []uint32
	arcs     []Arc
	queue    *queue
	accepted []entry
	replaced bool // some accepted entry was pushed out by one of its distance
}

func (n *nearest) groupOf(place uint32) uint32 {
	if n.group == nil {
		return place
	}
	return n.group[place]
}

// accept labels nodes with the entries of a distance.
func (n *nearest) accept(d Distance, entries []entry) {
	n.accepted, n.replaced = n.accepted[:0], false
	for _, e := range entries {
		if n.label(d, e) {
			n.accepted = append(n.accepted, e)
		}
	}
}

func (n *nearest) label(d Distance, e entry) bool {
	count := int(n.labels.Count[e.node])
	items := n.labels.Items[int(e.node)*n.labels.K:][:n.labels.K]
	group := n.groupOf(e.place)
	out := slices.IndexFunc(items[:count], func(l Label) bool { return n.groupOf(l.Place) == group })
	if out < 0 && count == len(items) {
		out = count - 1
	}
	if out >= 0 { // only what is as far and comes later in the order gives way
		if items[out].Distance != d || items[out].Place <= e.place {
			return false
		}
		copy(items[out:], items[out+1:count])
		count--
		n.replaced = true
	}
	at := count
	for ; at > 0 && items[at-1].Distance == d && items[at-1].Place > e.place; at-- {
		items[at] = items[at-1]
	}
	items[at] = Label{e.place, d}
	n.labels.Count[e.node] = uint8(count + 1)
	return true
}

// spread sends what was accepted on to the neighbours that may take it.
func (n *nearest) spread(d Distance) {
	for _, e := range n.accepted {
		if n.replaced && !slices.Contains(n.labels.At(int(e.node)), Label{e.place, d}) {
			continue
		}
		for _, arc := range n.arcs[n.first[e.node]:n.first[e.node+1]] {
			if uint64(d)+uint64(arc.Length) > uint64(n.reach) || n.refuses(arc.To, e.place) {
				continue
			}
			n.queue.push(d+arc.Length, entry{arc.To, e.place})
		}
	}
}

// refuses reports whether a node has all its labels, or one of the place's group: they are all nearer than what comes.
func (n *nearest) refuses(node, place uint32) bool {
	count := int(n.labels.Count[node])
	if count == n.labels.K {
		return true
	}
	group := n.groupOf(place)
	for _, l := range n.labels.Items[int(node)*n.labels.K:][:count] {
		if n.groupOf(l.Place) == group {
			return true
		}
	}
	return false
}
