package network

import (
	"errors"
	"fmt"

	"quartier/internal/coord"
)

// ErrDamaged marks tables from which SnapperFrom cannot make a Snapper.
var ErrDamaged = errors.New("damaged network tables")

// Tables are a Snapper as flat slices, which a pack stores and maps: edges, their lines, barriers in short pieces, and
// the corners of the trees of boxes over both.
type Tables struct {
	A, B, Length []uint32      // of each edge; node numbers are not checked
	ShapeEnds    []uint32      // as in Graph
	Shape        []coord.Point // as in Graph
	EdgeBoxes    []coord.Point // two corners a box
	Barrier      []coord.Point
	BarrierEnds  []uint32 // of each piece
	BarrierBoxes []coord.Point
}

// Tables are the slices of s. They are not copied.
func (s *Snapper) Tables() Tables { return s.t }

// SnapperFrom makes a Snapper of tables in constant time; they are not copied. Damage inside of them makes answers wrong
// or absent, but never panics.
func SnapperFrom(t Tables) (*Snapper, error) {
	edges := len(t.A)
	if len(t.B) != edges || len(t.Length) != edges || len(t.ShapeEnds) != edges {
		return nil, fmt.Errorf("%w: %d and %d ends, %d lengths and %d lines of edges", ErrDamaged, edges, len(t.B), len(t.Length),
			len(t.ShapeEnds))
	}
	if uint64(edges) > coord.MaxTreeItems || uint64(len(t.BarrierEnds)) > coord.MaxTreeItems {
		return nil, fmt.Errorf("%w: %d edges and %d pieces of barriers", ErrDamaged, edges, len(t.BarrierEnds))
	}
	s := &Snapper{t: t}
	var ok bool
	if s.edges, ok = coord.TreeFrom(t.EdgeBoxes, groups(edges)); !ok {
		return nil, fmt.Errorf("%w: %d corners of boxes for %d edges", ErrDamaged, len(t.EdgeBoxes), edges)
	}
	if s.barriers, ok = coord.TreeFrom(t.BarrierBoxes, len(t.BarrierEnds)); !ok {
		return nil, fmt.Errorf("%w: %d corners of boxes for %d pieces of barriers", ErrDamaged, len(t.BarrierBoxes), len(t.BarrierEnds))
	}
	return s, nil
}

// groupSize is the number of edges in a box of the tree over edges.
const groupSize = 8

// groups is the number of boxes that contain the edges.
func groups(edges int) int { return (edges + groupSize - 1) / groupSize }

// slice is the points of line i; none if the ends are damaged.
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
