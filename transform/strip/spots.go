package strip

import (
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/pack"
)

// Spots are points that something can be near to.
type Spots struct {
	index *Index
	at    []orb.Point
}

// NewSpots makes spots of points, in strips of so many metres.
func NewSpots(points []pack.Point, heightM float64) *Spots {
	index, order := New(points, heightM)
	s := &Spots{index: index, at: make([]orb.Point, len(points))}
	for i, from := range order {
		s.at[i] = Degrees(points[from])
	}
	return s
}

// Near says whether a spot lies within so many metres of p.
func (s *Spots) Near(p orb.Point, metres float64) (found bool) {
	plane := geo.NewPlane(p)
	s.index.Runs(p, metres, func(lo, hi int) {
		for i := lo; i < hi && !found; i++ {
			found = plane.Distance(s.at[i]) <= metres
		}
	})
	return found
}

// Degrees is a point of a pack as the rest of the geometry has it.
func Degrees(p pack.Point) orb.Point {
	lng, lat := p.Degrees()
	return orb.Point{lng, lat}
}
