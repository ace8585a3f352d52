package network

import (
	"errors"
	"fmt"
	"math"

	"quartier/internal/coord"
)

// ErrDamaged is what SnapperFrom says of tables that are no Snapper's.
var ErrDamaged = errors.New("damaged network tables")

// Tables are a Snapper as flat slices, for a pack to keep and map: edges, their lines, barriers in short pieces, and the
// trees of boxes over both.
type Tables struct {
	A, B, Length []uint32      // of each edge; its nodes are not checked against any number of nodes
	ShapeEnds    []uint32      // as in Graph
	Shape        []coord.Point // as in Graph
	EdgeBoxes    []coord.Point // two corners a box
	Barrier      []coord.Point
	BarrierEnds  []uint32 // of each piece
	BarrierBoxes []coord.Point
}

// Tables are the slices of s. They are not copied.
func (s *Snapper) Tables() Tables { return s.t }

// SnapperFrom makes a Snapper of tables, which are not copied: its time does not depend on their size. What could be
// damaged inside them makes answers wrong or absent, nothing else.
func SnapperFrom(t Tables) (*Snapper, error) {
	edges := len(t.A)
	if len(t.B) != edges || len(t.Length) != edges || len(t.ShapeEnds) != edges {
		return nil, fmt.Errorf("%w: %d and %d ends, %d lengths and %d lines of edges", ErrDamaged, edges, len(t.B), len(t.Length), len(t.ShapeEnds))
	}
	if uint64(edges) > math.MaxUint32-fan || uint64(len(t.BarrierEnds)) > math.MaxUint32-fan {
		return nil, fmt.Errorf("%w: %d edges and %d pieces of barriers", ErrDamaged, edges, len(t.BarrierEnds))
	}
	s := &Snapper{t: t}
	if want := 2 * s.tree.layout(groups(edges)); len(t.EdgeBoxes) != want {
		return nil, fmt.Errorf("%w: %d corners of boxes for %d edges", ErrDamaged, len(t.EdgeBoxes), edges)
	}
	if want := 2 * s.walls.layout(len(t.BarrierEnds)); len(t.BarrierBoxes) != want {
		return nil, fmt.Errorf("%w: %d corners of boxes for %d pieces of barriers", ErrDamaged, len(t.BarrierBoxes), len(t.BarrierEnds))
	}
	s.tree.corners, s.walls.corners = t.EdgeBoxes, t.BarrierBoxes
	return s, nil
}

// groups is the number of boxes that hold the edges, fan in each.
func groups(edges int) int { return (edges + fan - 1) / fan }

// slice is the points of line i; none where the ends are damaged.
func slice(points []coord.Point, ends []uint32, i uint32) []coord.Point {
	begin, end := uint32(0), ends[i]
	if i > 0 {
		begin = ends[i-1]
	}
	if begin > end || uint64(end) > uint64(len(points)) {
		return nil
	}
	return points[begin:end]
}
