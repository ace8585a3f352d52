package settlement

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// square is the smallest unit of a division, about calibration.Settlement.CellM wide: a square of a grid over the box of an
// area whose middle is in the area, or that has evidence.
type square struct {
	x, y   int32
	weight float64
}

// grid is columns and rows, both powers of two, over a box in degrees.
type grid struct {
	box           orb.Bound
	columns, rows int
}

// mostSquares is the greatest number of columns and rows, a limit of the implementation: in larger areas squares are larger.
const mostSquares = 128

func newGrid(box orb.Bound, cellM float64) grid {
	lngM, latM := geo.MetresPerDegree(box.Center()[1])
	of := func(metres float64) int {
		exponent := math.Round(math.Log2(metres / cellM))
		return int(math.Exp2(min(max(exponent, 0), math.Log2(mostSquares))))
	}
	return grid{box, of((box.Max[0] - box.Min[0]) * lngM), of((box.Max[1] - box.Min[1]) * latM)}
}

// at is the corner of column x and row y.
func (g grid) at(x, y int32) orb.Point {
	across := func(i, axis int, n int) float64 {
		if i == n {
			return g.box.Max[axis] // exactly
		}
		return g.box.Min[axis] + (g.box.Max[axis]-g.box.Min[axis])*float64(i)/float64(n)
	}
	return orb.Point{across(int(x), 0, g.columns), across(int(y), 1, g.rows)}
}

// squares are those of an area, row by row.
func (g grid) squares(area *geo.Prepared, points []point) (list []square) {
	weights := make([]float64, g.columns*g.rows)
	for _, p := range points {
		weights[g.number(p.at)] += p.weight
	}
	for i, weight := range weights {
		x, y := int32(i%g.columns), int32(i/g.columns)
		low, high := g.at(x, y), g.at(x+1, y+1)
		if weight > 0 || area.Contains(orb.Bound{Min: low, Max: high}.Center()) {
			list = append(list, square{x, y, weight})
		}
	}
	return list
}

func (g grid) number(p orb.Point) int {
	of := func(axis, n int) int {
		return min(int(float64(n)*(p[axis]-g.box.Min[axis])/(g.box.Max[axis]-g.box.Min[axis])), n-1)
	}
	return of(1, g.rows)*g.columns + of(0, g.columns)
}

// leaf is a box of a division: columns and rows from low to below high, and the squares in it, at least one.
type leaf struct {
	low, high [2]int32 // x, y
	squares   []square
	sum       float64
	uneven    float64 // weight that would lie elsewhere if it were spread evenly over the squares
}

func newLeaf(low, high [2]int32, squares []square) leaf {
	l := leaf{low: low, high: high, squares: squares}
	for _, s := range squares {
		l.sum += s.weight
	}
	mean := l.sum / float64(len(squares))
	for _, s := range squares {
		l.uneven += math.Abs(s.weight-mean) / 2
	}
	return l
}

// split halves a leaf across its longer side until both halves have squares; ground without any stays with the half that it
// is next to. A leaf of one square is not split.
func (l *leaf) split() (halves []leaf) {
	if len(l.squares) < 2 {
		return nil
	}
	low, high := l.low, l.high // of the squares
	for {
		axis := 0
		if high[1]-low[1] > high[0]-low[0] {
			axis = 1
		}
		middle := (low[axis] + high[axis]) / 2
		var sides [2][]square
		for _, s := range l.squares {
			side := 0
			if [2]int32{s.x, s.y}[axis] >= middle {
				side = 1
			}
			sides[side] = append(sides[side], s)
		}
		switch {
		case len(sides[0]) == 0:
			low[axis] = middle
		case len(sides[1]) == 0:
			high[axis] = middle
		default:
			upTo, from := l.high, l.low
			upTo[axis], from[axis] = middle, middle
			return []leaf{newLeaf(l.low, upTo, sides[0]), newLeaf(from, l.high, sides[1])}
		}
	}
}

// divide divides the box of an area into leaves, always the most uneven one, until there are enough of them or they are
// even enough. Leaves without evidence become the rest. A small share of the people is spread evenly over all ground,
// because some live where nothing shows it. An area of one part is not divided: nil.
//
// An area of 4 by 4 squares with a hamlet in a corner square is halved four times, to 8, 4, 2, 1 and 1 squares. With 5 % of
// the people spread evenly, the cell of the hamlet has 95 + 5/16 % of them, and the rest is one part.
func (e *Evidence) divide(area *geo.Prepared, found evidence, basis Basis) *Division {
	g := newGrid(area.Bound(), e.c.CellM)
	all := g.squares(area, found.points)
	leaves := []leaf{newLeaf([2]int32{}, [2]int32{int32(g.columns), int32(g.rows)}, all)}
	for len(leaves) < e.c.MostCells {
		worst := 0
		for i := range leaves {
			if leaves[i].uneven > leaves[worst].uneven {
				worst = i
			}
		}
		if leaves[worst].uneven <= e.c.Uneven*found.sum {
			break
		}
		halves := leaves[worst].split()
		leaves[worst] = halves[0]
		leaves = append(leaves, halves[1])
	}
	d := &Division{Basis: basis}
	for _, l := range leaves {
		evenly := e.c.Evenly * float64(len(l.squares)) / float64(len(all))
		if l.sum == 0 {
			d.Rest += evenly
			continue
		}
		box := orb.Bound{Min: g.at(l.low[0], l.low[1]), Max: g.at(l.high[0], l.high[1])}
		d.Cells = append(d.Cells, Cell{box, evenly + (1-e.c.Evenly)*l.sum/found.sum})
	}
	if d.Parts() == 1 {
		return nil
	}
	return d
}
