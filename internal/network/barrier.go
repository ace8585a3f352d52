package network

import (
	"quartier/internal/coord"
	"quartier/internal/geo"
)

const chunkSegments = 8 // of a barrier in one piece

// chunks cuts barriers into short pieces and sorts them along a Hilbert curve.
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

// blocked reports whether the segment p–q crosses a barrier. A segment that begins or ends on a barrier does not cross
// it. A vertex of a barrier that is exactly on the segment counts as left of it, so that no segment passes where two
// barriers join.
func (s *Snapper) blocked(p, q coord.Point) bool {
	if p == q {
		return false
	}
	way := coord.BoxAround([]coord.Point{p, q})
	return !s.barriers.Search(way, func(piece uint32) bool {
		return !crosses(slice(s.t.Barrier, s.t.BarrierEnds, piece), p, q)
	})
}

// crosses reports whether the segment p–q crosses a line.
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

// turn is positive if c is left of a→b and 0 if it is on the line. It is exact below 214 degrees of difference.
func turn(a, b, c coord.Point) int64 {
	return (int64(b.Lng)-int64(a.Lng))*(int64(c.Lat)-int64(a.Lat)) - (int64(b.Lat)-int64(a.Lat))*(int64(c.Lng)-int64(a.Lng))
}
