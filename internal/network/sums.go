package network

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
)

// Sums adds up, for every node and class, weight[d] over all places of the class at d metres (rounded down) within
// len(weight) metres. The sums are exact integers. class[i] is that of places[i]; the result has classes numbers a node.
// It searches from the places or from the nodes, whichever are fewer; places at one spot are searched from once. All
// cores are used, and the result does not depend on how many there are.
func (g *Graph) Sums(places []Place, class []uint8, classes int, weight []uint32) []uint64 {
	sums := make([]uint64, classes*len(g.Nodes))
	if len(weight) == 0 || len(places) == 0 {
		return sums
	}
	spots := g.spots(places, class)
	if len(spots) > len(g.Nodes) {
		g.sumFromNodes(spots, sums, classes, weight)
	} else {
		g.sumFromSpots(spots, sums, classes, weight)
	}
	return sums
}

// source is a place on the network and all that is there.
type source struct {
	node  uint32 // the first of the two from which one comes to it
	here  Distance
	other uint32 // the second; none where there is one way only
	there Distance
	goods []good // by leg
}

// good is places of a class with one leg.
type good struct {
	leg   Distance
	class uint8
	count uint32
}

// spots gathers the places that lie together, in the order of nodes.
func (g *Graph) spots(places []Place, class []uint8) []source {
	var list []source
	for i, p := range places {
		e, along := g.Edges[p.Edge], min(p.Along, g.Edges[p.Edge].Length)
		s := source{node: e.A, here: along, other: e.B, there: e.Length - along, goods: []good{{p.Leg, class[i], 1}}}
		forth, back := g.open(p.Edge)
		first, second := forth, back // from these ends one comes to it
		if forth && back && (s.here == 0 || s.there == 0 || e.A == e.B) {
			first = s.here <= s.there // the other way is never shorter
			second = !first
		}
		switch {
		case !second:
			s.other, s.there = none, 0
		case !first:
			s.node, s.here, s.other, s.there = e.B, s.there, none, 0
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b source) int {
		return cmp.Or(a.compare(b), cmp.Compare(a.goods[0].leg, b.goods[0].leg), cmp.Compare(a.goods[0].class, b.goods[0].class))
	})
	spots := list[:0]
	for _, s := range list {
		if len(spots) == 0 || spots[len(spots)-1].compare(s) != 0 {
			spots = append(spots, s)
			continue
		}
		last := &spots[len(spots)-1]
		if same := &last.goods[len(last.goods)-1]; same.leg == s.goods[0].leg && same.class == s.goods[0].class {
			same.count++
		} else {
			last.goods = append(last.goods, s.goods[0])
		}
	}
	return spots
}

func (s source) compare(o source) int {
	return cmp.Or(cmp.Compare(s.node, o.node), cmp.Compare(s.here, o.here), cmp.Compare(s.other, o.other), cmp.Compare(s.there, o.there))
}

// sumFromSpots searches from every spot. Each worker has a range of the spots along the curve and the nodes around them;
// what it finds for nodes of another worker it sends there between two batches.
func (g *Graph) sumFromSpots(spots []source, sums []uint64, classes int, weight []uint32) {
	const batch = 2048 // spots of a worker between two exchanges
	workers := make([]*summer, min(runtime.GOMAXPROCS(0), len(spots)))
	first, arcs := g.toward()
	for i := range workers {
		w := &summer{ball: newBall(len(g.Nodes), first, arcs, Distance(10*len(weight)-1)), sums: sums, classes: classes, weight: weight}
		w.spots = spots[i*len(spots)/len(workers) : (i+1)*len(spots)/len(workers)]
		w.from, w.to = w.spots[0].node, uint32(len(g.Nodes))
		if i == 0 {
			w.from = 0
		} else {
			workers[i-1].to = w.from
		}
		workers[i] = w
	}
	for done := 0; done*len(workers) < len(spots)+len(workers)*batch; done += batch {
		together(workers, func(w *summer) {
			for _, s := range w.spots[min(done, len(w.spots)):min(done+batch, len(w.spots))] {
				w.add(s)
			}
		})
		together(workers, func(w *summer) {
			for _, other := range workers {
				for _, m := range other.mail {
					if m.node >= w.from && m.node < w.to {
						sums[int(m.node)*classes+int(m.class)] += m.sum
					}
				}
			}
		})
		for _, w := range workers {
			w.mail = w.mail[:0]
		}
	}
}

// together runs a step on all workers.
func together[T any](workers []T, step func(T)) {
	var running sync.WaitGroup
	for _, w := range workers {
		running.Go(func() { step(w) })
	}
	running.Wait()
}

// summer adds up what is found from its spots.
type summer struct {
	ball     *ball
	spots    []source
	from, to uint32 // its nodes
	sums     []uint64
	classes  int
	weight   []uint32
	mail     []parcel
}

// parcel is a part of a sum for a node of another worker.
type parcel struct {
	sum   uint64
	node  uint32
	class uint8
}

func (w *summer) add(s source) {
	b := w.ball
	b.clear()
	b.seed(s.node, uint64(s.here))
	if s.other != none {
		b.seed(s.other, uint64(s.there))
	}
	b.run()
	for _, node := range b.touched {
		d := uint64(b.dist[node])
		if node < w.from || node >= w.to {
			for _, what := range s.goods {
				if at := (d + uint64(what.leg)) / 10; at < uint64(len(w.weight)) {
					w.mail = append(w.mail, parcel{uint64(what.count) * uint64(w.weight[at]), node, what.class})
				}
			}
			continue
		}
		sums := w.sums[int(node)*w.classes:][:w.classes]
		for _, what := range s.goods {
			if at := (d + uint64(what.leg)) / 10; at < uint64(len(w.weight)) {
				sums[what.class] += uint64(what.count) * uint64(w.weight[at])
			}
		}
	}
}
