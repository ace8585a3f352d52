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
	const longest = 1.0 // degrees of latitude for which the nodes are enough
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
		mean := 0.0
		if math.Abs(b[1]-a[1]) > longest {
			mean = meanZone(a[1], b[1]) - base
		} else {
			for _, node := range gauss {
				mean += node[1] * (zone(a[1]+node[0]*(b[1]-a[1])) - base)
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

// harmonics are the factors of sin φ, sin 3φ, sin 5φ … of which zone, at the latitude φ, is the sum. They come from its series in
// powers of the sine; with six of them it is right to 1e-15.
var harmonics = func() (out [6]float64) {
	for j := range 8 {
		power := math.Pow(Eccentricity2, float64(j)) * float64(2*j+2) / float64(2*j+1) / math.Pow(4, float64(j))
		for k, binomial := j, 1.0; k >= 0; k-- { // binomial is 2j+1 over j−k
			if k < len(out) {
				out[k] += semiMinor * semiMinor / 2 * power * binomial * float64(1-2*(k%2))
			}
			binomial *= float64(j+k+1) / float64(j-k+1)
		}
	}
	return out
}()

// meanZone is the mean of zone between two latitudes, however far apart.
func meanZone(south, north float64) float64 {
	middle, half := (south+north)/2*Radian, (north-south)/2*Radian
	sum := 0.0
	for k, factor := range harmonics {
		m := float64(2*k + 1)
		sum += factor * math.Sin(m*middle) * math.Sin(m*half) / (m * half)
	}
	return sum
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
