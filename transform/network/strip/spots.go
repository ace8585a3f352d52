package strip

import "quartier/internal/coord"

// Spots are points that something can be near to.
type Spots struct {
	index *Index
	at    []coord.Point
}

// NewSpots makes spots of points, in strips of so many metres.
func NewSpots(points []coord.Point, heightM float64) *Spots {
	index, order := New(points, heightM)
	s := &Spots{index: index, at: make([]coord.Point, len(points))}
	for i, from := range order {
		s.at[i] = points[from]
	}
	return s
}

// Near says whether a spot lies within so many metres of p.
func (s *Spots) Near(p coord.Point, metres float64) (found bool) {
	plane := NewPlane(p)
	s.index.Runs(p, metres, func(lo, hi int) {
		for i := lo; i < hi && !found; i++ {
			found = plane.Square(s.at[i]) <= metres*metres
		}
	})
	return found
}
