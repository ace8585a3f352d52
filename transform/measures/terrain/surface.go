package terrain

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// side is the number of cells along a side of a tile.
const side = 64

// lattice is the position of cells: the centre of cell 0, 0 is at west, north; columns run east and rows south.
type lattice struct {
	west, north      float64
	stepLng, stepLat float64 // degrees, > 0
}

// at is the position of p in columns and rows.
func (l lattice) at(p orb.Point) (column, row float64) {
	return (p[0] - l.west) / l.stepLng, (l.north - p[1]) / l.stepLat
}

// centre is the centre of a cell.
func (l lattice) centre(column, row int) orb.Point {
	return orb.Point{l.west + float64(column)*l.stepLng, l.north - float64(row)*l.stepLat}
}

// same reports whether the cells of two lattices coincide.
func (l lattice) same(o lattice) bool {
	const slack = 1e-3 // of a cell
	column, row := l.at(orb.Point{o.west, o.north})
	return math.Abs(l.stepLng/o.stepLng-1) < 1e-6 && math.Abs(l.stepLat/o.stepLat-1) < 1e-6 &&
		math.Abs(column-math.Round(column)) < slack && math.Abs(row-math.Round(row)) < slack
}

// key is the position of a tile.
type key struct{ column, row int }

// surface is a grid of heights, kept in tiles where they are needed. It takes 16 KB a tile.
type surface struct {
	lattice
	tiles map[key][]float32 // m, row by row; NaN if unknown
}

func newSurface(l lattice) *surface { return &surface{l, map[key][]float32{}} }

// keys returns the tiles from north to south and west to east.
func (s *surface) keys() []key {
	return slices.SortedFunc(maps.Keys(s.tiles), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
}

func floorDiv(a, b int) int { return (a - (a%b+b)%b) / b }

// tileOf is the tile of a cell and the cell's index in it.
func tileOf(column, row int) (key, int) {
	k := key{floorDiv(column, side), floorDiv(row, side)}
	return k, (row-k.row*side)*side + column - k.column*side
}

// cell is the height of a cell.
func (s *surface) cell(column, row int) float32 {
	k, at := tileOf(column, row)
	if tile := s.tiles[k]; tile != nil {
		return tile[at]
	}
	return unknown
}

// tile returns a tile; it creates it with unknown heights if it does not exist.
func (s *surface) tile(k key) []float32 {
	tile := s.tiles[k]
	if tile == nil {
		tile = make([]float32, side*side)
		for i := range tile {
			tile[i] = unknown
		}
		s.tiles[k] = tile
	}
	return tile
}

// height is the bilinear height at p; NaN if one of the four cells around it that have a weight is unknown.
//
// For example, a quarter of a column east and half a row south of the centre of a cell, the weights of the cell and
// its neighbours to the east, south and south-east are .375, .125, .375 and .125.
func (s *surface) height(p orb.Point) float64 {
	x, y := s.at(p)
	column, row := math.Floor(x), math.Floor(y)
	fx, fy := x-column, y-row
	sum := 0.0
	for i, weight := range [4]float64{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy} {
		if weight < 1e-6 {
			continue
		}
		sum += weight * float64(s.cell(int(column)+i%2, int(row)+i/2))
	}
	return sum
}

// framed copies a tile with a rim of one cell from its neighbours.
func (s *surface) framed(k key, into []float32) {
	const wide = side + 2
	for row := range wide {
		for column := range wide {
			into[row*wide+column] = unknown
			if inside := row > 0 && row <= side && column > 0 && column <= side; !inside {
				into[row*wide+column] = s.cell(k.column*side+column-1, k.row*side+row-1)
			}
		}
	}
	for row := range side {
		copy(into[(row+1)*wide+1:], s.tiles[k][row*side:(row+1)*side])
	}
}

// smoothed is the surface with each known height replaced by the mean of the known heights among its three by three
// cells.
func (s *surface) smoothed() *surface {
	const wide = side + 2
	out := newSurface(s.lattice)
	around := make([]float32, wide*wide)
	for _, k := range s.keys() {
		s.framed(k, around)
		tile := make([]float32, side*side)
		for i := range tile {
			at := (i/side+1)*wide + i%side + 1
			tile[i] = unknown
			if around[at] != around[at] {
				continue
			}
			var sum, n float32
			for _, from := range [3]int{at - wide, at, at + wide} {
				for _, v := range around[from-1 : from+2] {
					if v == v {
						sum, n = sum+v, n+1
					}
				}
			}
			tile[i] = sum / n
		}
		out.tiles[k] = tile
	}
	return out
}
