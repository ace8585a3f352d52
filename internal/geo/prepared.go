package geo

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// Prepared is a multipolygon prepared for many containment queries: its edges are sorted into bands of latitude, so that
// a query looks at the edges of one band. It is safe for concurrent use.
type Prepared struct {
	bound  orb.Bound
	south  float64
	height float64 // of a band, degrees; 0: one band
	edges  []segment
	start  []int32 // band i holds edges[start[i]:start[i+1]]
}

type segment struct{ a, b orb.Point }

// edgesPerBand is the mean number of edges of a band if they are evenly distributed.
const edgesPerBand = 8

// Prepare indexes m, whose polygons do not overlap each other.
func Prepare(m orb.MultiPolygon) *Prepared {
	p := &Prepared{bound: m.Bound(), south: m.Bound().Min[1]}
	var all []segment
	for _, polygon := range m {
		for _, ring := range polygon {
			for i := 1; i < len(ring); i++ {
				all = append(all, segment{ring[i-1], ring[i]})
			}
		}
	}
	bands := 1 + len(all)/edgesPerBand
	p.height = (p.bound.Max[1] - p.south) / float64(bands)
	if !(p.height > 0) || math.IsInf(p.height, 0) {
		p.height, bands = 0, 1
	}
	p.start = make([]int32, bands+1)
	p.eachBand(all, func(band int, _ segment) { p.start[band+1]++ })
	for i := range bands {
		p.start[i+1] += p.start[i]
	}
	p.edges = make([]segment, p.start[bands])
	next := slices.Clone(p.start)
	p.eachBand(all, func(band int, s segment) {
		p.edges[next[band]] = s
		next[band]++
	})
	return p
}

func (p *Prepared) eachBand(all []segment, visit func(band int, s segment)) {
	for _, s := range all {
		first, last := p.band(min(s.a[1], s.b[1])), p.band(max(s.a[1], s.b[1]))
		for band := first; band <= last; band++ {
			visit(band, s)
		}
	}
}

func (p *Prepared) band(lat float64) int {
	if p.height == 0 {
		return 0
	}
	return min(max(int((lat-p.south)/p.height), 0), len(p.start)-2)
}

// Bound is the bounding box of the multipolygon.
func (p *Prepared) Bound() orb.Bound { return p.bound }

// Contains reports whether pt is in the multipolygon, edges included. It agrees exactly with the function Contains if the
// polygons do not overlap.
func (p *Prepared) Contains(pt orb.Point) bool {
	if len(p.edges) == 0 || !p.bound.Contains(pt) {
		return false
	}
	band := p.band(pt[1])
	inside := false
	for _, s := range p.edges[p.start[band]:p.start[band+1]] {
		on, crosses := cross(s.a, s.b, pt)
		if on {
			return true
		}
		if crosses {
			inside = !inside
		}
	}
	return inside
}

// Locate is the side of the multipolygon on which pt is. It is exact.
func (p *Prepared) Locate(pt orb.Point) Side {
	if len(p.edges) == 0 || !p.bound.Contains(pt) {
		return Outside
	}
	band := p.band(pt[1])
	side := Outside
	for _, s := range p.edges[p.start[band]:p.start[band+1]] {
		on, crosses := cross(s.a, s.b, pt)
		if on {
			return Edge
		}
		if crosses {
			side = Inside - side // the other one
		}
	}
	return side
}

// Holds reports whether pt is in the multipolygon, where a point on an edge is in what is east of the edge, or north of a
// horizontal one: of outlines that have an edge in common and meet there, exactly one holds a point on it. It is exact.
func (p *Prepared) Holds(pt orb.Point) bool {
	if len(p.edges) == 0 || !p.bound.Contains(pt) {
		return false
	}
	band := p.band(pt[1])
	inside := false
	for _, s := range p.edges[p.start[band]:p.start[band+1]] {
		if _, crosses := cross(s.a, s.b, pt); crosses {
			inside = !inside
		}
	}
	return inside
}

// DistanceWithin is the distance in metres from pt to the nearest point of the multipolygon, 0 inside and on its edges,
// if that is at most limit; else +Inf. It is as exact as the Plane around pt.
func (p *Prepared) DistanceWithin(pt orb.Point, limit float64) float64 {
	near := CircleBound(pt, limit)
	if len(p.edges) == 0 || !p.bound.Intersects(near) {
		return math.Inf(1)
	}
	if p.Contains(pt) {
		return 0
	}
	pl := NewPlane(pt)
	nearest := math.Inf(1)
	first, last := p.band(near.Min[1]), p.band(near.Max[1])
	for _, s := range p.edges[p.start[first]:p.start[last+1]] {
		if max(s.a[0], s.b[0]) >= near.Min[0] && min(s.a[0], s.b[0]) <= near.Max[0] {
			nearest = min(nearest, pl.SegmentDistance(pt, s.a, s.b))
		}
	}
	if nearest > limit {
		return math.Inf(1)
	}
	return nearest
}
