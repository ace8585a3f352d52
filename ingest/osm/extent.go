package osm

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
)

// extent gathers where the nodes of a file lie: the westernmost and easternmost one of each band of latitude.
type extent map[int32]*[2]float64

// bandHeight, in degrees, is how far the extent may lie outside of the nodes: about 100 m.
const bandHeight = 0.001

func (e extent) add(p orb.Point) {
	band := int32(math.Floor(p[1] / bandHeight))
	if b := e[band]; b != nil {
		b[0], b[1] = min(b[0], p[0]), max(b[1], p[0])
	} else {
		e[band] = &[2]float64{p[0], p[0]}
	}
}

// area is the convex hull of the nodes, cut to the box that the file claims: outlines that were kept whole reach
// beyond the data. It is nil where there are no nodes.
func (e extent) area(box orb.Bound, boxed bool) orb.MultiPolygon {
	var corners []orb.Point
	for band, b := range e {
		south, north := float64(band)*bandHeight, float64(band+1)*bandHeight
		corners = append(corners, orb.Point{b[0], south}, orb.Point{b[0], north}, orb.Point{b[1], south}, orb.Point{b[1], north})
	}
	ring := hull(corners)
	if boxed && len(ring) > 0 {
		ring = clip.Ring(box, ring)
	}
	if len(ring) < 4 {
		return nil
	}
	return orb.MultiPolygon{{ring}}
}

// hull is the convex hull by Andrew's monotone chain, counter-clockwise and closed; nil where it has no area.
func hull(points []orb.Point) orb.Ring {
	slices.SortFunc(points, func(a, b orb.Point) int { return slices.Compare(a[:], b[:]) })
	points = slices.Compact(points)
	ring := half(nil, points)
	slices.Reverse(points)
	ring = half(ring[:max(len(ring)-1, 0)], points)
	if len(ring) < 4 {
		return nil
	}
	return ring
}

// half appends the part of the hull that lies to the right of sorted points.
func half(ring orb.Ring, points []orb.Point) orb.Ring {
	start := len(ring)
	for _, p := range points {
		for n := len(ring); n >= start+2 && turn(ring[n-2], ring[n-1], p) <= 0; n-- {
			ring = ring[:n-1]
		}
		ring = append(ring, p)
	}
	return ring
}

// turn is positive where the way from a over b to c turns left.
func turn(a, b, c orb.Point) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}
