package raster

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// Sums adds up amounts by layer. Amounts are whole, so that their order does not matter; of a row of 64 cells they may
// come to 4·10⁹. 16 KB a tile and layer.
type Sums struct {
	*frame
	layers   int
	rows     []uint32 // of tile, row and layer: sums of the columns before 0, 1, 2 … 64
	finished bool
}

// NewSums makes cells of cellM metres wherever discs of radius metres around the nodes may reach.
func NewSums(nodes []coord.Point, cellM, radius float64, layers int) *Sums {
	f := newFrame(nodes, cellM, radius)
	return &Sums{frame: f, layers: layers, rows: make([]uint32, f.tiles*side*layers*(side+1))}
}

// Add puts an amount where p is; nothing where no disc may reach.
func (s *Sums) Add(layer int, p orb.Point, amount uint32) {
	if tile, row, column, ok := s.cellOf(p); ok {
		s.rows[((tile*side+row)*s.layers+layer)*(side+1)+column+1] += amount
	}
}

// AddLine spreads amounts along a line, so many a metre.
func (s *Sums) AddLine(layer int, line orb.LineString, aMetre float64) {
	Along(line, s.cell/2, func(middle orb.Point, metres float64) {
		s.Add(layer, middle, uint32(math.Round(metres*aMetre)))
	})
}

// Along visits pieces of a line of at most so many metres: their middles and lengths.
func Along(line orb.LineString, mostM float64, visit func(middle orb.Point, metres float64)) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := geo.Distance(a, b)
		if length == 0 {
			continue
		}
		pieces := math.Ceil(length / mostM)
		for k := .5; k < pieces; k++ {
			share := k / pieces
			visit(orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}, length/pieces)
		}
	}
}

// Finish ends the adding; discs may be summed after it, by several goroutines.
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

// Disc adds to totals, one for each layer, the amounts in cells within radius metres of p.
func (s *Sums) Disc(p orb.Point, radius float64, totals []uint64) {
	s.disc(p, radius, func(tile, row, lo, hi int) {
		for l := range s.layers {
			sums := s.rows[((tile*side+row)*s.layers+l)*(side+1):]
			totals[l] += uint64(sums[hi] - sums[lo])
		}
	})
}
