package raster

import (
	"math/bits"

	"quartier/internal/coord"

	"github.com/paulmach/orb"
)

// Classes holds a class for every cell: a number from 1, or 0 if nothing is known. It takes 4 KB a tile.
type Classes struct {
	*grid
	cells []uint8
}

// NewClasses returns cells of cellM metres within radius metres of the nodes.
func NewClasses(nodes []coord.Point, cellM, radius float64) *Classes {
	f := newGrid(nodes, cellM, radius)
	return &Classes{f, make([]uint8, f.tiles*side*side)}
}

// Fill sets the cells inside an area to a class unless they have a higher one, so that the result does not depend on
// the order.
func (c *Classes) Fill(area orb.MultiPolygon, class uint8) {
	c.area(area, func(tile, row, lo, hi int) {
		cells := c.cells[(tile*side+row)*side:]
		for i := lo; i < hi; i++ {
			cells[i] = max(cells[i], class)
		}
	})
}

// Sample sets the cells whose centres are in a box and that have no class yet to the class at their centre.
func (c *Classes) Sample(box orb.Bound, class func(orb.Point) uint8) {
	for row := c.row(box.Min[1]); row <= c.row(box.Max[1]); row++ {
		b, lat := c.bandOf(row), (float64(row)+.5)*c.dLat
		if b == nil || lat < box.Min[1] || lat > box.Max[1] {
			continue
		}
		b.visitRow(b.tileFrom(box.Min[0]), row-side*floorDiv(row, side), box.Min[0], box.Max[0], func(tile, inBand, lo, hi int) {
			cells, west := c.cells[(tile*side+inBand)*side:][:side], b.columns[tile-b.first]*side
			for i := lo; i < hi; i++ {
				if cells[i] == 0 {
					cells[i] = class(orb.Point{(float64(west+i) + .5) * b.dLng, lat})
				}
			}
		})
	}
}

// At is the class of the cell that contains p.
func (c *Classes) At(p orb.Point) uint8 {
	tile, row, column, ok := c.cellOf(p)
	if !ok {
		return 0
	}
	return c.cells[(tile*side+row)*side+column]
}

// Bits counts cells by layer. It takes 512 bytes a tile and layer.
type Bits struct {
	*grid
	layers int
	rows   []uint64 // by tile, row and layer; a bit for each column
}

// Layers returns Bits in which layer i is the cells of the classes in sets[i].
func (c *Classes) Layers(sets ...[]uint8) *Bits {
	b := &Bits{c.grid, len(sets), make([]uint64, c.tiles*side*len(sets))}
	var in [256]uint64 // bit l of in[class]: the class is in layer l
	for l, set := range sets {
		for _, class := range set {
			in[class] |= 1 << l
		}
	}
	for i, class := range c.cells {
		for layers := in[class]; layers != 0; layers &= layers - 1 {
			b.rows[i/side*b.layers+bits.TrailingZeros64(layers)] |= 1 << (i % side)
		}
	}
	return b
}

// Disc adds the cells within radius metres of p to counts, which has one number for each layer, and returns the
// number of all cells there.
func (b *Bits) Disc(p orb.Point, radius float64, counts []int) (cells int) {
	return b.disc(p, radius, func(tile, row, lo, hi int) { b.add(tile, row, lo, hi, counts) })
}

// Area adds the cells inside an area to counts and returns the number of all cells there.
func (b *Bits) Area(area orb.MultiPolygon, counts []int) (cells int) {
	b.area(area, func(tile, row, lo, hi int) {
		cells += hi - lo
		b.add(tile, row, lo, hi, counts)
	})
	return cells
}

func (b *Bits) add(tile, row, lo, hi int, counts []int) {
	mask := ^uint64(0) << lo & (^uint64(0) >> (side - hi))
	layers := b.rows[(tile*side+row)*b.layers:][:b.layers]
	for l, columns := range layers {
		counts[l] += bits.OnesCount64(columns & mask)
	}
}
