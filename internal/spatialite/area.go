package spatialite

import (
	"math"

	"github.com/paulmach/orb"
)

// The WGS 84 ellipsoid.
const (
	semiMajor  = 6378137.0
	flattening = 1 / 298.257223563
)

// AreaM2 is the area of a valid geometry of longitudes and latitudes on the WGS 84 ellipsoid, in square metres. Edges
// are straight in longitude and latitude, as maps and GeoJSON have them, not geodesics: a border along a parallel
// follows the parallel. It is exact to about 1e-10 of the area.
func AreaM2(g orb.MultiPolygon) float64 {
	var total float64
	for _, polygon := range g {
		for i, ring := range polygon {
			area := math.Abs(ringArea(ring))
			if i > 0 {
				area = -area
			}
			total += area
		}
	}
	return total
}

// ringArea integrates the area between each edge and the parallel of the ring's first point.
func ringArea(ring orb.Ring) float64 {
	if len(ring) < 4 {
		return 0
	}
	base := zone(ring[0][1])
	var sum float64
	for i := 1; i < len(ring); i++ {
		sum += edgeArea(ring[i-1], ring[i], base)
	}
	return sum * math.Pi / 180
}

// Nodes and weights of Gauss-Legendre quadrature with three points on [0, 1].
var (
	nodes   = [3]float64{0.5 - 0.3872983346207417, 0.5, 0.5 + 0.3872983346207417}
	weights = [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
)

// edgeArea is the integral over the edge's degrees of longitude; edges are cut to half a degree of latitude, where
// three nodes are as good as exact.
func edgeArea(a, b orb.Point, base float64) float64 {
	width := b[0] - a[0]
	if width == 0 {
		return 0
	}
	rise := b[1] - a[1]
	if rise == 0 {
		return width * (zone(a[1]) - base)
	}
	pieces := math.Ceil(math.Abs(rise) / 0.5)
	var sum float64
	for piece := range int(pieces) {
		for n, node := range nodes {
			sum += weights[n] * (zone(a[1]+rise*(float64(piece)+node)/pieces) - base)
		}
	}
	return sum / pieces * width
}

// zone is the area, in m² per radian of longitude, between the equator and a latitude in degrees.
func zone(lat float64) float64 {
	e2 := flattening * (2 - flattening)
	e := math.Sqrt(e2)
	s := math.Sin(lat * math.Pi / 180)
	return semiMajor * semiMajor * (1 - e2) / 2 * (s/(1-e2*s*s) + math.Atanh(e*s)/e)
}

// plane lays a geometry on a local plane in metres around center. Near it distances hold to about 1e-3; far from it
// they grow with latitude.
func plane(g orb.MultiPolygon, center orb.Point) orb.MultiPolygon {
	const degree = semiMajor * math.Pi / 180
	shrink := math.Cos(center[1] * math.Pi / 180)
	laid := g.Clone()
	for _, polygon := range laid {
		for _, ring := range polygon {
			for i, p := range ring {
				ring[i] = orb.Point{(p[0] - center[0]) * degree * shrink, (p[1] - center[1]) * degree}
			}
		}
	}
	return laid
}

// Polygons picks the areas out of any geometry: a polygon, a multipolygon, or those in a collection.
func Polygons(g orb.Geometry) orb.MultiPolygon {
	switch g := g.(type) {
	case orb.Polygon:
		return orb.MultiPolygon{g}
	case orb.MultiPolygon:
		return g
	case orb.Collection:
		var all orb.MultiPolygon
		for _, member := range g {
			all = append(all, Polygons(member)...)
		}
		return all
	}
	return nil
}

// orient turns outer rings counter-clockwise and holes clockwise, in a copy.
func orient(g orb.MultiPolygon) orb.MultiPolygon {
	g = g.Clone()
	for _, polygon := range g {
		for i, ring := range polygon {
			want := orb.CCW
			if i > 0 {
				want = orb.CW
			}
			if ring.Orientation() != want {
				ring.Reverse()
			}
		}
	}
	return g
}
