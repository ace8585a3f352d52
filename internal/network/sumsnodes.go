package network

import (
	"runtime"
	"sync/atomic"
)

// nodePlaces is a spot as seen from one of its two nodes.
type nodePlaces struct {
	here   Distance
	other  uint32 // none: there is none
	there  Distance
	main   bool // this node counts the spot if both are reached
	counts []placeCount
}

// sumFromNodes searches from every node and adds up the spots at the nodes that it reaches.
func (g *Graph) sumFromNodes(spots []spotPlaces, sums []uint64, classes int, weight []uint32) {
	begin, placesByNode := g.placesByNode(spots)
	workers := make([]*boundedSearch, runtime.GOMAXPROCS(0))
	for i := range workers {
		workers[i] = newBoundedSearch(len(g.Nodes), g.First, g.Arcs, Distance(10*len(weight)-1))
	}
	const batch = 256
	var next atomic.Int64
	runAll(workers, func(b *boundedSearch) {
		for from := int(next.Add(batch)) - batch; from < len(g.Nodes); from = int(next.Add(batch)) - batch {
			for node := from; node < min(from+batch, len(g.Nodes)); node++ {
				b.clear()
				b.seed(uint32(node), 0)
				b.run()
				out := sums[node*classes:][:classes]
				for _, found := range b.touched {
					for i := begin[found]; i < begin[found+1]; i++ {
						placesByNode[i].sum(b, found, out, weight)
					}
				}
			}
		}
	})
}

// placesByNode lists the spots of every node.
func (g *Graph) placesByNode(spots []spotPlaces) (begin []uint32, placesByNode []nodePlaces) {
	begin = make([]uint32, len(g.Nodes)+1)
	for _, s := range spots {
		begin[s.node+1]++
		if s.other != none {
			begin[s.other+1]++
		}
	}
	for i := 1; i < len(begin); i++ {
		begin[i] += begin[i-1]
	}
	placesByNode = make([]nodePlaces, begin[len(g.Nodes)])
	next := append([]uint32(nil), begin[:len(g.Nodes)]...)
	put := func(node uint32, o nodePlaces) {
		placesByNode[next[node]] = o
		next[node]++
	}
	for _, s := range spots {
		put(s.node, nodePlaces{s.here, s.other, s.there, true, s.counts})
		if s.other != none {
			put(s.other, nodePlaces{s.there, s.node, s.here, false, s.counts})
		}
	}
	return begin, placesByNode
}

// sum adds the weights of a spot, by the shorter of the ways over its two nodes.
func (o *nodePlaces) sum(b *boundedSearch, node uint32, out []uint64, weight []uint32) {
	d := uint64(b.dist[node]) + uint64(o.here)
	if o.other != none && b.dist[o.other] != Far {
		if !o.main {
			return
		}
		d = min(d, uint64(b.dist[o.other])+uint64(o.there))
	}
	for _, what := range o.counts {
		if at := (d + uint64(what.leg)) / 10; at < uint64(len(weight)) {
			out[what.class] += uint64(what.count) * uint64(weight[at])
		}
	}
}
