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

// SelfContact describes why a closed ring is not simple, "" if it is simple. Repeated points count once. Coordinates are at most
// 1e9 degrees.
//
// It is the algorithm of Shamos and Hoey (1976): a line sweeps over the corners from west to east, with the edges that it
// crosses in their order from south to north. Edges that meet are neighbours in this order before they meet, so that it is
// enough to compare edges that become neighbours.
func SelfContact(ring orb.Ring) string {
	s := newSweep(cornersOf(ring))
	n := len(s.corners)
	if n < 3 {
		return "the ring has no area"
	}
	for i := range n {
		// Edges that follow each other share a corner, so they overlap only if the second runs back along the first.
		a, b, c := s.corners[i], s.corners[(i+1)%n], s.corners[(i+2)%n]
		if backward(a, b, c) && turn(a, b, c) == 0 {
			return fmt.Sprintf("the ring runs back along itself at %s", b)
		}
	}
	order := inOrder(s.corners)
	for k, i := range order {
		if k > 0 && s.corners[i] == s.corners[order[k-1]] || !s.pass(i) {
			return fmt.Sprintf("the ring touches or crosses itself near %s", s.corners[i])
		}
	}
	return ""
}

// inOrder is the numbers of corners in the order of compare.
func inOrder(corners []corner) []int32 {
	order, spare, keys := make([]int32, len(corners)), make([]int32, len(corners)), make([]int64, len(corners))
	for i, c := range corners {
		order[i], keys[i] = int32(i), c.y
	}
	order, spare = byDigits(keys, order, spare)
	for i, c := range corners {
		keys[i] = c.x
	}
	order, _ = byDigits(keys, order, spare)
	return order
}

// byDigits sorts numbers by their keys, and leaves those of equal keys in their order: by each digit of the keys, the last one
// first. It also returns the slice that it does not need any more.
func byDigits(keys []int64, order, spare []int32) (sorted, free []int32) {
	const bits = 11 // of a digit
	least, most := slices.Min(keys), slices.Max(keys)
	for shift := 0; (most-least)>>shift > 0; shift += bits {
		var places [1<<bits + 1]int32 // of the first number with each digit
		digit := func(i int32) int64 { return (keys[i] - least) >> shift & (1<<bits - 1) }
		for _, i := range order {
			places[digit(i)+1]++
		}
		for d := range 1<<bits - 1 {
			places[d+1] += places[d]
		}
		for _, i := range order {
			d := digit(i)
			spare[places[d]] = i
			places[d]++
		}
		order, spare = spare, order
	}
	return order, spare
}

// cornersOf lists the corners of a ring, each once: of equal points in a row one.
func cornersOf(ring orb.Ring) []corner {
	corners := make([]corner, 0, len(ring))
	for _, p := range ring {
		if next := onGrid(p); len(corners) == 0 || next != corners[len(corners)-1] {
			corners = append(corners, next)
		}
	}
	if last := len(corners) - 1; last > 0 && corners[last] == corners[0] {
		corners = corners[:last]
	}
	return corners
}

// sweep is a line over a ring. An edge has the number of the corner where it begins; it ends at the next one.
type sweep struct {
	corners []corner
	crossed // the edges under the line
}

func newSweep(corners []corner) *sweep { return &sweep{corners, newCrossed(len(corners))} }

// pass moves the line over a corner, which replaces one edge by another, adds two or removes two. It is false if edges that
// become neighbours meet, or an edge passes through a corner where two begin. An edge that passes through another corner meets
// one that ends there, and was its neighbour before.
func (s *sweep) pass(i int32) bool {
	n := int32(len(s.corners))
	before, after := (i+n-1)%n, i
	previous, here, next := s.corners[before], s.corners[i], s.corners[s.next(i)]
	switch begins, ends := previous.compare(here) > 0, next.compare(here) < 0; {
	case begins && !ends: // both edges begin here
		at := s.find(func(edge int32) int { return s.side(edge, here) })
		if at.edge >= 0 && s.side(at.edge, here) == 0 {
			return false
		}
		low, high := before, after
		if turn(here, previous, next) < 0 {
			low, high = after, before
		}
		s.insert(at, low, high)
		return s.apart(s.south(low), low) && s.apart(high, s.north(high))
	case !begins && ends: // both end here
		low, high := before, after
		if s.north(low) != high {
			low, high = high, low
		}
		if s.north(low) != high {
			return false
		}
		below, above := s.south(low), s.north(high)
		s.remove(low)
		s.remove(high)
		return s.apart(below, above)
	case begins: // after ends here, and before begins
		before, after = after, before
	}
	s.replace(before, after)
	return s.apart(s.south(after), after) && s.apart(after, s.north(after))
}

// next is the number of the corner, and of the edge, after one.
func (s *sweep) next(i int32) int32 {
	if i++; int(i) == len(s.corners) {
		return 0
	}
	return i
}

// side is on which side of a corner an edge under the line is: -1 south of it, 1 north of it, 0 it passes through the corner.
func (s *sweep) side(edge int32, c corner) int {
	a, b := s.corners[edge], s.corners[s.next(edge)]
	if a.compare(b) > 0 {
		a, b = b, a
	}
	return -turn(a, b, c)
}

// apart reports whether two edges, of which one may be none, have no common point but a corner of the ring.
func (s *sweep) apart(p, q int32) bool {
	if p < 0 || q < 0 {
		return true
	}
	if s.next(p) == q || s.next(q) == p {
		return true
	}
	a, b, c, d := s.corners[p], s.corners[s.next(p)], s.corners[q], s.corners[s.next(q)]
	return turn(a, b, c)*turn(a, b, d) > 0 || turn(c, d, a)*turn(c, d, b) > 0
}

func onGrid(p orb.Point) corner {
	return corner{int64(math.RoundToEven(p[0] * grid)), int64(math.RoundToEven(p[1] * grid))} // one instruction each
}

func (c corner) String() string { return fmt.Sprintf("%v %v", float64(c.x)/grid, float64(c.y)/grid) }

// compare orders corners from west to east, then from south to north.
func (c corner) compare(d corner) int {
	if c.x != d.x {
		return cmp.Compare(c.x, d.x)
	}
	return cmp.Compare(c.y, d.y)
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
	if high1 != high2 {
		return cmp.Compare(high1, high2)
	}
	return cmp.Compare(low1, low2)
}

// product is p*q as a signed number of 128 bits, high*2^64 + low.
func product(p, q int64) (high int64, low uint64) {
	h, low := bits.Mul64(uint64(p), uint64(q))
	return int64(h) - p>>63&q - q>>63&p, low // a negative factor as uint64 is 2^64 too large
}
