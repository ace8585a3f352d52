package raster

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// Sums adds up amounts by layer. Amounts are integers, so that the order of additions does not matter; those of a row
// of 64 cells must not exceed 4·10⁹. It takes 16 KB a tile and layer.
type Sums struct {
	*grid
	layers   int
	rows     []uint32 // by tile, row and layer: sums of the columns before 0, 1, 2 … 64
	finished bool
}

// NewSums returns cells of cellM metres within radius metres of the nodes.
func NewSums(nodes []coord.Point, cellM, radius float64, layers int) *Sums {
	f := newGrid(nodes, cellM, radius)
	return &Sums{grid: f, layers: layers, rows: make([]uint32, f.tiles*side*layers*(side+1))}
}

// Add adds an amount at p; it does nothing if p is too far from all nodes.
func (s *Sums) Add(layer int, p orb.Point, amount uint32) {
	if tile, row, column, ok := s.cellOf(p); ok {
		s.rows[((tile*side+row)*s.layers+layer)*(side+1)+column+1] += amount
	}
}

// AddArea adds an amount to every cell inside an area.
func (s *Sums) AddArea(layer int, area orb.MultiPolygon, amount uint32) {
	s.area(area, func(tile, row, lo, hi int) {
		amounts := s.rows[((tile*side+row)*s.layers+layer)*(side+1):]
		for i := lo; i < hi; i++ {
			amounts[i+1] += amount
		}
	})
}

// AddLine distributes amounts along a line, perMetre for each metre.
func (s *Sums) AddLine(layer int, line orb.LineString, perMetre float64) {
	Along(line, s.cell/2, func(middle orb.Point, metres float64) {
		s.Add(layer, middle, uint32(math.Round(metres*perMetre)))
	})
}

// Along visits a line in pieces of at most maxM metres: their middles and lengths.
func Along(line orb.LineString, maxM float64, visit func(middle orb.Point, metres float64)) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := geo.Distance(a, b)
		if length == 0 {
			continue
		}
		pieces := math.Ceil(length / maxM)
		for k := .5; k < pieces; k++ {
			share := k / pieces
			visit(orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}, length/pieces)
		}
	}
}

// Finish must be called after the last Add and before the first Disc, which may be called concurrently.
func (s *Sums) Finish() {
	if s.finished {
		return
	}
	for i := 0; i < len(s.rows); i += side + 1 {
		row := s.rows[i : i+side+1]
		for c := 1; c <= side; c++ {
			row[c] += row[c-1]
		}
	}
	s.finished = true
}

// Disc adds the amounts in the cells within radius metres of p to totals, which has one number for each layer.
func (s *Sums) Disc(p orb.Point, radius float64, totals []uint64) {
	s.disc(p, radius, func(tile, row, lo, hi int) {
		for l := range s.layers {
			sums := s.rows[((tile*side+row)*s.layers+l)*(side+1):]
			totals[l] += uint64(sums[hi] - sums[lo])
		}
	})
}
