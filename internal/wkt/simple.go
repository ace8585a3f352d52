package wkt

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/paulmach/orb"
)

// grid is the number of steps per degree, about 0.1 mm each, of the integer coordinates in which rings are checked. With
// integers every check is exact and takes the same time.
const grid = 1e9

// corner is a vertex on the grid; ±180 degrees need 38 bits.
type corner struct{ x, y int64 }

// side is an edge of the ring: its index, its ends and its extent.
type side struct {
	west, east, south, north int64
	a, b                     corner
	index                    int
}

// SelfContact describes why a closed ring is not simple, "" if it is simple. Repeated points count once. Coordinates are at most
// 1e9 degrees.
func SelfContact(ring orb.Ring) string {
	sides := sidesOf(ring)
	n := len(sides)
	if n < 3 {
		return "the ring has no area"
	}
	for i := range sides {
		// Neighbours share a corner, so they overlap only if the second runs back along the first.
		a, b, c := sides[i].a, sides[i].b, sides[(i+1)%n].b
		if turn(a, b, c) == 0 && backward(a, b, c) {
			return fmt.Sprintf("the ring runs back along itself at %s", b)
		}
	}
	slices.SortFunc(sides, func(p, q side) int { return cmp.Or(cmp.Compare(p.west, q.west), p.index-q.index) })
	for i := range sides {
		p := &sides[i]
		for j := i + 1; j < n && sides[j].west <= p.east; j++ {
			q := &sides[j]
			if q.south <= p.north && p.south <= q.north && !neighbours(p.index, q.index, n) && meet(p, q) {
				return fmt.Sprintf("the ring touches or crosses itself near %s", q.a)
			}
		}
	}
	return ""
}

// sidesOf lists the edges with a length above 0 on the grid.
func sidesOf(ring orb.Ring) []side {
	sides := make([]side, 0, len(ring))
	last := onGrid(ring[0])
	for _, p := range ring[1:] {
		next := onGrid(p)
		if next == last {
			continue
		}
		sides = append(sides, side{min(last.x, next.x), max(last.x, next.x), min(last.y, next.y), max(last.y, next.y), last, next, len(sides)})
		last = next
	}
	return sides
}

func onGrid(p orb.Point) corner {
	return corner{int64(math.Round(p[0] * grid)), int64(math.Round(p[1] * grid))}
}

func (c corner) String() string { return fmt.Sprintf("%v %v", float64(c.x)/grid, float64(c.y)/grid) }

func neighbours(i, j, n int) bool { return i-j == 1 || j-i == 1 || i-j == n-1 || j-i == n-1 }

// meet reports whether two edges whose extents overlap have a common point.
func meet(p, q *side) bool {
	return turn(p.a, p.b, q.a)*turn(p.a, p.b, q.b) <= 0 && turn(q.a, q.b, p.a)*turn(q.a, q.b, p.b) <= 0
}

// backward reports whether c, collinear with a and b, is on a's side of b.
func backward(a, b, c corner) bool {
	return (a.x < b.x) == (c.x < b.x) && a.x != b.x || (a.y < b.y) == (c.y < b.y) && a.y != b.y
}

// turn is +1 if a→b→c turns left, -1 if it turns right, 0 if the three are collinear.
func turn(a, b, c corner) int {
	return compareProducts(b.x-a.x, c.y-a.y, b.y-a.y, c.x-a.x)
}

// compareProducts is the sign of p*q - r*s. The factors have up to 40 bits, the products more than 64.
func compareProducts(p, q, r, s int64) int {
	high1, low1 := product(p, q)
	high2, low2 := product(r, s)
	return cmp.Or(cmp.Compare(high1, high2), cmp.Compare(low1, low2))
}

// product is p*q as a signed number of 128 bits, high*2^64 + low.
func product(p, q int64) (high int64, low uint64) {
	h, low := bits.Mul64(uint64(p), uint64(q))
	return int64(h) - p>>63&q - q>>63&p, low // a negative factor as uint64 is 2^64 too large
}
