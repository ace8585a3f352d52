package pointindex

import "quartier/internal/coord"

// PointSet is points of which only the presence counts.
type PointSet struct {
	index *Index
	at    []coord.Point
}

// NewPointSet indexes points in strips of the given height in metres.
func NewPointSet(points []coord.Point, heightM float64) *PointSet {
	index, order := New(points, heightM)
	s := &PointSet{index: index, at: make([]coord.Point, len(points))}
	for i, from := range order {
		s.at[i] = points[from]
	}
	return s
}

// Near reports whether a point of the set is at most the given distance in metres from p.
func (s *PointSet) Near(p coord.Point, metres float64) (found bool) {
	plane := coord.NewPlane(p)
	s.index.Search(p, metres, func(lo, hi int) {
		for i := lo; i < hi && !found; i++ {
			found = plane.Square(s.at[i]) <= metres*metres
		}
	})
	return found
}
