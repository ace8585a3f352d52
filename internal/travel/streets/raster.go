package streets

import (
	"math"
	"slices"

	"quartier/internal/coord"
)

// cells is a raster of what is reached: the band of each cell, the index of the first limit within which it is; outside if none.
type cells struct {
	west, south   int32 // units of the left and lower edge
	wide, high    int32 // units of a cell, even, so that the middle of its side is a unit too
	columns, rows int
	band          []uint8 // rows from the south
	spread        []uint8 // scratch of widen
}

const outside = math.MaxUint8 // no band

// mostCells bounds the memory and the time of outlines; beyond it cells become larger.
const mostCells = 4 << 20

// cover begins a raster over a box with cells of metres, larger ones if there would be too many, and a border of cells that
// is wider than the buffer.
func (c *cells) cover(box coord.Box, metres, bufferM float64) (cellM float64) {
	plane := coord.PlaneAt(coord.Point{}, (float64(box.Min.Lat)+float64(box.Max.Lat))/2/coord.Scale)
	perLng, perLat := plane.Delta(coord.Point{}, coord.Point{Lng: coord.Scale, Lat: coord.Scale})
	for cellM = metres; ; cellM *= 1.25 {
		c.wide, c.high = evenUnits(cellM*coord.Scale/perLng), evenUnits(cellM*coord.Scale/perLat)
		border := int64(math.Ceil(bufferM/cellM)) + 2
		left, low := floorTo(int64(box.Min.Lng), int64(c.wide), border), floorTo(int64(box.Min.Lat), int64(c.high), border)
		columns, rows := (int64(box.Max.Lng)-left)/int64(c.wide)+1+border, (int64(box.Max.Lat)-low)/int64(c.high)+1+border
		if columns*rows <= mostCells {
			c.west, c.south, c.columns, c.rows = int32(left), int32(low), int(columns), int(rows)
			break
		}
	}
	c.band = slices.Grow(c.band[:0], c.columns*c.rows)[:c.columns*c.rows]
	for i := range c.band {
		c.band[i] = outside
	}
	return cellM
}

func evenUnits(units float64) int32 { return 2 * max(1, int32(math.Round(units/2))) }

// floorTo is the multiple of step that is some steps before the greatest up to v, so that boxes at one latitude share a grid.
func floorTo(v, step, before int64) int64 {
	if v < 0 {
		v -= step - 1
	}
	return (v/step - before) * step
}

// mark lowers the band of the cell of a point.
func (c *cells) mark(x, y int32, band uint8) {
	at := int((y-c.south)/c.high)*c.columns + int((x-c.west)/c.wide)
	c.band[at] = min(c.band[at], band)
}

// widen gives every cell the lowest band within some cells of it, in a disc of that radius.
func (c *cells) widen(radius float64) {
	c.spread = append(c.spread[:0], c.band...)
	most := int(radius)
	for dy := -most; dy <= most; dy++ {
		reach := int(math.Sqrt(radius*radius - float64(dy*dy)))
		for y := most; y < c.rows-most; y++ {
			c.lower(c.spread[(y+dy)*c.columns:][:c.columns], c.band[y*c.columns:][:c.columns], reach)
		}
	}
	c.band, c.spread = c.spread, c.band
}

// lower lowers the cells of a row to the bands within reach along another.
func (c *cells) lower(to, from []uint8, reach int) {
	for x, band := range from {
		if band == outside {
			continue
		}
		for i := max(0, x-reach); i <= min(x+reach, len(to)-1); i++ {
			to[i] = min(to[i], band)
		}
	}
}
