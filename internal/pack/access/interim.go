package access

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/pack"
)

// streets keeps lines until their index is made.
type streets struct {
	shape, barrier         []pack.Point
	shapeEnds, barrierEnds []uint64
	lengths                []uint32
}

func (s *streets) addEdge(a, b, length uint32, line []pack.Point) {
	s.shape = append(s.shape, line...)
	s.shapeEnds = append(s.shapeEnds, uint64(len(s.shape)))
	s.lengths = append(s.lengths, length)
}

func (s *streets) addBarrier(line []pack.Point) {
	s.barrier = append(s.barrier, line...)
	s.barrierEnds = append(s.barrierEnds, uint64(len(s.barrier)))
}

func (s *streets) write(out *pack.Writer) {
	pack.Put(out, "interim.shape", s.shape)
	pack.Put(out, "interim.shape.end", s.shapeEnds)
}

// snapper looks at every edge; it knows no barriers.
type snapper struct {
	shape   []pack.Point
	ends    []uint64
	lengths []uint32
}

func openSnapper(f *pack.File, edges int) (s snapper, err error) {
	if s.shape, err = pack.Get[pack.Point](f, "interim.shape"); err != nil {
		return s, err
	}
	if s.ends, err = pack.GetSized[uint64](f, "interim.shape.end", edges); err != nil {
		return s, err
	}
	s.lengths, err = pack.GetSized[uint32](f, sectionLengths, edges)
	return s, err
}

func degrees(p pack.Point) orb.Point {
	lng, lat := p.Degrees()
	return orb.Point{lng, lat}
}

func (s snapper) Snap(p pack.Point, limit float64) (found network.Place, ok bool) {
	plane, nearest, begin := geo.NewPlane(degrees(p)), math.Inf(1), uint64(0)
	for edge, end := range s.ends {
		if end < begin || end > uint64(len(s.shape)) {
			return found, false
		}
		walked, along := 0.0, -1.0
		for i := begin + 1; i < end; i++ {
			ax, ay := plane.XY(degrees(s.shape[i-1]))
			bx, by := plane.XY(degrees(s.shape[i]))
			dx, dy := bx-ax, by-ay
			share := 0.0
			if l := dx*dx + dy*dy; l > 0 {
				share = min(1, max(0, -(ax*dx+ay*dy)/l))
			}
			if d := math.Hypot(ax+share*dx, ay+share*dy); d <= limit && d < nearest {
				nearest, along = d, walked+share*math.Hypot(dx, dy)
			}
			walked += math.Hypot(dx, dy)
		}
		if along >= 0 {
			if walked > 0 {
				along = along / walked * float64(s.lengths[edge])
			}
			found, ok = network.Place{Edge: uint32(edge), Along: network.Distance(along + 0.5), Leg: network.Metres(nearest)}, true
		}
		begin = end
	}
	return found, ok
}
