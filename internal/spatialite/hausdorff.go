package spatialite

import (
	"math"

	"github.com/paulmach/orb"
)

// Within reports whether no point of one boundary is more than m metres from the other one, in both directions; false if one of
// them is empty. It is measured in the plane around both outlines, within 0.2 % for outlines of up to 25 km and with a growing
// error beyond; what is beyond on less than finestM of a boundary may be missed.
//
// A square of 100 m and the same square with one corner moved out by 30 m diagonally are within 30 m of each other: the old
// corner is 17 m from the nearest of the new edges, the new corner 30 m from the old square.
func Within(a, b orb.MultiPolygon, m float64) bool {
	if vertices(a) == 0 || vertices(b) == 0 {
		return false
	}
	center := a.Bound().Union(b.Bound()).Center()
	a, b = plane(a, center), plane(b, center)
	return newEdgeGrid(b).holds(a, m) && newEdgeGrid(a).holds(b, m)
}

// finestM is the length of pieces of edges that are not divided further.
const finestM = 1

// edgeGrid is the edges of an outline by the square cells that they pass through.
type edgeGrid struct {
	min        orb.Point
	cell       float64 // metres
	cols, rows int
	edges      [][2]orb.Point
	cells      [][]int32 // indexes of edges
}

func newEdgeGrid(g orb.MultiPolygon) *edgeGrid {
	bound := g.Bound()
	n := vertices(g)
	width, height := bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]
	grid := &edgeGrid{min: bound.Min, edges: make([][2]orb.Point, 0, n)}
	grid.cell = max(width, height, 1e-3) / math.Ceil(math.Sqrt(float64(n)))
	grid.cols, grid.rows = int(width/grid.cell)+1, int(height/grid.cell)+1
	grid.cells = make([][]int32, grid.cols*grid.rows)
	for _, polygon := range g {
		for _, ring := range polygon {
			for i := range ring {
				grid.add(ring[max(i-1, 0)], ring[i])
			}
		}
	}
	return grid
}

// add adds an edge to every cell that it passes through, column by column.
func (grid *edgeGrid) add(a, b orb.Point) {
	index := int32(len(grid.edges))
	grid.edges = append(grid.edges, [2]orb.Point{a, b})
	if a[0] > b[0] {
		a, b = b, a
	}
	firstCol, lastCol := grid.col(a[0]), grid.col(b[0])
	for col := firstCol; col <= lastCol; col++ {
		low, high := a[1], b[1]
		if firstCol != lastCol {
			low = grid.heightAt(a, b, grid.min[0]+float64(col)*grid.cell)
			high = grid.heightAt(a, b, grid.min[0]+float64(col+1)*grid.cell)
		}
		for row := grid.row(min(low, high)); row <= grid.row(max(low, high)); row++ {
			at := row*grid.cols + col
			grid.cells[at] = append(grid.cells[at], index)
		}
	}
}

// heightAt is the y of an edge from left to right at x, clipped to the edge's ends.
func (grid *edgeGrid) heightAt(a, b orb.Point, x float64) float64 {
	t := min(max((x-a[0])/(b[0]-a[0]), 0), 1)
	return a[1] + t*(b[1]-a[1])
}

func (grid *edgeGrid) col(x float64) int {
	return min(max(int((x-grid.min[0])/grid.cell), 0), grid.cols-1)
}

func (grid *edgeGrid) row(y float64) int {
	return min(max(int((y-grid.min[1])/grid.cell), 0), grid.rows-1)
}

// holds reports whether all points of the edges of g are within m of the grid's edges.
func (grid *edgeGrid) holds(g orb.MultiPolygon, m float64) bool {
	for _, polygon := range g {
		for _, ring := range polygon {
			before := 0.0
			for i, p := range ring {
				distance := grid.distance(p, m)
				if distance > m || i > 0 && !grid.holdsBetween(ring[i-1], p, before, distance, m) {
					return false
				}
				before = distance
			}
		}
	}
	return true
}

// holdsBetween reports whether all points between a and b, at the given distances, are within m: none is farther than half the
// sum of both distances and the length, else the edge is divided.
func (grid *edgeGrid) holdsBetween(a, b orb.Point, atA, atB, m float64) bool {
	length := math.Hypot(b[0]-a[0], b[1]-a[1])
	if length <= finestM || (atA+atB+length)/2 <= m {
		return true
	}
	middle := orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}
	at := grid.distance(middle, m)
	return at <= m && grid.holdsBetween(a, middle, atA, at, m) && grid.holdsBetween(middle, b, at, atB, m)
}

// distance is the distance from p to the nearest edge; where that is more than m, any that is. It goes through the cells around
// p in growing squares; edges in cells r away are at least r−1 cells from p.
func (grid *edgeGrid) distance(p orb.Point, m float64) float64 {
	best := math.Inf(1)
	col, row := grid.col(p[0]), grid.row(p[1])
	for r := range max(grid.cols, grid.rows) {
		if reach := float64(r-1) * grid.cell; r > 0 && (reach*reach >= best || reach > m) {
			break
		}
		for y := max(row-r, 0); y <= min(row+r, grid.rows-1); y++ {
			step := 1
			if y != row-r && y != row+r && r > 0 {
				step = 2 * r // only the two sides of the square
			}
			for x := col - r; x <= col+r; x += step {
				if x < 0 || x >= grid.cols {
					continue
				}
				for _, edge := range grid.cells[y*grid.cols+x] {
					best = min(best, squaredDistance(p, grid.edges[edge][0], grid.edges[edge][1]))
				}
			}
		}
	}
	return math.Sqrt(best)
}

// squaredDistance is the squared distance from a point to a segment.
func squaredDistance(p, a, b orb.Point) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(max(((p[0]-a[0])*dx+(p[1]-a[1])*dy)/length, 0), 1)
	}
	ex, ey := p[0]-a[0]-t*dx, p[1]-a[1]-t*dy
	return ex*ex + ey*ey
}

func vertices(g orb.MultiPolygon) int {
	n := 0
	for _, polygon := range g {
		for _, ring := range polygon {
			n += len(ring)
		}
	}
	return n
}
