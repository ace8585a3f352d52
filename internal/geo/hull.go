package geo

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
)

// Hull gathers points and keeps the corners of the smallest convex outline around them, in memory that does not grow
// with the points. Its answer is exact, so that the order of the points does not matter. The zero value is empty.
type Hull struct {
	points []orb.Point // corners, and what was added since they were found
	room   int         // points to gather until corners are found again
}

// hullRoom is how many points a hull gathers at least before it looks for corners.
const hullRoom = 4096

// Add takes one more point.
func (h *Hull) Add(p orb.Point) {
	if h.points = append(h.points, p); len(h.points) > h.room+hullRoom {
		h.reduce()
		h.room = 2 * len(h.points) // many corners are looked at as rarely as few
	}
}

// Ring is the hull, counter-clockwise and closed; nil where it has no area.
func (h *Hull) Ring() orb.Ring {
	h.reduce()
	if len(h.points) < 3 {
		return nil
	}
	return append(slices.Clone(orb.Ring(h.points)), h.points[0])
}

// reduce leaves the corners of the hull, counter-clockwise from the westernmost one, by Andrew's monotone chain.
func (h *Hull) reduce() {
	slices.SortFunc(h.points, func(a, b orb.Point) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	h.points = slices.Compact(h.points)
	if len(h.points) < 3 {
		return
	}
	ring := leftTurns(nil, h.points)
	slices.Reverse(h.points)
	ring = leftTurns(ring[:len(ring)-1], h.points)
	h.points = ring[:len(ring)-1]
}

// leftTurns appends to the ring those of sorted points between which the way only turns left.
func leftTurns(ring []orb.Point, points []orb.Point) []orb.Point {
	start := len(ring)
	for _, p := range points {
		for n := len(ring); n >= start+2 && orient(ring[n-2], ring[n-1], p) <= 0; n-- {
			ring = ring[:n-1]
		}
		ring = append(ring, p)
	}
	return ring
}
