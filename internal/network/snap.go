package network

import (
	"math"

	"quartier/internal/coord"
)

// Snapper snaps points to the network: it finds the nearest point of an edge that a straight access leg reaches without
// crossing a barrier. It consists of flat slices, which a pack stores and maps, and is safe for concurrent use.
//
// An example: entrance x is 30 m north of street 0 and 40 m south of street 1. Snap tries street 0 first, finds that the
// river crosses the leg, and snaps x to street 1 with a leg of 40 m; within a limit of 35 m it finds nothing.
//
//	street 1  ────────o────────
//	                  │ 40 m
//	                  x
//	river     ≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈
//	street 0  ─────────────────
type Snapper struct {
	t        Tables
	edges    coord.Tree // over groups of edges
	barriers coord.Tree // over pieces of barriers
}

// NewSnapper indexes the edges of g. Barriers are lines that an access leg may not cross. The lines of g are not copied.
func NewSnapper(g *Graph, barriers [][]coord.Point) *Snapper {
	s := &Snapper{}
	t := &s.t
	t.A, t.B, t.Length = make([]uint32, len(g.Edges)), make([]uint32, len(g.Edges)), make([]uint32, len(g.Edges))
	for i, e := range g.Edges {
		t.A[i], t.B[i], t.Length[i] = e.A, e.B, uint32(e.Length)
	}
	t.ShapeEnds, t.Shape = g.ShapeEnds, g.Shape
	s.edges.Build(groups(len(g.Edges)), func(group int) coord.Box {
		box := coord.EmptyBox
		for i := group * groupSize; i < min((group+1)*groupSize, len(g.Edges)); i++ {
			box = box.Union(coord.BoxAround(g.Line(uint32(i))))
		}
		return box
	})
	t.Barrier, t.BarrierEnds = chunks(barriers)
	s.barriers.Build(len(t.BarrierEnds), func(piece int) coord.Box {
		return coord.BoxAround(slice(t.Barrier, t.BarrierEnds, uint32(piece)))
	})
	t.EdgeBoxes, t.BarrierBoxes = s.edges.Corners(), s.barriers.Corners()
	return s
}

// WithoutBarriers finds places on the same edges across all barriers.
func (s *Snapper) WithoutBarriers() *Snapper {
	open := &Snapper{t: s.t, edges: s.edges}
	open.t.Barrier, open.t.BarrierEnds, open.t.BarrierBoxes = nil, nil, nil
	return open
}

// Edges is the number of edges.
func (s *Snapper) Edges() int { return len(s.t.A) }

// Edge is the nodes and the length of an edge. Its Line is not set.
func (s *Snapper) Edge(edge uint32) Edge {
	return Edge{A: s.t.A[edge], B: s.t.B[edge], Length: Distance(s.t.Length[edge])}
}

// Snap finds the place of p on the network; false if no edge is within limit metres and on this side of the barriers. Of
// each edge the nearest point counts, of edges at the same distance the first. It allocates nothing.
func (s *Snapper) Snap(p coord.Point, limit float64) (Place, bool) {
	return s.SnapFirst(p, limit, math.MaxUint32)
}

// SnapFirst is Snap among the edges below a number.
func (s *Snapper) SnapFirst(p coord.Point, limit float64, edges uint32) (Place, bool) {
	edges = min(edges, uint32(len(s.t.ShapeEnds)))
	if !(limit >= 0) {
		return Place{}, false
	}
	var groups coord.Nearest
	plane := planeAround(p)
	groups.Start(&s.edges, plane, limit*limit)
	best, found := spot{}, false
	for group, ok := groups.Next(); ok; group, ok = groups.Next() {
		first := group * groupSize
		for edge := first; edge < min(first+groupSize, edges); edge++ {
			at, ok := s.nearest(edge, plane)
			if !ok || at.d2 > groups.Limit || found && at.d2 == best.d2 && edge > best.edge || s.blocked(p, at.point()) {
				continue
			}
			best, found, groups.Limit = at, true, at.d2
		}
	}
	if !found {
		return Place{}, false
	}
	return s.place(best, plane), true
}

// Within calls visit with the nearest place on every edge within radius metres of p that no barrier separates from it, in
// the order of the edges.
func (s *Snapper) Within(p coord.Point, radius float64, visit func(Place)) {
	if !(radius >= 0) {
		return
	}
	plane, limit := planeAround(p), radius*radius
	near := func(b coord.Box) bool { return plane.SquareToBox(b) <= limit }
	s.edges.Walk(near, func(group uint32) bool {
		for edge := group * groupSize; edge < min((group+1)*groupSize, uint32(len(s.t.ShapeEnds))); edge++ {
			at, ok := s.nearest(edge, plane)
			if ok && at.d2 <= limit && !s.blocked(p, at.point()) {
				visit(s.place(at, plane))
			}
		}
		return true
	})
}

// Point is the position of a place on its edge.
func (s *Snapper) Point(p Place) coord.Point {
	line := slice(s.t.Shape, s.t.ShapeEnds, p.Edge)
	if len(line) == 0 {
		return coord.Point{}
	}
	plane := planeAround(line[0])
	rest := length(plane, line) * float64(p.Along) / float64(max(1, s.t.Length[p.Edge]))
	for i := 1; i < len(line); i++ {
		segment := length(plane, line[i-1:i+1])
		if rest <= segment && segment > 0 {
			return between(line[i-1], line[i], rest/segment)
		}
		rest -= segment
	}
	return line[len(line)-1]
}

// spot is a point of a segment of an edge.
type spot struct {
	d2      float64 // squared metres from the point that is snapped
	edge    uint32
	segment int // its last vertex in the line of the edge
	share   float64
	a, b    coord.Point
}

func (s *spot) point() coord.Point { return between(s.a, s.b, s.share) }

// nearest is the point of an edge that is nearest to the origin of a plane; of several the first.
func (s *Snapper) nearest(edge uint32, from coord.Plane) (best spot, ok bool) {
	line := slice(s.t.Shape, s.t.ShapeEnds, edge)
	if len(line) < 2 {
		return best, false
	}
	best.d2 = math.Inf(1)
	bx, by := from.XY(line[0])
	for i := 1; i < len(line); i++ {
		ax, ay := bx, by
		bx, by = from.XY(line[i])
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

// place measures the distance along the edge to a spot.
func (s *Snapper) place(at spot, plane coord.Plane) Place {
	line, edge := slice(s.t.Shape, s.t.ShapeEnds, at.edge), Distance(s.t.Length[at.edge])
	before := length(plane, line[:at.segment]) + at.share*length(plane, []coord.Point{at.a, at.b})
	along := Distance(0)
	if whole := length(plane, line); whole > 0 {
		along = min(edge, Distance(math.Round(before/whole*float64(edge))))
	}
	return Place{Edge: at.edge, Along: along, Leg: Metres(math.Sqrt(at.d2))}
}

// length is the length of a line in metres.
func length(plane coord.Plane, line []coord.Point) (metres float64) {
	for i := 1; i < len(line); i++ {
		metres += math.Hypot(plane.Delta(line[i-1], line[i]))
	}
	return metres
}
