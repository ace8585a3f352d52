package geo

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
)

// Hull computes the convex hull of a stream of points in memory that does not grow with their number. It is exact, so that
// the order of the points does not matter. The zero value is empty.
type Hull struct {
	points []orb.Point // corners, and the points added since they were computed
	room   int         // points to collect until corners are computed again
}

// hullRoom is the minimum number of points that are collected before corners are computed.
const hullRoom = 4096

// Add adds a point.
func (h *Hull) Add(p orb.Point) {
	if h.points = append(h.points, p); len(h.points) > h.room+hullRoom {
		h.reduce()
		h.room = 2 * len(h.points) // also many corners are computed rarely
	}
}

// Ring is the hull, counter-clockwise and closed; nil if it has no area.
func (h *Hull) Ring() orb.Ring {
	h.reduce()
	if len(h.points) < 3 {
		return nil
	}
	return append(slices.Clone(orb.Ring(h.points)), h.points[0])
}

// reduce keeps the corners of the hull, counter-clockwise from the westernmost one, by Andrew's monotone chain.
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

// leftTurns appends the sorted points that are on a path with left turns only.
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
