// Package near finds points and lines by place, in metres.
package near

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// Points finds points by place. Set List, then call Build.
type Points struct {
	List  []orb.Point
	index *coord.BoxIndex
}

// Build makes the index.
func (n *Points) Build() {
	boxes := make([]orb.Bound, len(n.List))
	for i, p := range n.List {
		boxes[i] = p.Bound()
	}
	n.index = coord.NewBoxIndex(boxes)
}

// Within visits the points within metres of p in a straight line, in no particular order, until visit returns false.
func (n *Points) Within(p orb.Point, metres float64, visit func(i int) bool) {
	n.index.Search(geo.CircleBound(p, metres), func(i int) bool {
		return geo.Distance(p, n.List[i]) > metres || visit(i)
	})
}

// Segments finds the lines near a point. Add lines, then call Build.
type Segments struct {
	ends  [][2]orb.Point
	owner []int
	index *coord.BoxIndex
}

// Add adds a line of an owner, a number of the caller.
func (s *Segments) Add(line orb.LineString, owner int) {
	for i := 1; i < len(line); i++ {
		s.ends, s.owner = append(s.ends, [2]orb.Point{line[i-1], line[i]}), append(s.owner, owner)
	}
}

// Build makes the index.
func (s *Segments) Build() {
	boxes := make([]orb.Bound, len(s.ends))
	for i, e := range s.ends {
		boxes[i] = e[0].Bound().Extend(e[1])
	}
	s.index = coord.NewBoxIndex(boxes)
}

// Within visits the owners of the segments within metres of p with their distances, an owner once for each segment.
func (s *Segments) Within(p orb.Point, metres float64, visit func(owner int, metres float64)) {
	plane := geo.NewPlane(p)
	s.index.Search(geo.CircleBound(p, metres), func(i int) bool {
		if d := plane.SegmentDistance(p, s.ends[i][0], s.ends[i][1]); d <= metres {
			visit(s.owner[i], d)
		}
		return true
	})
}
