package geographies

import (
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack"
)

// A locator finds which of many areas contain a point. It is a tree over the square of all coordinates, each node split
// four by four, down to cells with few edges. A cell lists the areas that cover it completely and, for each area with an
// edge in it, a part: a few edges that give the same result by the even-odd rule for the points of the cell as all edges
// of the area. A look-up costs a descent of the tree and a few edges, whatever the size of the outlines.
type locator struct {
	nodes []uint32 // 16 children a node: the number of a node, or with the top bit the position of a cell
	cells []int32  // see the package comment
}

const (
	cellBit     = 1 << 31
	childShift  = 2 // bits of each axis per level of the tree
	childMask   = 1<<childShift - 1
	perNode     = 1 << (2 * childShift)
	edgeNumbers = 4 // numbers of an edge: lng, lat of both ends
)

func openLocator(l *pack.Loader, name string) locator {
	return locator{pack.Load[uint32](l, name+".node", pack.Any), pack.Load[int32](l, name+".cell", pack.Any)}
}

// at appends the areas that contain p to dst, in ascending order. Damaged data are skipped.
func (l *locator) at(dst []int32, p coord.Point) []int32 {
	cell, ok := l.cell(p)
	if !ok || len(cell) < 2 {
		return dst
	}
	covers, parts := int64(cell[0]), cell[1]
	cell = cell[2:]
	if covers < 0 || covers > int64(len(cell)) {
		return dst
	}
	first := len(dst)
	dst = append(dst, cell[:covers]...)
	cell = cell[covers:]
	for ; parts > 0 && len(cell) >= 2; parts-- {
		area, numbers := cell[0], int64(cell[1])*edgeNumbers
		cell = cell[2:]
		if numbers < 0 || numbers > int64(len(cell)) {
			break
		}
		if oddCrossings(cell[:numbers], p) {
			dst = append(dst, area)
		}
		cell = cell[numbers:]
	}
	slices.Sort(dst[first:])
	return dst
}

// cell is the cells from the one that contains p on.
func (l *locator) cell(p coord.Point) ([]int32, bool) {
	x, y := square(p)
	node := uint64(0)
	for shift := 32 - childShift; shift >= 0; shift -= childShift {
		child := node*perNode + uint64(y>>shift&childMask<<childShift|x>>shift&childMask)
		if child >= uint64(len(l.nodes)) {
			return nil, false
		}
		next := l.nodes[child]
		if next&cellBit != 0 {
			at := uint64(next &^ cellBit)
			if at > uint64(len(l.cells)) {
				return nil, false
			}
			return l.cells[at:], true
		}
		node = uint64(next)
	}
	return nil, false
}

// square maps coordinates, which may be negative, to the square of the tree.
func square(p coord.Point) (x, y uint32) {
	return uint32(p.Lng) ^ 1<<31, uint32(p.Lat) ^ 1<<31
}

func oddCrossings(edges []int32, p coord.Point) bool {
	odd := false
	for len(edges) >= edgeNumbers {
		a, b := coord.Point{Lng: edges[0], Lat: edges[1]}, coord.Point{Lng: edges[2], Lat: edges[3]}
		if coord.Crosses(a, b, p) {
			odd = !odd
		}
		edges = edges[edgeNumbers:]
	}
	return odd
}
