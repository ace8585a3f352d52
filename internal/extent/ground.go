// Package extent computes how much of what a search would look at lies beyond the extents of the sources, where nothing is
// known. Input: which ground is known. Output: shares of the weight of a disc.
package extent

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/parallel"
)

// Cells are of equal degrees everywhere, so that regions have the same ones: 230 m high, and 250 m wide in the latitude of
// Toronto. A tile has 64 by 64 of them.
const (
	side    = 64
	cellLat = 1.0 / 480
	cellLng = 1.0 / 320
)

// Ground is the ground of which nothing is known: the cells whose centres are beyond all extents, on land where a source
// could have something. It takes 512 bytes for each tile of 14 by 16 km near a node that has such a cell.
type Ground struct {
	west, south   int // of the first tile, in tiles
	columns, rows int
	tiles         []*tile // row by row from the south-west; nil: all is known, or too far from the nodes
}

// tile has a bit for each cell, by row from the south.
type tile [side]uint64

// cellOf is the cell that contains a point.
func cellOf(p orb.Point) (x, y int) {
	return int(math.Floor(p[0] / cellLng)), int(math.Floor(p[1] / cellLat))
}

// centre is the centre of a cell.
func centre(x, y int) orb.Point {
	return orb.Point{(float64(x) + .5) * cellLng, (float64(y) + .5) * cellLat}
}

// NewGround finds the unknown ground within reachM metres of the nodes. unknown is called concurrently, once for each cell.
func NewGround(ctx context.Context, nodes []coord.Point, reachM float64, unknown func(orb.Point) bool) (*Ground, error) {
	g := &Ground{}
	near := g.enclose(nodes, reachM)
	return g, parallel.Each(ctx, len(near), func(i int) {
		if near[i] {
			g.fill(i, unknown)
		}
	})
}

// enclose makes room for the tiles within reachM metres of the nodes, and says which of them are.
func (g *Ground) enclose(nodes []coord.Point, reachM float64) (near []bool) {
	tileOf := func(p orb.Point) (x, y int) {
		x, y = cellOf(p)
		return x >> 6, y >> 6
	}
	occupied := map[[2]int]bool{}
	for _, n := range nodes {
		x, y := tileOf(n.Orb())
		occupied[[2]int{x, y}] = true
	}
	if len(occupied) == 0 {
		return nil
	}
	east, north := math.MinInt, math.MinInt
	g.west, g.south = math.MaxInt, math.MaxInt
	reached := map[[2]int]bool{}
	for t := range occupied {
		corner := orb.Point{float64(t[0]*side) * cellLng, float64(t[1]*side) * cellLat}
		box := geo.CircleBound(corner, reachM).Union(geo.CircleBound(orb.Point{corner[0] + side*cellLng, corner[1] + side*cellLat}, reachM))
		x0, y0 := tileOf(box.Min)
		x1, y1 := tileOf(box.Max)
		for x := x0; x <= x1; x++ {
			for y := y0; y <= y1; y++ {
				reached[[2]int{x, y}] = true
			}
		}
		g.west, g.south, east, north = min(g.west, x0), min(g.south, y0), max(east, x1), max(north, y1)
	}
	g.columns, g.rows = east-g.west+1, north-g.south+1
	g.tiles = make([]*tile, g.columns*g.rows)
	near = make([]bool, len(g.tiles))
	for t := range reached {
		near[(t[1]-g.south)*g.columns+t[0]-g.west] = true
	}
	return near
}

// fill sets the cells of a tile.
func (g *Ground) fill(i int, unknown func(orb.Point) bool) {
	var t tile
	some := uint64(0)
	x0, y0 := (g.west+i%g.columns)*side, (g.south+i/g.columns)*side
	for y := range side {
		for x := range side {
			if unknown(centre(x0+x, y0+y)) {
				t[y] |= 1 << x
			}
		}
		some |= t[y]
	}
	if some != 0 {
		g.tiles[i] = &t
	}
}

// Unknown reports whether nothing is known of the cell that contains p.
func (g *Ground) Unknown(p orb.Point) bool {
	return g.unknown(cellOf(p))
}

func (g *Ground) unknown(x, y int) bool {
	column, row := x>>6-g.west, y>>6-g.south
	if column < 0 || column >= g.columns || row < 0 || row >= g.rows {
		return false
	}
	t := g.tiles[row*g.columns+column]
	return t != nil && t[y&(side-1)]>>(x&(side-1))&1 != 0
}

// Complete reports whether all ground within reach of the nodes is known.
func (g *Ground) Complete() bool {
	for _, t := range g.tiles {
		if t != nil {
			return false
		}
	}
	return true
}
