package network

import (
	"runtime"
	"slices"
	"sync/atomic"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
)

// Beeline bounds the ways of a network whose sources have no footpaths: a way is at most a number of times the straight
// line, unless a barrier crosses that line. It applies between a node and a position on a street; access legs are added
// as to other ways. The way that is bounded does not lead further along the network: between two nodes on different
// sides of a barrier's end a distance may jump.
//
// Example: houses back to back are 100 m apart and 600 m along the streets. With a factor of 1.6 the way is 160 m; with
// a railway in between it stays 600 m.
type Beeline struct {
	factor  float64
	snapper *Snapper
}

// NewBeeline makes the bound of ways on the streets of a Snapper, and across none of its barriers.
func NewBeeline(factor float64, s *Snapper) *Beeline { return &Beeline{factor, s} }

// Way is the bound of the way from a point on the network to a place, its leg included; false if a barrier crosses the
// straight line.
func (b *Beeline) Way(from coord.Point, to Place) (Distance, bool) {
	way, clear := b.Between(from, b.snapper.Point(to))
	return way + to.Leg, clear
}

// Between is the bound of the way between two points on the network; false if a barrier crosses the straight line.
func (b *Beeline) Between(from, to coord.Point) (Distance, bool) {
	var m localMetric
	return Metres(b.factor * m.metres(from, to)), !b.snapper.blocked(from, to)
}

// Bound makes the ways from the given nodes, one entry for each node of g, and the ways back, no longer than b allows.
func (g *Graph) Bound(b *Beeline, nodes []bool) { g.beeline, g.bounded = b, nodes }

// targets are points that straight lines lead to.
type targets struct {
	*Beeline
	points []coord.Point
	index  *pointindex.Index
	order  []uint32
	metric localMetric
}

// targetStripM is the height of the strips of the index: walking distances are a few times that.
const targetStripM = 400

func (b *Beeline) targets(points []coord.Point) *targets {
	t := &targets{Beeline: b, points: points}
	t.index, t.order = pointindex.New(points, targetStripM)
	return t
}

// positions are the points of places on their streets.
func (b *Beeline) positions(places []Place) []coord.Point {
	points := make([]coord.Point, len(places))
	for i, p := range places {
		points[i] = b.snapper.Point(p)
	}
	return points
}

// each visits the points to which the bound of the way from p is at most limit. Callers check for barriers where the
// bound makes a difference.
func (t *targets) each(p coord.Point, limit Distance, visit func(target uint32, d Distance)) {
	t.index.Search(p, limit.Metres()/t.factor+1, func(lo, hi int) {
		for _, target := range t.order[lo:hi] {
			if d := Metres(t.factor * t.metric.metres(p, t.points[target])); d <= limit {
				visit(target, d)
			}
		}
	})
}

// shorten lowers the labels of the nodes whose ways are bounded. The k nearest places are among those by network and
// those in a straight line, so that the result is exact.
func (n *nearest) shorten(g *Graph, places []Place) {
	all := g.beeline.targets(g.beeline.positions(places))
	const batch = 1024
	var next atomic.Int64
	workers := make([]*patchSearch, runtime.GOMAXPROCS(0))
	for i := range workers {
		workers[i] = &patchSearch{nearest: n}
	}
	runAll(workers, func(w *patchSearch) {
		straight := *all
		for from := int(next.Add(batch)) - batch; from < len(g.Nodes); from = int(next.Add(batch)) - batch {
			for node := from; node < min(from+batch, len(g.Nodes)); node++ {
				if g.bounded[node] {
					w.shortenAt(&straight, uint32(node), g.Nodes[node], places)
				}
			}
		}
	})
}

// shortenAt lowers the labels of one node.
func (w *patchSearch) shortenAt(straight *targets, node uint32, at coord.Point, places []Place) {
	limit := w.reach
	if labels := w.labels.At(int(node)); len(labels) == w.labels.K {
		limit = labels[len(labels)-1].Distance
	}
	straight.each(at, limit, func(place uint32, d Distance) {
		d, e := d+places[place].Leg, entry{node, place}
		if d <= w.reach && !w.refuses(d, e) && !straight.snapper.blocked(at, straight.points[place]) {
			w.label(d, e)
		}
	})
}

// shorten lowers the distances of a search from a point at which it began.
func (b *boundedSearch) shorten(nodes *targets, bounded []bool, from coord.Point) {
	nodes.each(from, Distance(b.reach), func(node uint32, d Distance) {
		if bounded[node] && d < b.dist[node] && !nodes.snapper.blocked(nodes.points[node], from) {
			if b.dist[node] == Far {
				b.touched = append(b.touched, node)
			}
			b.dist[node] = d
		}
	})
}

// shortened is the Pareto front of a node's labels and of the places in a straight line. labels is overwritten.
func (t *targets) shortened(at coord.Point, labels []Label, places []Place, weight []uint32, reach Distance) []Label {
	t.each(at, reach, func(place uint32, d Distance) {
		d += places[place].Leg
		if l := (Label{place, d}); d <= reach && !dominated(labels, l, weight) && !t.snapper.blocked(at, t.points[place]) {
			labels = insert(labels, l, weight)
		}
	})
	return labels
}

// dominated reports whether a label has weight 0, or another one is as near and weighs as much.
func dominated(labels []Label, l Label, weight []uint32) bool {
	for _, other := range labels {
		if other.Distance > l.Distance {
			break
		}
		if w := weight[other.Place]; w > weight[l.Place] || w == weight[l.Place] && !other.after(l.Distance, l.Place) {
			return true
		}
	}
	return weight[l.Place] == 0
}

// insert adds a label to a Pareto front, nearest first and lightest first, in place of those that it dominates.
func insert(labels []Label, l Label, weight []uint32) []Label {
	first := slices.IndexFunc(labels, func(other Label) bool { return other.Distance >= l.Distance })
	if first < 0 {
		first = len(labels)
	}
	end := first
	for end < len(labels) && weight[labels[end].Place] <= weight[l.Place] {
		end++
	}
	return slices.Replace(labels, first, end, l)
}
