// Package geogrid reads GeoTIFF rasters as grids of longitude and latitude. Input: a file in any reference system. Output:
// windows of its values; a grid that is projected or rotated is sampled at the points of one of the same cell size.
package geogrid

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/tiff"
)

// Grid is an open file of values.
type Grid struct {
	West, North      float64 // centre of the north-western cell
	StepLng, StepLat float64 // degrees between neighbouring cells, both > 0
	Columns, Rows    int

	CRS         string // of the file
	Reprojected bool   // CRS is not longitude and latitude, or the file is rotated
	NAD27       bool   // the file is on NAD27, which is up to a hundred metres off
	Feet        bool   // the vertical unit of the file is a foot

	// Window reads columns × rows values into a slice of that length, as stored after nodata, scale and offset, row by
	// row from the north-west; unknown ones are NaN.
	Window func(column, row, columns, rows int, into []float32) error
	Close  func() error
}

// Open opens a GeoTIFF. Errors name the file.
func Open(path string, o tiff.Options, sample Sampling) (*Grid, error) {
	r, err := tiff.Open(path, o)
	if err != nil {
		return nil, err
	}
	if !r.Degrees || !r.Cells.NorthUp() {
		g, err := reproject(r, path, sample)
		if err != nil {
			r.Close()
			return nil, err
		}
		g.Feet = r.Feet
		return g, nil
	}
	c := r.Cells
	return &Grid{
		West: c[0], North: c[3], StepLng: c[1], StepLat: -c[5], Columns: r.Columns, Rows: r.Rows,
		CRS: r.CRS, NAD27: r.EPSG == tiff.NAD27, Feet: r.Feet, Window: r.Window, Close: r.Close,
	}, nil
}

// MaxSide is the number of cells along a side of a Tile, at most.
const MaxSide = 512

// Tile is a rectangle of cells of a grid.
type Tile struct {
	Column, Row   int // of its north-western cell
	Columns, Rows int
	West, North   float64 // centre of that cell
	Number        [2]int  // of the tile in its row and of the row, 1 first
}

// Tiles divides the grid into tiles of nearly the same size, row by row from the north-west.
func (g *Grid) Tiles(visit func(Tile) error) error {
	for row, r := range divide(g.Rows) {
		for column, c := range divide(g.Columns) {
			err := visit(Tile{
				Column: c[0], Row: r[0], Columns: c[1] - c[0], Rows: r[1] - r[0],
				West: g.West + float64(c[0])*g.StepLng, North: g.North - float64(r[0])*g.StepLat, Number: [2]int{column + 1, row + 1},
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Bound is the box of a tile's cells, to their outer edges.
func (g *Grid) Bound(t Tile) orb.Bound {
	west, north := t.West-g.StepLng/2, t.North+g.StepLat/2
	return orb.Bound{Min: orb.Point{west, north - float64(t.Rows)*g.StepLat}, Max: orb.Point{west + float64(t.Columns)*g.StepLng, north}}
}

// divide divides a length into equal intervals of at most MaxSide: 1100 into [0, 366), [366, 733) and [733, 1100).
func divide(length int) [][2]int {
	n := (length + MaxSide - 1) / MaxSide
	list := make([][2]int, n)
	for i := range list {
		list[i] = [2]int{i * length / n, (i + 1) * length / n}
	}
	return list
}

// Sampling is the value at x, y, in columns and rows, of the cells of a raster, of which unknown ones are NaN.
type Sampling func(cells []float32, columns, rows int, x, y float64) float32

// Nearest is the value of the cell that contains x, y.
func Nearest(cells []float32, columns, rows int, x, y float64) float32 {
	x, y = min(max(x, 0), float64(columns-1)), min(max(y, 0), float64(rows-1))
	return cells[int(y+0.5)*columns+int(x+0.5)]
}

// Bilinear is the mean of the four cells around x, y, weighted by nearness. Unknown cells are left out; it is NaN where
// the nearest one is unknown.
//
//	cells 10 20 at columns 0 and 1: 12.5 at x = 0.25
func Bilinear(cells []float32, columns, rows int, x, y float64) float32 {
	x, y = min(max(x, 0), float64(columns-1)), min(max(y, 0), float64(rows-1))
	if nearest := cells[int(y+0.5)*columns+int(x+0.5)]; nearest != nearest {
		return nearest
	}
	x0, y0 := int(x), int(y)
	var sum, weights float64
	for _, corner := range [...][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		c, r := min(x0+corner[0], columns-1), min(y0+corner[1], rows-1)
		weight := (1 - math.Abs(x-float64(x0+corner[0]))) * (1 - math.Abs(y-float64(y0+corner[1])))
		if value := cells[r*columns+c]; value == value && weight > 0 {
			sum, weights = sum+weight*float64(value), weights+weight
		}
	}
	return float32(sum / weights)
}
