package network

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

// maxK is the maximum number of labels of a node.
const maxK = 16

// Labels are the nearest places of every node, nearest first, then by place number.
type Labels struct {
	K     int
	Count []uint8 // of each node
	Items []Label // K for each node, Count of them set
}

// At is the labels of a node.
func (l *Labels) At(node int) []Label { return l.Items[node*l.K : node*l.K+int(l.Count[node])] }

// Nearest finds the k nearest places of every node within reach, exactly; k is at most 16. Places of the same group (an
// entry for each place; nil: each its own) count once, by the nearest of them: entrances of one park, platforms of one
// station. It uses all cores.
//
// It searches from the places, not from the nodes: a node accepts the first k labels that arrive in order of distance,
// and only accepted labels travel on. The cost is about that of nodes × k arcs, however many places there are. For k = 2
// and places p at node A, q at D (100 m between neighbours on the line A–B–C–D, r at C):
//
//	node  labels, nearest first        refused
//	A     p 0 m, r 200 m               q 300 m (node A has two)
//	B     p 100 m, r 100 m             q 200 m (not sent on to A)
//	C     r 0 m, q 100 m               p 200 m
//	D     q 0 m, r 100 m               p: never arrives, because C refused it
//
// The k nearest places of a point on an edge are among those of its two nodes and the places on the edge itself.
func (g *Graph) Nearest(places []Place, group []uint32, k int, reach Distance) *Labels {
	return g.nearest(places, group, k, reach, patchBits)
}

func (g *Graph) nearest(places []Place, group []uint32, k int, reach Distance, patchBits uint32) *Labels {
	if k < 1 || k > maxK {
		panic(fmt.Sprintf("network: %d nearest places", k))
	}
	n := nearest{
		labels: &Labels{K: k, Count: make([]uint8, len(g.Nodes)), Items: make([]Label, k*len(g.Nodes))},
		group:  group, reach: reach, patchBits: patchBits,
	}
	n.first, n.arcs = g.reverseArcs()
	for inbox := g.seeds(places, reach); len(inbox) > 0; {
		inbox = n.round(inbox)
	}
	if g.beeline != nil {
		n.shorten(g, places)
	}
	return n.labels
}

// reverseArcs returns the arcs against the direction of travel, on which a search from the places goes.
func (g *Graph) reverseArcs() (first []uint32, arcs []Arc) {
	if g.Ways == nil {
		return g.First, g.Arcs
	}
	return link(g, false)
}

// seeds are the nodes from which the edge of each place leads to it.
func (g *Graph) seeds(places []Place, reach Distance) []seed {
	seeds := make([]seed, 0, 2*len(places))
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

// nearest is a search from all places at once. It works in patches of neighbouring nodes, which fit a processor's cache
// and keep all cores busy: inside a patch in order of distance; labels that leave a patch are delivered to the others
// at the end of a round. Rounds repeat until no node accepts anything. Labels only improve, and the final ones do not
// depend on the order.
type nearest struct {
	labels *Labels
	group  []uint32
	reach  Distance
	first  []uint32
	arcs   []Arc

	patchBits uint32
}

// patchBits is how many low bits of a node number vary inside a patch.
const patchBits = 14

// round processes the inbox of every patch and returns the labels that patches send to each other.
func (n *nearest) round(inbox []seed) (outbox []seed) {
	mail := byPatch(inbox, n.patchBits)
	workers := make([]*patchSearch, min(runtime.GOMAXPROCS(0), len(mail)))
	for i := range workers {
		workers[i] = &patchSearch{nearest: n, queue: newQueue(n.arcs)}
	}
	var next atomic.Int64
	runAll(workers, func(w *patchSearch) {
		for at := int(next.Add(1)) - 1; at < len(mail); at = int(next.Add(1)) - 1 {
			w.flood(mail[at])
		}
	})
	for _, w := range workers {
		for _, s := range w.outbox {
			if !n.refuses(s.distance, s.entry) {
				outbox = append(outbox, s)
			}
		}
	}
	return outbox
}

// byPatch groups seeds by patch, in each by distance.
func byPatch(seeds []seed, patchBits uint32) (mail [][]seed) {
	order := make([]uint32, len(seeds))
	for i := range order {
		order[i] = uint32(i)
	}
	radixSort(order, func(i uint32) uint64 { return uint64(seeds[i].distance) })
	radixSort(order, func(i uint32) uint64 { return uint64(seeds[i].node >> patchBits) })
	sorted := make([]seed, len(seeds))
	begin := 0
	for i, from := range order {
		sorted[i] = seeds[from]
		if sorted[i].node>>patchBits != sorted[begin].node>>patchBits {
			mail, begin = append(mail, sorted[begin:i]), i
		}
	}
	return append(mail, sorted[begin:])
}

// of finds the label of a place's group; −1 if there is none.
func (n *nearest) of(items []Label, place uint32) int {
	if n.group == nil {
		for i := range items {
			if items[i].Place == place {
				return i
			}
		}
		return -1
	}
	group := n.group[place]
	for i := range items {
		if n.group[items[i].Place] == group {
			return i
		}
	}
	return -1
}

// refuses reports whether a node has only better labels than an entry, or a better one of the place's group.
func (n *nearest) refuses(d Distance, e entry) bool {
	count := int(n.labels.Count[e.node])
	items := n.labels.Items[int(e.node)*n.labels.K:][:count]
	if count == n.labels.K && !items[count-1].after(d, e.place) {
		return true
	}
	i := n.of(items, e.place)
	return i >= 0 && !items[i].after(d, e.place)
}

// after reports whether a label is sorted after a place at a distance.
func (l *Label) after(d Distance, place uint32) bool {
	return l.Distance > d || l.Distance == d && l.Place > place
}
