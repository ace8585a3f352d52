package geo

import (
	"math"

	"github.com/paulmach/orb"
)

// Area is the area of a multipolygon in square metres on the ellipsoid, without its holes. The first ring of a polygon is
// the outer one; the direction of the rings does not matter.
func Area(m orb.MultiPolygon) float64 {
	total := 0.0
	for _, polygon := range m {
		for i, ring := range polygon {
			if area := math.Abs(ringArea(ring)); i == 0 {
				total += area
			} else {
				total -= area
			}
		}
	}
	return max(0, total)
}

// Nodes and weights of Gauss and Legendre on [0, 1]: three of them integrate an edge of one degree to 1e-9 of its area.
var gauss = [3][2]float64{
	{0.5 - 0.3872983346207417, 5.0 / 18},
	{0.5, 8.0 / 18},
	{0.5 + 0.3872983346207417, 5.0 / 18},
}

// ringArea is the signed area of a ring in square metres, positive if it is counter-clockwise: by Green's
// theorem the integral over longitude of the zone between the equator and the edge.
func ringArea(ring orb.Ring) float64 {
	const longest = 1.0 // degrees of latitude per set of nodes
	sum := 0.0
	if len(ring) == 0 {
		return 0
	}
	// Zones are taken relative to the first vertex, so that small rings lose no digits.
	base := zone(ring[0][1])
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		if a[0] == b[0] {
			continue
		}
		pieces := math.Ceil(math.Abs(b[1]-a[1]) / longest)
		pieces = min(max(pieces, 1), 1000)
		mean := 0.0
		for piece := range int(pieces) {
			for _, node := range gauss {
				t := (float64(piece) + node[0]) / pieces
				mean += node[1] / pieces * (zone(a[1]+t*(b[1]-a[1])) - base)
			}
		}
		sum -= mean * (b[0] - a[0]) * Radian
	}
	return sum
}

// zone is the area in square metres between the equator and a latitude, in one radian of longitude.
func zone(lat float64) float64 {
	e := math.Sqrt(Eccentricity2)
	sin := math.Sin(lat * Radian)
	return semiMinor * semiMinor / 2 * (sin/(1-Eccentricity2*sin*sin) + math.Atanh(e*sin)/e)
}

// SignedArea is the area of a ring in the plane, in square units of its coordinates, positive if it is
// counter-clockwise. Coordinates are taken relative to the first vertex, so that small rings lose no digits.
func SignedArea(ring orb.Ring) float64 {
	var sum float64
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		sum += (a[0]-ring[0][0])*(b[1]-ring[0][1]) - (b[0]-ring[0][0])*(a[1]-ring[0][1])
	}
	return sum / 2
}
