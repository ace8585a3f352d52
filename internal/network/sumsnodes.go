package network

import (
	"runtime"
	"sync/atomic"
)

// offer is a spot as seen from one of its two nodes.
type offer struct {
	here  Distance
	other uint32 // none: there is no other
	there Distance
	main  bool // this node counts the spot where both are near
	goods []good
}

// sumFromNodes searches from every node and adds up the spots at the nodes that it finds.
func (g *Graph) sumFromNodes(spots []source, sums []uint64, classes int, weight []uint32) {
	begin, offers := g.offers(spots)
	workers := make([]*ball, runtime.GOMAXPROCS(0))
	for i := range workers {
		workers[i] = newBall(len(g.Nodes), g.First, g.Arcs, Distance(10*len(weight)-1))
	}
	const batch = 256
	var next atomic.Int64
	together(workers, func(b *ball) {
		for from := int(next.Add(batch)) - batch; from < len(g.Nodes); from = int(next.Add(batch)) - batch {
			for node := from; node < min(from+batch, len(g.Nodes)); node++ {
				b.clear()
				b.seed(uint32(node), 0)
				b.run()
				out := sums[node*classes:][:classes]
				for _, found := range b.touched {
					for i := begin[found]; i < begin[found+1]; i++ {
						offers[i].sum(b, found, out, weight)
					}
				}
			}
		}
	})
}

// offers lists the spots of every node.
func (g *Graph) offers(spots []source) (begin []uint32, offers []offer) {
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
	offers = make([]offer, begin[len(g.Nodes)])
	next := append([]uint32(nil), begin[:len(g.Nodes)]...)
	put := func(node uint32, o offer) {
		offers[next[node]] = o
		next[node]++
	}
	for _, s := range spots {
		put(s.node, offer{s.here, s.other, s.there, true, s.goods})
		if s.other != none {
			put(s.other, offer{s.there, s.node, s.here, false, s.goods})
		}
	}
	return begin, offers
}

// sum adds the weights of a spot, by the shorter of its two ways.
func (o *offer) sum(b *ball, node uint32, out []uint64, weight []uint32) {
	d := uint64(b.dist[node]) + uint64(o.here)
	if o.other != none && b.dist[o.other] != Far {
		if !o.main {
			return
		}
		d = min(d, uint64(b.dist[o.other])+uint64(o.there))
	}
	for _, what := range o.goods {
		if at := (d + uint64(what.leg)) / 10; at < uint64(len(weight)) {
			out[what.class] += uint64(what.count) * uint64(weight[at])
		}
	}
}
