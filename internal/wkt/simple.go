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
	s := sweep{corners: cornersOf(ring)}
	n := len(s.corners)
	if n < 3 {
		return "the ring has no area"
	}
	order := make([]int, n)
	for i := range order {
		// Edges that follow each other share a corner, so they overlap only if the second runs back along the first.
		a, b, c := s.corners[i], s.corners[(i+1)%n], s.corners[(i+2)%n]
		if turn(a, b, c) == 0 && backward(a, b, c) {
			return fmt.Sprintf("the ring runs back along itself at %s", b)
		}
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return s.corners[i].compare(s.corners[j]) })
	for k, i := range order {
		if k > 0 && s.corners[i] == s.corners[order[k-1]] || !s.pass(i) {
			return fmt.Sprintf("the ring touches or crosses itself near %s", s.corners[i])
		}
	}
	return ""
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
	crossed []int // the edges under the line, from south to north
}

// pass moves the line over a corner, which replaces one edge by another, adds two or removes two. It is false if edges that
// become neighbours meet, or an edge passes through the corner.
func (s *sweep) pass(i int) bool {
	n := len(s.corners)
	before, after := (i+n-1)%n, i
	previous, here, next := s.corners[before], s.corners[i], s.corners[(i+1)%n]
	at, _ := slices.BinarySearchFunc(s.crossed, here, s.side)
	has := func(k, edge int) bool { return k < len(s.crossed) && s.crossed[k] == edge }
	switch begins, ends := previous.compare(here) > 0, next.compare(here) < 0; {
	case begins && !ends: // both edges begin here
		if at < len(s.crossed) && s.side(s.crossed[at], here) == 0 {
			return false
		}
		low, high := before, after
		if turn(here, previous, next) < 0 {
			low, high = after, before
		}
		s.crossed = slices.Insert(s.crossed, at, low, high)
		return s.apart(at-1) && s.apart(at+1)
	case !begins && ends: // both end here
		if !(has(at, before) && has(at+1, after) || has(at, after) && has(at+1, before)) {
			return false
		}
		s.crossed = slices.Delete(s.crossed, at, at+2)
		return s.apart(at - 1)
	case begins: // after ends here, and before begins
		before, after = after, before
	}
	if !has(at, before) {
		return false
	}
	s.crossed[at] = after
	return s.apart(at-1) && s.apart(at)
}

// side is on which side of a corner an edge under the line is: -1 south of it, 1 north of it, 0 it passes through the corner.
func (s *sweep) side(edge int, c corner) int {
	a, b := s.corners[edge], s.corners[(edge+1)%len(s.corners)]
	if a.compare(b) > 0 {
		a, b = b, a
	}
	return -turn(a, b, c)
}

// apart reports whether the edge at k and the next one have no common point but a corner of the ring.
func (s *sweep) apart(k int) bool {
	if k < 0 || k+1 >= len(s.crossed) {
		return true
	}
	n, p, q := len(s.corners), s.crossed[k], s.crossed[k+1]
	if apart := (p - q + n) % n; apart == 1 || apart == n-1 {
		return true
	}
	a, b, c, d := s.corners[p], s.corners[(p+1)%n], s.corners[q], s.corners[(q+1)%n]
	return turn(a, b, c)*turn(a, b, d) > 0 || turn(c, d, a)*turn(c, d, b) > 0
}

func onGrid(p orb.Point) corner {
	return corner{int64(math.Round(p[0] * grid)), int64(math.Round(p[1] * grid))}
}

func (c corner) String() string { return fmt.Sprintf("%v %v", float64(c.x)/grid, float64(c.y)/grid) }

// compare orders corners from west to east, then from south to north.
func (c corner) compare(d corner) int { return cmp.Or(cmp.Compare(c.x, d.x), cmp.Compare(c.y, d.y)) }

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
