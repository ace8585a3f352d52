package network

import (
	"cmp"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

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

// sumFromSpots searches from every spot. The spots are cut into ranges along the curve, each with its range of nodes;
// workers take one range after the other, since a range in a town takes many times as long as one in the country. Sums for
// nodes of other ranges are collected and delivered many at a time. Integers make the order of additions irrelevant.
func (g *Graph) sumFromSpots(spots []spotPlaces, sums []uint64, classes int, weight []uint32) {
	s := &spotSums{ranges: rangesOf(spots, uint32(len(g.Nodes)), runtime.GOMAXPROCS(0)), sums: sums, classes: classes, weight: weight,
		bounded: g.bounded}
	first, arcs := g.reverseArcs()
	if g.beeline != nil {
		s.nodes = g.beeline.targets(g.Nodes)
	}
	workers := make([]*sumWorker, min(runtime.GOMAXPROCS(0), len(s.ranges)))
	for i := range workers {
		workers[i] = &sumWorker{spotSums: s, search: newBoundedSearch(len(g.Nodes), first, arcs, Distance(10*len(weight)-1)),
			waiting: make([][]partialSum, len(s.ranges))}
	}
	var next atomic.Int64
	runAll(workers, func(w *sumWorker) {
		for i := int(next.Add(1)) - 1; i < len(s.ranges); i = int(next.Add(1)) - 1 {
			for _, spot := range s.ranges[i].spots {
				w.add(i, spot)
			}
		}
		for i := range w.waiting {
			w.deliver(i)
		}
	})
}

// runAll runs a step on all workers in parallel.
func runAll[T any](workers []T, step func(T)) {
	var running sync.WaitGroup
	for _, w := range workers {
		running.Go(func() { step(w) })
	}
	running.Wait()
}

// spotSums are the sums that all workers add to.
type spotSums struct {
	ranges  []spotRange
	sums    []uint64
	classes int
	weight  []uint32
	nodes   *targets // nil: ways are not bounded
	bounded []bool
}

// spotRange is a range of spots and of nodes.
type spotRange struct {
	adding   sync.Mutex // of sums of the nodes
	from, to uint32
	spots    []spotPlaces
}

const (
	rangesEach = 4    // ranges for each worker
	leastSpots = 1024 // of a range, unless there are fewer than workers: small ones in a town would add to each other's nodes alone
	leastSums  = 4096 // delivered to a range together
)

// rangesOf cuts the spots into ranges of as many each. Spots at one node may be in two ranges; the node is in the second.
func rangesOf(spots []spotPlaces, nodes uint32, workers int) []spotRange {
	n := max(min(workers, len(spots)), min(workers*rangesEach, len(spots)/leastSpots))
	ranges := make([]spotRange, n)
	for i := range ranges {
		r := &ranges[i]
		r.spots = spots[i*len(spots)/n : (i+1)*len(spots)/n]
		if i > 0 {
			r.from = r.spots[0].node
			ranges[i-1].to = r.from
		}
	}
	ranges[n-1].to = nodes
	return ranges
}

// sumWorker adds up the weights that are found from spots.
type sumWorker struct {
	*spotSums
	search  *boundedSearch
	waiting [][]partialSum // for nodes of other ranges, by range
	full    []int          // ranges with enough of them
}

// partialSum is an addend for a node of another range.
type partialSum struct {
	sum   uint64
	node  uint32
	class uint8
}

// add adds the places of a spot of the range own.
func (w *sumWorker) add(own int, s spotPlaces) {
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
	r := &w.ranges[own]
	r.adding.Lock()
	for _, node := range b.touched {
		d := uint64(b.dist[node])
		if node < r.from || node >= r.to {
			w.put(node, d, s.counts)
			continue
		}
		sums := w.sums[int(node)*w.classes:][:w.classes]
		for _, what := range s.counts {
			if at := (d + uint64(what.leg)) / 10; at < uint64(len(w.weight)) {
				sums[what.class] += uint64(what.count) * uint64(w.weight[at])
			}
		}
	}
	r.adding.Unlock()
	for _, i := range w.full {
		w.deliver(i)
	}
	w.full = w.full[:0]
}

// put keeps the addends for a node of another range.
func (w *sumWorker) put(node uint32, d uint64, counts []placeCount) {
	to := sort.Search(len(w.ranges), func(i int) bool { return node < w.ranges[i].to })
	for _, what := range counts {
		if at := (d + uint64(what.leg)) / 10; at < uint64(len(w.weight)) {
			w.waiting[to] = append(w.waiting[to], partialSum{uint64(what.count) * uint64(w.weight[at]), node, what.class})
			if len(w.waiting[to]) == leastSums {
				w.full = append(w.full, to)
			}
		}
	}
}

// deliver adds what waits for a range.
func (w *sumWorker) deliver(to int) {
	r := &w.ranges[to]
	r.adding.Lock()
	for _, p := range w.waiting[to] {
		w.sums[int(p.node)*w.classes+int(p.class)] += p.sum
	}
	r.adding.Unlock()
	w.waiting[to] = w.waiting[to][:0]
}
