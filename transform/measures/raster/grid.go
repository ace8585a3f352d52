// Package raster holds spatial data as small square cells, so that discs can be summed for every node of a network:
// the class of each cell (Classes, Bits) and amounts (Sums). Only cells near nodes are stored, in tiles of 64 by 64
// cells. Rows follow the latitude. In each band of 64 rows the columns have the width that is exact at the band's
// centre, so that cells are square to half a percent everywhere.
package raster

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

const (
	side  = 64        // cells along a side of a tile
	mLatM = 111_132.0 // metres in a degree of latitude, within 0.5 % everywhere
)

// grid is the position of cells and tiles.
type grid struct {
	dLat  float64 // degrees of a row
	cell  float64 // metres
	south int     // number of the first band, counted northward from the equator
	bands []band
	tiles int
}

// band is a row of tiles.
type band struct {
	dLng    float64 // degrees of a column of cells
	first   int     // number of its first tile; the others follow
	columns []int   // of the tiles, counted eastward from Greenwich, ascending
}

// newGrid creates the tiles within radius metres of the nodes.
func newGrid(nodes []coord.Point, cellM, radius float64) *grid {
	f := &grid{dLat: cellM / mLatM, cell: cellM}
	found := map[int]map[int]bool{} // columns by band
	for _, n := range nodes {
		box := geo.CircleBound(n.Orb(), radius+2*cellM)
		for b := floorDiv(f.row(box.Min[1]), side); b <= floorDiv(f.row(box.Max[1]), side); b++ {
			if found[b] == nil {
				found[b] = map[int]bool{}
			}
			dLng := f.dLng(b)
			for t := floorDiv(column(box.Min[0], dLng), side); t <= floorDiv(column(box.Max[0], dLng), side); t++ {
				found[b][t] = true
			}
		}
	}
	numbers := slices.Sorted(maps.Keys(found))
	if len(numbers) == 0 {
		return f
	}
	f.south = numbers[0]
	f.bands = make([]band, numbers[len(numbers)-1]-f.south+1)
	for i := range f.bands {
		columns := slices.Sorted(maps.Keys(found[f.south+i]))
		f.bands[i] = band{f.dLng(f.south + i), f.tiles, columns}
		f.tiles += len(columns)
	}
	return f
}

// dLng is the width of a column in a band in degrees.
func (f *grid) dLng(band int) float64 {
	mLng, _ := geo.MetresPerDegree((float64(band) + .5) * side * f.dLat)
	return f.cell / mLng
}

// bandOf is the band of a row; nil if there is none.
func (f *grid) bandOf(row int) *band {
	if i := floorDiv(row, side) - f.south; i >= 0 && i < len(f.bands) {
		return &f.bands[i]
	}
	return nil
}

func (f *grid) row(lat float64) int { return int(math.Floor(lat / f.dLat)) }
func column(lng, dLng float64) int  { return int(math.Floor(lng / dLng)) }
func floorDiv(a, side int) int      { return (a - (a%side+side)%side) / side }

// cellOf is the tile of the cell that contains p, and its row and column there; false if there is no tile.
func (f *grid) cellOf(p orb.Point) (tile, r, c int, ok bool) {
	r = f.row(p[1])
	b := f.bandOf(r)
	if b == nil {
		return 0, 0, 0, false
	}
	c = column(p[0], b.dLng)
	i, ok := slices.BinarySearch(b.columns, floorDiv(c, side))
	return b.first + i, r - side*floorDiv(r, side), c - side*floorDiv(c, side), ok
}

// visitRow visits the cells of a row of a band whose centres are between west and east, tile by tile: columns in [lo,
// hi). Tiles before from are known to be too far west. It returns the number of cells, including those without tiles.
func (b *band) visitRow(from, row int, west, east float64, visit func(tile, row, lo, hi int)) (cells int) {
	first, last := int(math.Ceil(west/b.dLng-.5)), int(math.Floor(east/b.dLng-.5))
	if last < first {
		return 0
	}
	for i := from; i < len(b.columns); i++ {
		begin := b.columns[i] * side
		if begin > last {
			break
		}
		if begin+side > first {
			visit(b.first+i, row, max(first-begin, 0), min(last+1-begin, side))
		}
	}
	return last + 1 - first
}

// tileFrom is the index of the first tile that extends east of a longitude.
func (b *band) tileFrom(west float64) int {
	i, _ := slices.BinarySearch(b.columns, floorDiv(column(west, b.dLng), side))
	return i
}

// disc visits the cells whose centres are within radius metres of p, and returns their number.
func (f *grid) disc(p orb.Point, radius float64, visit func(tile, row, lo, hi int)) (cells int) {
	mLng, mLat := geo.MetresPerDegree(p[1])
	reach, begin := radius/mLat, 0
	var b *band
	for row := f.row(p[1] - reach); row <= f.row(p[1]+reach); row++ {
		inBand := row - side*floorDiv(row, side)
		if b == nil || inBand == 0 {
			if b = f.bandOf(row); b == nil {
				continue
			}
			begin = b.tileFrom(p[0] - radius/mLng)
		}
		dy := ((float64(row)+.5)*f.dLat - p[1]) * mLat
		if rest := radius*radius - dy*dy; rest >= 0 {
			half := math.Sqrt(rest) / mLng
			cells += b.visitRow(begin, inBand, p[0]-half, p[0]+half, visit)
		}
	}
	return cells
}

// area visits the cells whose centres are inside m, by the even-odd rule for the rings of each polygon.
func (f *grid) area(m orb.MultiPolygon, visit func(tile, row, lo, hi int)) {
	for _, polygon := range m {
		cuts := f.cuts(polygon)
		for i := 0; i+1 < len(cuts); i += 2 { // every row has an even number of cuts
			b, row := f.bandOf(cuts[i].row), cuts[i].row-side*floorDiv(cuts[i].row, side)
			b.visitRow(b.tileFrom(cuts[i].lng), row, cuts[i].lng, math.Nextafter(cuts[i+1].lng, -math.MaxFloat64), visit)
		}
	}
}

// cut is where an edge crosses the centre line of a row.
type cut struct {
	row int
	lng float64
}

func (f *grid) cuts(polygon orb.Polygon) []cut {
	var cuts []cut
	for _, ring := range polygon {
		for i := range ring {
			a, b := ring[i], ring[(i+1)%len(ring)]
			if a[1] > b[1] {
				a, b = b, a
			}
			// Rows whose centre line is in [a, b), so that a vertex on a centre line counts once.
			for row := int(math.Ceil(a[1]/f.dLat - .5)); ; row++ {
				lat := (float64(row) + .5) * f.dLat
				if lat >= b[1] {
					break
				}
				if lat >= a[1] && f.bandOf(row) != nil {
					cuts = append(cuts, cut{row, a[0] + (b[0]-a[0])*(lat-a[1])/(b[1]-a[1])})
				}
			}
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Or(a.row-b.row, cmp.Compare(a.lng, b.lng)) })
	return cuts
}
