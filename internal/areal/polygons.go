package areal

import (
	"math"
	"slices"

	"quartier/internal/coord"

	"github.com/paulmach/orb"
)

// edge of a polygon in units, from its western to its eastern end.
type edge struct {
	x0, y0, x1, y1 float64
	slope          float64 // 0 of a meridian
	sign           float64 // +1 if the polygon is south of it, −1 if north
	band           int32   // the westernmost band that it is in
}

// polygons are edges in bands of longitude: the edges that meet a box are in its bands. Memory and time to prepare are
// linear in the number of edges; a query looks at about the share of the edges that its box has of the width.
type polygons struct {
	edges  []edge
	bound  box
	scale  float64 // bands in a unit
	starts []int32 // start of each band in list, and the end of the last
	list   []int32 // edges by band
}

// box in units.
type box struct {
	west, south, east, north float64
}

var (
	nowhere = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	empty   = orb.Bound{Min: orb.Point{1, 1}, Max: orb.Point{-1, -1}}
)

func (b *box) extend(x, y float64) {
	b.west, b.east = min(b.west, x), max(b.east, x)
	b.south, b.north = min(b.south, y), max(b.north, y)
}

func (s *polygons) reset() {
	s.edges, s.starts, s.list = s.edges[:0], s.starts[:0], s.list[:0]
	s.bound = nowhere
}

func (s *polygons) add(polygon orb.Polygon) {
	for i, ring := range polygon {
		if len(ring) == 0 {
			continue
		}
		first := len(s.edges)
		twice := 0.0 // the signed area of the ring
		origin := rounded(ring[0])
		p := origin
		for k := 1; k <= len(ring); k++ {
			q := origin // of a ring that is not closed
			if k < len(ring) {
				q = rounded(ring[k])
			}
			twice += (p[0]-origin[0])*(q[1]-origin[1]) - (q[0]-origin[0])*(p[1]-origin[1])
			s.addEdge(p, q)
			p = q
		}
		if twice < 0 != (i > 0) {
			for k := first; k < len(s.edges); k++ {
				s.edges[k].sign = -s.edges[k].sign
			}
		}
	}
}

func rounded(p orb.Point) orb.Point {
	return orb.Point{math.Round(p[0] * coord.Scale), math.Round(p[1] * coord.Scale)}
}

func (s *polygons) addEdge(p, q orb.Point) {
	if p == q {
		return
	}
	s.bound.extend(p[0], p[1])
	s.bound.extend(q[0], q[1])
	sign := -1.0
	if q[0] < p[0] {
		p, q, sign = q, p, 1
	}
	e := edge{x0: p[0], y0: p[1], x1: q[0], y1: q[1], sign: sign}
	if q[0] > p[0] {
		e.slope = (q[1] - p[1]) / (q[0] - p[0])
	}
	s.edges = append(s.edges, e)
}

// finish lists the edges by band. There are so many bands that an edge is in three on average at most.
func (s *polygons) finish() {
	n := len(s.edges)
	if n == 0 {
		return
	}
	widths := 0.0
	for i := range s.edges {
		widths += s.edges[i].x1 - s.edges[i].x0
	}
	width := s.bound.east - s.bound.west
	bands := 1
	s.scale = 0
	if width > 0 {
		bands = 1 + int(2*float64(n)*width/widths)
		s.scale = float64(bands) / width
	}
	s.starts = slices.Grow(s.starts, bands+1)[:bands+1]
	clear(s.starts)
	total := int32(0)
	for i := range s.edges {
		e := &s.edges[i]
		e.band = s.band(e.x0)
		for b := e.band; b <= s.band(e.x1); b++ {
			s.starts[b]++
			total++
		}
	}
	at := int32(0)
	for b, count := range s.starts {
		s.starts[b], at = at, at+count
	}
	s.list = slices.Grow(s.list, int(total))[:total]
	for i := range s.edges {
		for b := s.edges[i].band; b <= s.band(s.edges[i].x1); b++ {
			s.list[s.starts[b]] = int32(i)
			s.starts[b]++
		}
	}
	copy(s.starts[1:], s.starts[:bands]) // every start was moved to its end
	s.starts[0] = 0
}

// band is the band of a longitude; the first or the last one for longitudes outside.
func (s *polygons) band(x float64) int32 {
	at := (x - s.bound.west) * s.scale
	last := len(s.starts) - 2
	if !(at > 0) {
		return 0
	}
	return int32(min(at, float64(last)))
}

func (s *polygons) degrees() orb.Bound {
	b := s.bound
	if len(s.edges) == 0 {
		return empty
	}
	return orb.Bound{
		Min: orb.Point{b.west / coord.Scale, b.south / coord.Scale},
		Max: orb.Point{b.east / coord.Scale, b.north / coord.Scale},
	}
}

// disjoint reports whether the box around the polygons does not meet the interior of a box.
func (s *polygons) disjoint(o *box) bool {
	b := &s.bound
	return len(s.edges) == 0 || o.west >= b.east || o.east <= b.west || o.south >= b.north || o.north <= b.south
}

// relate looks for an edge in the interior of the box. If there is none the box is inside if the signs of the edges north of
// its western side add up to one.
func (s *polygons) relate(o *box) Relation {
	if s.disjoint(o) {
		return Outside
	}
	inside := 0.0
	first, last := s.band(o.west), s.band(o.east)
	for b := first; b <= last; b++ {
		for _, i := range s.list[s.starts[b]:s.starts[b+1]] {
			e := &s.edges[i]
			if e.band < b && b > first {
				continue // already seen
			}
			switch e.edgePosition(o) {
			case through:
				return Across
			case above:
				if e.x0 <= o.west {
					inside += e.sign
				}
			}
		}
	}
	return sided(inside)
}

func sided(inside float64) Relation {
	if inside > 0.5 {
		return Inside
	}
	return Outside
}

// edgePosition is the position of an edge relative to a box.
type edgePosition uint8

const (
	elsewhere edgePosition = iota // east, west or south of it
	above
	through // its interior
)

func (e *edge) edgePosition(o *box) edgePosition {
	if e.x0 >= o.east || e.x1 <= o.west {
		return elsewhere
	}
	low, high := e.y0, e.y1
	if high < low {
		low, high = high, low
	}
	if low < o.north && high > o.south && e.x0 < e.x1 {
		// Its own box meets the box, but its part between the box's sides may not.
		low, high = e.at(max(e.x0, o.west)), e.at(min(e.x1, o.east))
		if high < low {
			low, high = high, low
		}
	}
	switch {
	case high <= o.south:
		return elsewhere
	case low >= o.north:
		return above
	}
	return through
}

// at is the edge's latitude at a longitude between its ends; exact at the ends.
func (e *edge) at(x float64) float64 {
	if x == e.x1 {
		return e.y1
	}
	return e.y0 + (x-e.x0)*e.slope
}

func (s *polygons) contains(x, y float64) bool {
	if len(s.edges) == 0 || x < s.bound.west || x > s.bound.east {
		return false
	}
	b := s.band(x)
	inside := 0.0
	for _, i := range s.list[s.starts[b]:s.starts[b+1]] {
		if e := &s.edges[i]; e.x0 <= x && x < e.x1 && e.at(x) > y {
			inside += e.sign
		}
	}
	return inside > 0.5
}
