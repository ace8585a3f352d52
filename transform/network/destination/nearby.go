package destination

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// nearby finds points by place. Set points, then call build.
type nearby struct {
	points []orb.Point
	index  *coord.BoxIndex
}

func (n *nearby) build() {
	boxes := make([]orb.Bound, len(n.points))
	for i, p := range n.points {
		boxes[i] = p.Bound()
	}
	n.index = coord.NewBoxIndex(boxes)
}

// within visits the points within metres of p in a straight line, in no particular order, until visit returns false.
func (n *nearby) within(p orb.Point, metres float64, visit func(i int) bool) {
	n.index.Search(geo.CircleBound(p, metres), func(i int) bool {
		return geo.Distance(p, n.points[i]) > metres || visit(i)
	})
}

// segments finds the lines near a point.
type segments struct {
	ends  [][2]orb.Point
	owner []int
	index *coord.BoxIndex
}

func (s *segments) add(line orb.LineString, owner int) {
	for i := 1; i < len(line); i++ {
		s.ends, s.owner = append(s.ends, [2]orb.Point{line[i-1], line[i]}), append(s.owner, owner)
	}
}

func (s *segments) build() {
	boxes := make([]orb.Bound, len(s.ends))
	for i, e := range s.ends {
		boxes[i] = e[0].Bound().Extend(e[1])
	}
	s.index = coord.NewBoxIndex(boxes)
}

// within visits the owners of the segments within metres of p with their distances, an owner once for each segment.
func (s *segments) within(p orb.Point, metres float64, visit func(owner int, metres float64)) {
	plane := geo.NewPlane(p)
	s.index.Search(geo.CircleBound(p, metres), func(i int) bool {
		if d := plane.SegmentDistance(p, s.ends[i][0], s.ends[i][1]); d <= metres {
			visit(s.owner[i], d)
		}
		return true
	})
}
