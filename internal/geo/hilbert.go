package geo

import "github.com/paulmach/orb"

// Hilbert is the position of a point along a Hilbert curve through the world: points that are near in this order are near
// each other in space. It distinguishes points 0.2 µ° apart in longitude and 0.1 µ° in latitude. Points outside ±180 and
// ±90 have the position of the nearest point inside.
func Hilbert(p orb.Point) uint64 {
	const order = 31
	x := grid((p[0]+maxLongitude)/(2*maxLongitude), order)
	y := grid((p[1]+maxLatitude)/(2*maxLatitude), order)
	var key uint64
	for s := uint32(1) << (order - 1); s > 0; s >>= 1 {
		var rx, ry uint32
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		key += uint64(s) * uint64(s) * uint64((3*rx)^ry)
		x, y = x&(s-1), y&(s-1)
		if ry == 0 {
			if rx == 1 {
				x, y = s-1-x, s-1-y
			}
			x, y = y, x
		}
	}
	return key
}

// grid is the cell of a share of a side, 0 to 1, of 2^order cells.
func grid(share float64, order uint) uint32 {
	side := float64(uint64(1) << order)
	cell := share * side
	if !(cell > 0) {
		return 0
	}
	return uint32(min(cell, side-1))
}
