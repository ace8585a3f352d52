// Package strips finds points of a pack by place: in a circle, a polygon or around a geography, and the nearest of them.
// Points are in cells of about 4 by 7 km, so that what is near on the ground is near in the file; those of a cell in 16 strips
// of latitude, and those of a strip by longitude. A shape takes a few runs of each strip that it touches: of strips at its edge
// binary searches find them; points of runs that are entirely inside need no look at their coordinates. The sections of n points
// in c cells and b bands, which are cells side by side around the earth, after the prefix of a table such as "poi.":
//
//	point   Point × n       positions, in the order of Compare
//	band    uint32 × b+1    first cell of each band from pole to pole, and c
//	column  uint16 × c      columns of the cells that have points, ascending in each band
//	strip   uint32 × 16c+1  first point of each strip of each cell, and n
//
// An example: points A, B and C in the third strip of a cell, from west to east. strip is 0 up to the third strip and 3 from the
// fourth; a circle around B whose inner part reaches from A to B has the sure run [0,2), and the run [2,3), where C's distance
// decides. The two nearest are those with the smallest keys, which are the distance in decimetres above the rank among names.
package strips

import (
	"cmp"
	"math"
	"sort"

	"quartier/internal/coord"
	"quartier/internal/pack"
)

// Sizes in units: strips are about 440 m tall, cells 7.1 km, and 3.8 km wide at 45° of latitude.
const (
	stripHeight = 40_000
	cellStrips  = 16
	cellWidth   = 480_000
	numStrips   = int(halfTurn)/stripHeight + 1
	numBands    = numStrips/cellStrips + 1
	numColumns  = int(2*halfTurn)/cellWidth + 1
)

// Shape is the area of a search and the point from which distances are measured.
type Shape struct {
	Lng, Lat float64     // degrees: the point, the polygon's centre, the geography's centroid
	RadiusM  float64     // with no Area: metres around the point
	Area     *coord.Area // else the polygon or geography
	BufferM  float64     // metres around Area that are included
	Stop     func() bool // whether to end the search, see pack.Meter; nil: never
}

// Index is the points of a table; the zero value has none.
type Index struct {
	Points  []coord.Point `pack:"point points"`
	bands   []uint32      `pack:"band bands"`
	columns []uint16      `pack:"column cells"`
	strips  []uint32      `pack:"strip strips"`
}

// Load loads the index whose sections begin with prefix.
func Load(l *pack.Loader, prefix string) (x Index) {
	n, cells := len(pack.Load[coord.Point](l, prefix+"point", pack.Any)), len(pack.Load[uint16](l, prefix+"column", pack.Any))
	l.Fill(&x, prefix, map[string]int{"points": n, "bands": numBands + 1, "cells": cells, "strips": cellStrips*cells + 1})
	return x
}

// Put writes the sections of the index of n points, which at returns in the order of Compare.
func Put(w *pack.Writer, prefix string, n int, at func(i int) coord.Point) {
	points := pack.NewSection[coord.Point](w, prefix+"point")
	for i := range n {
		points.Append(at(i))
	}
	var x Index
	x.divide(n, at)
	pack.Put(w, prefix+"band", x.bands)
	pack.Put(w, prefix+"column", x.columns)
	pack.Put(w, prefix+"strip", x.strips)
}

// divide finds the cells and strips of n points in the order of Compare.
func (x *Index) divide(n int, at func(i int) coord.Point) {
	x.bands = make([]uint32, numBands+1)
	before := order(1<<64 - 1)
	for i := range n {
		o := orderOf(at(i))
		if i == 0 || o.cell() != before.cell() {
			x.columns = append(x.columns, o.column())
			x.bands[o.band()+1]++
		}
		for len(x.strips) <= cellStrips*(len(x.columns)-1)+o.strip() {
			x.strips = append(x.strips, uint32(i))
		}
		before = o
	}
	for len(x.strips) <= cellStrips*len(x.columns) {
		x.strips = append(x.strips, uint32(n))
	}
	for i := range numBands {
		x.bands[i+1] += x.bands[i]
	}
}

// Compare orders points as an index has them.
func Compare(a, b coord.Point) int {
	return cmp.Or(
		cmp.Compare(orderOf(a), orderOf(b)),
		cmp.Compare(a.Lng, b.Lng),
		cmp.Compare(a.Lat, b.Lat))
}

// order is the place of a strip of a cell in an index: its band, its column and its number in the cell.
type order uint64

func orderOf(p coord.Point) order {
	strip := stripOf(float64(p.Lat))
	return order(strip/cellStrips)<<32 | order(columnOf(float64(p.Lng)))<<16 | order(strip%cellStrips)
}

func (o order) band() int      { return int(o >> 32) }
func (o order) column() uint16 { return uint16(o >> 16) }
func (o order) strip() int     { return int(uint16(o)) }
func (o order) cell() order    { return o >> 16 }

// stripOf is the strip of a latitude in units, counted from the south pole.
func stripOf(lat float64) int {
	return min(max(int((lat+90*coord.Scale)/stripHeight), 0), numStrips-1)
}

// southOf is the southern edge of a strip in units.
func southOf(strip int) float64 { return float64(strip)*stripHeight - 90*coord.Scale }

// columnOf is the column of a longitude in units; the first or the last of one beyond the antimeridian.
func columnOf(lng float64) uint16 {
	return uint16(min(max((lng+halfTurn)/cellWidth, 0), float64(numColumns-1)))
}

// cells is the range of the cells of a band with columns from one longitude to another.
func (x *Index) cells(band int, west, east float64) (first, last int) {
	if band < 0 || band+1 >= len(x.bands) {
		return 0, 0
	}
	lo, hi := int(x.bands[band]), int(x.bands[band+1])
	if lo > hi || hi > len(x.columns) { // the file is damaged
		return 0, 0
	}
	columns, from, to := x.columns[lo:hi], columnOf(west), columnOf(east)
	return lo + sort.Search(len(columns), func(i int) bool { return columns[i] >= from }),
		lo + sort.Search(len(columns), func(i int) bool { return columns[i] > to })
}

// west is the western edge of a cell in units.
func (x *Index) west(cell int) float64 { return float64(x.columns[cell])*cellWidth - halfTurn }

// strip is the range of the points in some strips of a cell, from one to before another; empty if the file is damaged.
func (x *Index) strip(cell, from, to int) (first, last uint32) {
	first, last = x.strips[cellStrips*cell+from], x.strips[cellStrips*cell+to]
	if first > last || uint64(last) > uint64(len(x.Points)) {
		return 0, 0
	}
	return first, last
}

// longitudes is the first point from lo on, in a range of one strip, that is not west of a longitude; hi if all are.
func (x *Index) longitudes(lo, hi uint32, lng float64) uint32 {
	for lo < hi {
		mid := lo + (hi-lo)/2
		if float64(x.Points[mid].Lng) < lng {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// cut is longitudes for four longitudes at once. Which half goes on is computed instead of decided, and the four searches do not
// wait for each other: a processor guesses half of such decisions wrong, and waits for the points of each step.
func (x *Index) cut(lo, hi uint32, at [4]float64) [4]uint32 {
	points := x.Points[lo:hi]
	w0, w1, w2, w3 := ceilUnits(at[0]), ceilUnits(at[1]), ceilUnits(at[2]), ceilUnits(at[3])
	var a, b, c, d int // of points; all before them are west
	n := len(points)
	for n > 1 {
		half := n / 2
		a += half & isWest(points[a+half-1], w0)
		b += half & isWest(points[b+half-1], w1)
		c += half & isWest(points[c+half-1], w2)
		d += half & isWest(points[d+half-1], w3)
		n -= half
	}
	if n > 0 {
		a += 1 & isWest(points[a], w0)
		b += 1 & isWest(points[b], w1)
		c += 1 & isWest(points[c], w2)
		d += 1 & isWest(points[d], w3)
	}
	return [4]uint32{lo + uint32(a), lo + uint32(b), lo + uint32(c), lo + uint32(d)}
}

// isWest is −1, all bits, for a point west of a longitude, else 0.
func isWest(p coord.Point, lng int64) int { return int((int64(p.Lng) - lng) >> 63) }

// ceilUnits is the least longitude in units that is not west of lng, of those that points can have or one more.
func ceilUnits(lng float64) int64 {
	if lng >= math.MaxInt32 {
		return math.MaxInt32
	}
	if !(lng > math.MinInt32) {
		return math.MinInt32
	}
	return int64(math.Ceil(lng))
}
