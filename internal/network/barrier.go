package network

import (
	"quartier/internal/coord"
	"quartier/internal/geo"
)

const chunkSegments = 8 // of a barrier in one box

// chunks cuts barriers into short pieces and orders them along a Hilbert curve.
func chunks(barriers [][]coord.Point) (points []coord.Point, ends []uint32) {
	var pieces [][]coord.Point
	var keys []uint64
	for _, line := range barriers {
		for first := 0; first+1 < len(line); first += chunkSegments {
			piece := line[first:min(first+chunkSegments+1, len(line))]
			pieces, keys = append(pieces, piece), append(keys, geo.Hilbert(piece[len(piece)/2].Orb()))
		}
	}
	order := make([]uint32, len(pieces))
	for i := range order {
		order[i] = uint32(i)
	}
	radixSort(order, func(i uint32) uint64 { return keys[i] })
	for _, i := range order {
		points = append(points, pieces[i]...)
		ends = append(ends, uint32(len(points)))
	}
	return points, ends
}

// blocked reports whether the straight way from p to q crosses a barrier. To begin or end on one is not to cross it. A
// vertex of a barrier that lies exactly on the way counts as lying beside it, on the left, so that no way slips through
// where two barriers join.
func (s *Snapper) blocked(p, q coord.Point) bool {
	if p == q {
		return false
	}
	way := coord.BoxAround([]coord.Point{p, q})
	return !s.barriers.Search(way, func(piece uint32) bool {
		return !crosses(slice(s.t.Barrier, s.t.BarrierEnds, piece), p, q)
	})
}

// crosses reports whether the way from p to q crosses a line.
func crosses(line []coord.Point, p, q coord.Point) bool {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		if (turn(p, q, a) < 0) == (turn(p, q, b) < 0) {
			continue
		}
		if s, t := turn(a, b, p), turn(a, b, q); s < 0 && t > 0 || s > 0 && t < 0 {
			return true
		}
	}
	return false
}

// turn is positive where c lies left of the way from a to b, 0 on it. It is exact for ways of fewer than 214 degrees.
func turn(a, b, c coord.Point) int64 {
	return (int64(b.Lng)-int64(a.Lng))*(int64(c.Lat)-int64(a.Lat)) - (int64(b.Lat)-int64(a.Lat))*(int64(c.Lng)-int64(a.Lng))
}
