package pmtiles

import "math/bits"

// firstOf is the number of the first tile of a zoom: how many tiles all lower zooms have.
func firstOf(z uint8) uint64 { return (1<<(2*uint(z)) - 1) / 3 }

// TileID returns the number of a tile. z is at most MaxZoom, x and y are below 1<<z; other tiles have no number, and ok is
// false.
//
// Example: the four tiles of zoom 1 are 1 (0,0), 2 (0,1), 3 (1,1) and 4 (1,0).
func TileID(z uint8, x, y uint32) (id uint64, ok bool) {
	if z > MaxZoom || uint64(x)>>z != 0 || uint64(y)>>z != 0 {
		return 0, false
	}
	var d uint64
	for level := int(z) - 1; level >= 0; level-- {
		rx, ry := x>>level&1, y>>level&1
		d = d<<2 | uint64(3*rx^ry)
		x, y = rotate(x, y, rx, ry)
	}
	return firstOf(z) + d, true
}

// Below returns the numbers of the tiles of a zoom that are within a tile: n numbers from first on. A tile without a number or
// of a higher zoom has none, and n is 0.
func Below(z uint8, x, y uint32, zoom uint8) (first, n uint64) {
	id, ok := TileID(z, x, y)
	if !ok || zoom < z || zoom > MaxZoom {
		return 0, 0
	}
	levels := 2 * uint(zoom-z)
	return firstOf(zoom) + (id-firstOf(z))<<levels, 1 << levels
}

// Tile returns the tile of a number. Those after the last tile of MaxZoom are none, and ok is false.
func Tile(id uint64) (z uint8, x, y uint32, ok bool) {
	if id >= firstOf(MaxZoom+1) {
		return 0, 0, 0, false
	}
	z = uint8((bits.Len64(3*id+1) - 1) / 2)
	d := id - firstOf(z)
	for level := uint8(0); level < z; level++ {
		pair := uint32(d>>(2*level)) & 3
		rx := pair >> 1
		ry := (pair ^ rx) & 1
		mask := uint32(1)<<level - 1
		x, y = rotate(x, y, rx, ry)
		x, y = x&mask|rx<<level, y&mask|ry<<level
	}
	return z, x, y, true
}

// rotate turns a quadrant as the curve runs through it. Bits above those of the quadrant mean nothing afterwards.
func rotate(x, y, rx, ry uint32) (uint32, uint32) {
	if ry != 0 {
		return x, y
	}
	if rx == 1 {
		x, y = ^x, ^y
	}
	return y, x
}
