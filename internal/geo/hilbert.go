package geo

import "github.com/paulmach/orb"

// Hilbert is the position of a point along a Hilbert curve through the world: points that are near in this order are near
// each other in space. It distinguishes points 0.2 µ° apart in longitude and 0.1 µ° in latitude. Points outside ±180 and
// ±90 have the position of the nearest point inside.
func Hilbert(p orb.Point) uint64 {
	const order = 31
	x := grid((p[0]+maxLongitude)/(2*maxLongitude), order)
	y := grid((p[1]+maxLatitude)/(2*maxLatitude), order)
	key, turn := uint64(0), uint32(swapped) // what the bit before the 31, which is 0 in both, turns back
	for shift := 32 - turnBits; shift >= 0; shift -= turnBits {
		next := &turns[turn][x>>shift&turnMask<<turnBits|y>>shift&turnMask]
		key, turn = key<<(2*turnBits)|uint64(next.key), uint32(next.turn)
	}
	return key
}

// How a part of the curve is turned: its x and y are exchanged, and counted from the other end.
const (
	swapped  = 1
	reversed = 2
)

// turns are steps along the curve by how it is turned, and by turnBits bits of x before as many of y: the bits of the position,
// and how the part is turned that these bits select.
var turns = func() (all [4][1 << (2 * turnBits)]struct{ key, turn uint8 }) {
	for from := range all {
		for at := range all[from] {
			key, turn := uint8(0), uint8(from)
			for bit := turnBits - 1; bit >= 0; bit-- {
				x, y := uint8(at>>(turnBits+bit)&1), uint8(at>>bit&1)
				if turn&swapped != 0 {
					x, y = y, x
				}
				if turn&reversed != 0 {
					x, y = 1-x, 1-y
				}
				key = key<<2 | (3 * x) ^ y
				if y == 0 {
					turn ^= swapped | reversed*x
				}
			}
			all[from][at] = struct{ key, turn uint8 }{key, turn}
		}
	}
	return all
}()

const (
	turnBits = 4
	turnMask = 1<<turnBits - 1
)

// grid is the cell of a share of a side, 0 to 1, of 2^order cells.
func grid(share float64, order uint) uint32 {
	side := float64(uint64(1) << order)
	cell := share * side
	if !(cell > 0) {
		return 0
	}
	return uint32(min(cell, side-1))
}
