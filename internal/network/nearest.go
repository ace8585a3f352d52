package network

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
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
// k is at most 16. The cost is that of nodes × k arcs or little more, however many places there are; all cores are used.
//
// The k nearest of a point on an edge are among those of the edge's two ends and the places on the edge itself.
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
	n.first, n.arcs = g.toward()
	for inbox := g.seeds(places, reach); len(inbox) > 0; {
		inbox = n.round(inbox)
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

// nearest is a search from all places at once. It goes on in patches of neighbouring nodes, which fit a cache and keep
// all cores busy: within a patch in the order of distance; what leaves a patch is handed to the others when all are
// done, until nothing is left that any node takes. Labels only ever get better, and what they end at does not depend on
// the order.
type nearest struct {
	labels *Labels
	group  []uint32
	reach  Distance
	first  []uint32
	arcs   []Arc

	patchBits uint32
}

// patchBits are those of the nodes in a patch.
const patchBits = 14

// round lets every patch take what came for it and returns what they send to each other.
func (n *nearest) round(inbox []seed) (outbox []seed) {
	mail := byPatch(inbox, n.patchBits)
	waves := make([]*wave, min(runtime.GOMAXPROCS(0), len(mail)))
	var next atomic.Int64
	var running sync.WaitGroup
	for i := range waves {
		w := &wave{nearest: n, queue: newQueue(n.arcs)}
		waves[i] = w
		running.Go(func() {
			for at := int(next.Add(1)) - 1; at < len(mail); at = int(next.Add(1)) - 1 {
				w.flood(mail[at])
			}
		})
	}
	running.Wait()
	for _, w := range waves {
		for _, s := range w.outbox {
			if !n.refuses(s.distance, s.entry) {
				outbox = append(outbox, s)
			}
		}
	}
	return outbox
}

// byPatch sorts seeds into those of each patch that has any, by distance.
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

// of finds the label of a place's group; -1 where there is none.
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

// refuses reports whether a node has something better than an entry: all its labels, or one of the place's group.
func (n *nearest) refuses(d Distance, e entry) bool {
	count := int(n.labels.Count[e.node])
	items := n.labels.Items[int(e.node)*n.labels.K:][:count]
	if count == n.labels.K && !items[count-1].after(d, e.place) {
		return true
	}
	i := n.of(items, e.place)
	return i >= 0 && !items[i].after(d, e.place)
}

// after reports whether a label comes after a place at a distance.
func (l *Label) after(d Distance, place uint32) bool {
	return l.Distance > d || l.Distance == d && l.Place > place
}
