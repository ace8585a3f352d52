// Package raster keeps what is spread over the ground as small square cells, so that discs can be summed for every node
// of a network: what each cell is (Classes, Bits) and amounts (Sums). Only the neighbourhood of nodes is kept, in tiles
// of 64 by 64 cells. Cells stand in rows of latitude; in each band of 64 rows the columns have the width that is right
// at its middle, so that cells are square to half a percent wherever a region lies.
package raster

import (
	"maps"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/pack"
)

const (
	side  = 64        // cells along a side of a tile
	mLatM = 111_132.0 // metres in a degree of latitude, within 0.5 % everywhere
)

// frame is where cells and tiles lie, and which tiles there are.
type frame struct {
	dLat  float64 // degrees of a row
	cell  float64 // metres
	bands map[int]*band
	tiles int
}

// band is a row of tiles, counted from the equator northward.
type band struct {
	dLng    float64     // degrees of a column of cells
	numbers map[int]int // of tiles by their column, counted from Greenwich eastward
	columns []int       // of the tiles, ascending
}

// newFrame makes tiles wherever a disc of radius metres around a node may reach.
func newFrame(nodes []pack.Point, cellM, radius float64) *frame {
	f := &frame{dLat: cellM / mLatM, cell: cellM, bands: map[int]*band{}}
	for _, n := range nodes {
		lng, lat := n.Degrees()
		box := geo.CircleBound(orb.Point{lng, lat}, radius+2*cellM)
		for b := floorDiv(f.row(box.Min[1]), side); b <= floorDiv(f.row(box.Max[1]), side); b++ {
			here := f.band(b)
			for t := floorDiv(here.column(box.Min[0]), side); t <= floorDiv(here.column(box.Max[0]), side); t++ {
				here.numbers[t] = 0
			}
		}
	}
	for _, b := range slices.Sorted(maps.Keys(f.bands)) {
		here := f.bands[b]
		here.columns = slices.Sorted(maps.Keys(here.numbers))
		for _, t := range here.columns {
			here.numbers[t] = f.tiles
			f.tiles++
		}
	}
	return f
}

func (f *frame) band(b int) *band {
	here := f.bands[b]
	if here == nil {
		mLng, _ := metres((float64(b) + .5) * side * f.dLat)
		here = &band{dLng: f.cell / mLng, numbers: map[int]int{}}
		f.bands[b] = here
	}
	return here
}

// metres in a degree of longitude and of latitude.
func metres(lat float64) (mLng, mLat float64) {
	return geo.NewPlane(orb.Point{0, lat}).XY(orb.Point{1, lat + 1})
}

func (f *frame) row(lat float64) int   { return int(math.Floor(lat / f.dLat)) }
func (b *band) column(lng float64) int { return int(math.Floor(lng / b.dLng)) }
func floorDiv(a, b int) int            { return (a - (a%b+b)%b) / b }

// cellOf is the tile, row and column in the tile that p lies in; false where there is no tile.
func (f *frame) cellOf(p orb.Point) (tile, row, column int, ok bool) {
	r := f.row(p[1])
	b := f.bands[floorDiv(r, side)]
	if b == nil {
		return 0, 0, 0, false
	}
	c := b.column(p[0])
	tile, ok = b.numbers[floorDiv(c, side)]
	return tile, r - side*floorDiv(r, side), c - side*floorDiv(c, side), ok
}

// stretch visits the cells of a row whose centres lie from west to east, tile by tile: columns lo to below hi. It
// returns how many cells there are, with and without tiles.
func (f *frame) stretch(row int, west, east float64, visit func(tile, row, lo, hi int)) (cells int) {
	b := f.bands[floorDiv(row, side)]
	if b == nil {
		return 0
	}
	first, last := int(math.Ceil(west/b.dLng-.5)), int(math.Floor(east/b.dLng-.5))
	if last < first {
		return 0
	}
	i, _ := slices.BinarySearch(b.columns, floorDiv(first, side))
	for ; i < len(b.columns) && b.columns[i]*side <= last; i++ {
		begin := b.columns[i] * side
		visit(b.numbers[b.columns[i]], row-side*floorDiv(row, side), max(first-begin, 0), min(last+1-begin, side))
	}
	return last + 1 - first
}

// disc visits the cells whose centres lie within radius metres of p, and returns how many there are.
func (f *frame) disc(p orb.Point, radius float64, visit func(tile, row, lo, hi int)) (cells int) {
	mLng, mLat := metres(p[1])
	reach := radius / mLat
	for row := f.row(p[1] - reach); row <= f.row(p[1]+reach); row++ {
		dy := ((float64(row)+.5)*f.dLat - p[1]) * mLat
		if rest := radius*radius - dy*dy; rest >= 0 {
			half := math.Sqrt(rest) / mLng
			cells += f.stretch(row, p[0]-half, p[0]+half, visit)
		}
	}
	return cells
}

// area visits the cells whose centres lie inside m, by the even-odd rule over the rings of each polygon.
func (f *frame) area(m orb.MultiPolygon, visit func(tile, row, lo, hi int)) {
	for _, polygon := range m {
		cuts := f.cuts(polygon)
		for i := 0; i+1 < len(cuts); i += 2 { // every row has an even number
			f.stretch(cuts[i].row, cuts[i].lng, math.Nextafter(cuts[i+1].lng, -math.MaxFloat64), visit)
		}
	}
}

// cut is where an edge crosses the middle of a row.
type cut struct {
	row int
	lng float64
}

func (f *frame) cuts(polygon orb.Polygon) []cut {
	var cuts []cut
	for _, ring := range polygon {
		for i := range ring {
			a, b := ring[i], ring[(i+1)%len(ring)]
			if a[1] > b[1] {
				a, b = b, a
			}
			// Rows whose middle lies from a to below b, so that a vertex on a middle counts once.
			for row := int(math.Ceil(a[1]/f.dLat - .5)); ; row++ {
				lat := (float64(row) + .5) * f.dLat
				if lat >= b[1] {
					break
				}
				if lat >= a[1] && f.bands[floorDiv(row, side)] != nil {
					cuts = append(cuts, cut{row, a[0] + (b[0]-a[0])*(lat-a[1])/(b[1]-a[1])})
				}
			}
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int {
		if a.row != b.row {
			return a.row - b.row
		}
		switch {
		case a.lng < b.lng:
			return -1
		case a.lng > b.lng:
			return 1
		}
		return 0
	})
	return cuts
}
