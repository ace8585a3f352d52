package network

import (
	"math"

	"quartier/internal/coord"
)

// Snapper finds where a door meets the network: the nearest point of an edge that a straight way leads to without
// crossing a barrier. It is a handful of flat slices, so that a pack can keep it and map it, and safe for concurrent
// use.
type Snapper struct {
	t     Tables
	tree  boxes // over groups of fan edges
	walls boxes // over pieces of barriers
}

// NewSnapper indexes the edges of g. Barriers are lines that a way from a door may not cross. The lines of g are shared,
// not copied.
func NewSnapper(g *Graph, barriers [][]coord.Point) *Snapper {
	s := &Snapper{}
	t := &s.t
	t.A, t.B, t.Length = make([]uint32, len(g.Edges)), make([]uint32, len(g.Edges)), make([]uint32, len(g.Edges))
	for i, e := range g.Edges {
		t.A[i], t.B[i], t.Length[i] = e.A, e.B, uint32(e.Length)
	}
	t.ShapeEnds, t.Shape = g.ShapeEnds, g.Shape
	s.tree = newBoxes(groups(len(g.Edges)), func(group int) (sw, ne coord.Point) {
		first := uint32(group * fan)
		sw, ne = around(g.Line(first))
		for i := first + 1; i < min(first+fan, uint32(len(g.Edges))); i++ {
			sw2, ne2 := around(g.Line(i))
			sw, ne = cover(sw, ne, sw2, ne2)
		}
		return sw, ne
	})
	t.Barrier, t.BarrierEnds = chunks(barriers)
	s.walls = newBoxes(len(t.BarrierEnds), func(piece int) (sw, ne coord.Point) {
		return around(slice(t.Barrier, t.BarrierEnds, uint32(piece)))
	})
	t.EdgeBoxes, t.BarrierBoxes = s.tree.corners, s.walls.corners
	return s
}

// Edges is the number of edges.
func (s *Snapper) Edges() int { return len(s.t.A) }

// Edge is the nodes and the length of an edge. Its Line is not known here.
func (s *Snapper) Edge(edge uint32) Edge {
	return Edge{A: s.t.A[edge], B: s.t.B[edge], Length: Distance(s.t.Length[edge])}
}

// Snap finds the place of p on the network; false where no edge within limit metres can be reached. Of each edge the
// nearest point counts, of edges that are equally near the first. It allocates nothing.
func (s *Snapper) Snap(p coord.Point, limit float64) (Place, bool) {
	if !(limit >= 0) {
		return Place{}, false
	}
	var h hunt
	var scale ruler
	scale.at(p.Lat)
	h.start(&s.tree, p, scale, limit*limit)
	best, found := spot{}, false
	for group, ok := h.next(); ok; group, ok = h.next() {
		first := group * fan
		for edge := first; edge < min(first+fan, uint32(len(s.t.ShapeEnds))); edge++ {
			at, ok := s.nearest(edge, p, &scale)
			if !ok || at.d2 > h.within || found && at.d2 == best.d2 && edge > best.edge || s.blocked(p, at.point()) {
				continue
			}
			best, found, h.within = at, true, at.d2
		}
	}
	if !found {
		return Place{}, false
	}
	return s.place(best, &scale), true
}

// Within calls visit with the nearest place on every edge within radius metres of p that no barrier cuts off, in the
// order of the edges.
func (s *Snapper) Within(p coord.Point, radius float64, visit func(Place)) {
	if !(radius >= 0) || s.tree.levels == 0 {
		return
	}
	var scale ruler
	scale.at(p.Lat)
	s.within(s.tree.levels-1, s.tree.starts[s.tree.levels-1], &hunt{tree: &s.tree, p: p, scale: scale, within: radius * radius}, visit)
}

func (s *Snapper) within(level int, box uint32, h *hunt, visit func(Place)) {
	if h.squared(box) > h.within {
		return
	}
	if level > 0 {
		first := s.tree.starts[level-1] + (box-s.tree.starts[level])*fan
		for i := first; i < min(first+fan, s.tree.starts[level]); i++ {
			s.within(level-1, i, h, visit)
		}
		return
	}
	for edge := box * fan; edge < min(box*fan+fan, uint32(len(s.t.ShapeEnds))); edge++ {
		at, ok := s.nearest(edge, h.p, &h.scale)
		if ok && at.d2 <= h.within && !s.blocked(h.p, at.point()) {
			visit(s.place(at, &h.scale))
		}
	}
}

// Point is where a place is on its edge.
func (s *Snapper) Point(p Place) coord.Point {
	line := slice(s.t.Shape, s.t.ShapeEnds, p.Edge)
	if len(line) == 0 {
		return coord.Point{}
	}
	var scale ruler
	scale.at(line[0].Lat)
	rest := scale.length(line) * float64(p.Along) / float64(max(1, s.t.Length[p.Edge]))
	for i := 1; i < len(line); i++ {
		length := scale.plain(line[i-1], line[i])
		if rest <= length && length > 0 {
			return between(line[i-1], line[i], rest/length)
		}
		rest -= length
	}
	return line[len(line)-1]
}

// spot is a point of a segment of an edge.
type spot struct {
	d2      float64 // squared metres from the door
	edge    uint32
	segment int // its last vertex in the line of the edge
	share   float64
	a, b    coord.Point
}

func (s *spot) point() coord.Point { return between(s.a, s.b, s.share) }

// nearest is the point of an edge that is nearest to p; of equally near ones the first.
func (s *Snapper) nearest(edge uint32, p coord.Point, scale *ruler) (best spot, ok bool) {
	line := slice(s.t.Shape, s.t.ShapeEnds, edge)
	if len(line) < 2 {
		return best, false
	}
	best.d2 = math.Inf(1)
	bx, by := float64(int64(line[0].Lng)-int64(p.Lng))*scale.x, float64(int64(line[0].Lat)-int64(p.Lat))*scale.y
	for i := 1; i < len(line); i++ {
		ax, ay := bx, by
		bx, by = float64(int64(line[i].Lng)-int64(p.Lng))*scale.x, float64(int64(line[i].Lat)-int64(p.Lat))*scale.y
		dx, dy := bx-ax, by-ay
		x, y, share := ax, ay, 0.0
		if along, length2 := -ax*dx-ay*dy, dx*dx+dy*dy; along >= length2 && along > 0 {
			x, y, share = bx, by, 1
		} else if along > 0 {
			share = along / length2
			x, y = ax+share*dx, ay+share*dy
		}
		if d2 := x*x + y*y; d2 < best.d2 {
			best.d2, best.segment, best.share = d2, i, share
		}
	}
	best.edge, best.a, best.b = edge, line[best.segment-1], line[best.segment]
	return best, true
}

// place measures along the edge to a spot.
func (s *Snapper) place(at spot, scale *ruler) Place {
	line, length := slice(s.t.Shape, s.t.ShapeEnds, at.edge), Distance(s.t.Length[at.edge])
	before := scale.length(line[:at.segment]) + at.share*scale.plain(at.a, at.b)
	whole := scale.length(line)
	along := Distance(0)
	if whole > 0 {
		along = min(length, Distance(math.Round(before/whole*float64(length))))
	}
	return Place{Edge: at.edge, Along: along, Leg: Metres(math.Sqrt(at.d2))}
}

// plain is the length in metres of the straight way from a to b in the plane for which the ruler is set.
func (r *ruler) plain(a, b coord.Point) float64 {
	return math.Hypot(float64(int64(b.Lng)-int64(a.Lng))*r.x, float64(int64(b.Lat)-int64(a.Lat))*r.y)
}

// length is that of a line.
func (r *ruler) length(line []coord.Point) (metres float64) {
	for i := 1; i < len(line); i++ {
		metres += r.plain(line[i-1], line[i])
	}
	return metres
}
