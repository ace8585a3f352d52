package network

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"quartier/internal/coord"
)

// Sums adds up for every node and class weight[d] over all places of the class at d metres (rounded down), up to
// len(weight) metres. class[i] is the class of places[i], below classes; the result has classes sums a node, exact
// integers. It searches from the places or from the nodes, whichever are fewer, and from places at one position once. It
// uses all cores; the result does not depend on their number.
//
// With weight = {4, 3, 2, 1}, a node that is 0.5 m from one café and 2.9 m from another gets 4 + 2 = 6 for cafés.
func (g *Graph) Sums(places []Place, class []uint8, classes int, weight []uint32) []uint64 {
	sums := make([]uint64, classes*len(g.Nodes))
	if len(weight) == 0 || len(places) == 0 {
		return sums
	}
	spots := g.spots(places, class)
	if len(spots) > len(g.Nodes) && g.beeline == nil {
		g.sumFromNodes(spots, sums, classes, weight)
	} else {
		g.sumFromSpots(spots, sums, classes, weight)
	}
	return sums
}

// spotPlaces is a position on the network and the places there.
type spotPlaces struct {
	node   uint32 // the first of the two nodes that lead to it
	here   Distance
	other  uint32 // the second one; none if only one leads there
	there  Distance
	counts []placeCount // by leg
	at     coord.Point  // on the ground; zero where ways are not bounded
}

// placeCount is the number of places of one class and leg at a spot.
type placeCount struct {
	leg   Distance
	class uint8
	count uint32
}

// spots groups the places at one position, in the order of nodes.
func (g *Graph) spots(places []Place, class []uint8) []spotPlaces {
	var list []spotPlaces
	for i, p := range places {
		e, along := g.Edges[p.Edge], min(p.Along, g.Edges[p.Edge].Length)
		s := spotPlaces{node: e.A, here: along, other: e.B, there: e.Length - along, counts: []placeCount{{p.Leg, class[i], 1}}}
		forth, back := g.open(p.Edge)
		first, second := forth, back // whether A and B lead to it
		if forth && back && (s.here == 0 || s.there == 0 || e.A == e.B) {
			first = s.here <= s.there // the way over the other node is never shorter
			second = !first
		}
		switch {
		case !second:
			s.other, s.there = none, 0
		case !first:
			s.node, s.here, s.other, s.there = e.B, s.there, none, 0
		}
		if g.beeline != nil {
			s.at = g.beeline.snapper.Point(p)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b spotPlaces) int {
		return cmp.Or(a.compare(b), cmp.Compare(a.counts[0].leg, b.counts[0].leg), cmp.Compare(a.counts[0].class, b.counts[0].class))
	})
	spots := list[:0]
	for _, s := range list {
		if len(spots) == 0 || spots[len(spots)-1].compare(s) != 0 {
			spots = append(spots, s)
			continue
		}
		last := &spots[len(spots)-1]
		if same := &last.counts[len(last.counts)-1]; same.leg == s.counts[0].leg && same.class == s.counts[0].class {
			same.count++
		} else {
			last.counts = append(last.counts, s.counts[0])
		}
	}
	return spots
}

func (s spotPlaces) compare(o spotPlaces) int {
	return cmp.Or(cmp.Compare(s.node, o.node), cmp.Compare(s.here, o.here), cmp.Compare(s.other, o.other), cmp.Compare(s.there, o.there),
		cmp.Compare(s.at.Lng, o.at.Lng), cmp.Compare(s.at.Lat, o.at.Lat))
}

// sumFromSpots searches from every spot. Each worker has a range of the spots and of the nodes along the curve; sums for
// nodes of another worker are delivered to it between two batches.
func (g *Graph) sumFromSpots(spots []spotPlaces, sums []uint64, classes int, weight []uint32) {
	const batch = 2048 // spots of a worker between two exchanges
	workers := make([]*sumWorker, min(runtime.GOMAXPROCS(0), len(spots)))
	first, arcs := g.reverseArcs()
	var nodes *targets
	if g.beeline != nil {
		nodes = g.beeline.targets(g.Nodes)
	}
	for i := range workers {
		w := &sumWorker{nodes: nodes, bounded: g.bounded, search: newBoundedSearch(len(g.Nodes), first, arcs, Distance(10*len(weight)-1)), sums: sums, classes: classes, weight: weight}
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
		runAll(workers, func(w *sumWorker) {
			for _, s := range w.spots[min(done, len(w.spots)):min(done+batch, len(w.spots))] {
				w.add(s)
			}
		})
		runAll(workers, func(w *sumWorker) {
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

// runAll runs a step on all workers in parallel.
func runAll[T any](workers []T, step func(T)) {
	var running sync.WaitGroup
	for _, w := range workers {
		running.Go(func() { step(w) })
	}
	running.Wait()
}

// sumWorker adds up the weights that are found from its spots.
type sumWorker struct {
	search   *boundedSearch
	nodes    *targets // nil: ways are not bounded
	bounded  []bool
	spots    []spotPlaces
	from, to uint32 // its nodes
	sums     []uint64
	classes  int
	weight   []uint32
	mail     []partialSum
}

// partialSum is an addend for a node of another worker.
type partialSum struct {
	sum   uint64
	node  uint32
	class uint8
}

func (w *sumWorker) add(s spotPlaces) {
	b := w.search
	b.clear()
	b.seed(s.node, uint64(s.here))
	if s.other != none {
		b.seed(s.other, uint64(s.there))
	}
	b.run()
	if w.nodes != nil {
		straight := *w.nodes
		b.shorten(&straight, w.bounded, s.at)
	}
	for _, node := range b.touched {
		d := uint64(b.dist[node])
		if node < w.from || node >= w.to {
			for _, what := range s.counts {
				if at := (d + uint64(what.leg)) / 10; at < uint64(len(w.weight)) {
					w.mail = append(w.mail, partialSum{uint64(what.count) * uint64(w.weight[at]), node, what.class})
				}
			}
			continue
		}
		sums := w.sums[int(node)*w.classes:][:w.classes]
		for _, what := range s.counts {
			if at := (d + uint64(what.leg)) / 10; at < uint64(len(w.weight)) {
				sums[what.class] += uint64(what.count) * uint64(w.weight[at])
			}
		}
	}
}
