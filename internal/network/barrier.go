package network

import (
	"github.com/paulmach/orb"

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
			lng, lat := piece[len(piece)/2].Degrees()
			pieces, keys = append(pieces, piece), append(keys, geo.Hilbert(orb.Point{lng, lat}))
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
	if s.walls.levels == 0 || p == q {
		return false
	}
	sw, ne := cover(p, p, q, q)
	var stack [maxLevels*(fan-1) + 1]struct {
		box   uint32
		level int32
	}
	top := s.walls.levels - 1
	stack[0].box, stack[0].level = s.walls.starts[top], int32(top)
	for count := 1; count > 0; {
		count--
		at := stack[count]
		if !meets(s.walls.corners[2*at.box], s.walls.corners[2*at.box+1], sw, ne) {
			continue
		}
		if at.level == 0 {
			if crosses(slice(s.t.Barrier, s.t.BarrierEnds, at.box), p, q) {
				return true
			}
			continue
		}
		first := s.walls.starts[at.level-1] + (at.box-s.walls.starts[at.level])*fan
		for i := first; i < min(first+fan, s.walls.starts[at.level]); i++ {
			stack[count].box, stack[count].level = i, at.level-1
			count++
		}
	}
	return false
}

// meets reports whether two boxes have a point in common.
func meets(sw, ne, sw2, ne2 coord.Point) bool {
	return sw.Lng <= ne2.Lng && sw2.Lng <= ne.Lng && sw.Lat <= ne2.Lat && sw2.Lat <= ne.Lat
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
