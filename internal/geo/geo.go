// Package geo is geometry on WGS 84 longitude and latitude in degrees: distances and areas on the ellipsoid, exact point
// in polygon, interior points, convex hulls, WKB, geohashes and the order of a Hilbert curve. Points, rings and polygons
// are those of package orb, x = longitude. Edges are straight lines in longitude and latitude, as in GeoJSON; nothing
// crosses the antimeridian. The package uses no cgo and no database.
package geo

import (
	"math"

	"github.com/paulmach/orb"
)

// Valid reports whether p is a finite point within ±180 and ±90 degrees.
func Valid(p orb.Point) bool {
	return math.Abs(p[0]) <= maxLongitude && math.Abs(p[1]) <= maxLatitude // false for NaN
}

// Distance is the geodesic distance of a and b on the ellipsoid in metres, by the first-order formula of Andoyer and
// Lambert: within 0.01 % unless the points are nearly antipodal.
func Distance(a, b orb.Point) float64 {
	if a == b {
		return 0
	}
	// Reduced latitudes turn the ellipsoid into a sphere whose great circles are near its geodesics.
	u1 := math.Atan((1 - Flattening) * math.Tan(a[1]*Radian))
	u2 := math.Atan((1 - Flattening) * math.Tan(b[1]*Radian))
	sinHalfLat := math.Sin((u2 - u1) / 2)
	sinHalfLng := math.Sin((b[0] - a[0]) * Radian / 2)
	h := sinHalfLat*sinHalfLat + math.Cos(u1)*math.Cos(u2)*sinHalfLng*sinHalfLng
	if h <= 0 {
		return 0
	}
	if h >= 1 {
		return math.Pi * meanRadius
	}
	sigma := 2 * math.Asin(math.Sqrt(h))
	sinP, cosP := math.Sincos((u1 + u2) / 2)
	sinQ, cosQ := math.Sincos((u2 - u1) / 2)
	x := (sigma - math.Sin(sigma)) * sinP * sinP * cosQ * cosQ / (1 - h)
	y := (sigma + math.Sin(sigma)) * cosP * cosP * sinQ * sinQ / h
	return SemiMajorM * (sigma - Flattening/2*(x+y))
}

// Plane is a flat map around a point, in metres east and north of it. Within 25 km of its origin and below 70
// degrees of latitude its distances are within 0.2 % of those on the ellipsoid.
type Plane struct {
	origin     orb.Point
	mLng, mLat float64 // metres in a degree
}

// NewPlane is the plane that touches the ellipsoid at origin.
func NewPlane(origin orb.Point) Plane {
	mLng, mLat := MetresPerDegree(origin[1])
	return Plane{origin, mLng, mLat}
}

// XY is the position of p in metres east and north of the origin.
func (pl Plane) XY(p orb.Point) (x, y float64) {
	return (p[0] - pl.origin[0]) * pl.mLng, (p[1] - pl.origin[1]) * pl.mLat
}

// Point is the longitude and latitude of a position x metres east and y metres north of the origin.
func (pl Plane) Point(x, y float64) orb.Point {
	return orb.Point{pl.origin[0] + x/pl.mLng, pl.origin[1] + y/pl.mLat}
}

// Distance is the distance in metres from the origin to p.
func (pl Plane) Distance(p orb.Point) float64 {
	x, y := pl.XY(p)
	return math.Hypot(x, y)
}

// SegmentDistance is the distance in metres from p to the nearest point of the segment a–b.
func (pl Plane) SegmentDistance(p, a, b orb.Point) float64 {
	px, py := pl.XY(p)
	ax, ay := pl.XY(a)
	bx, by := pl.XY(b)
	dx, dy := bx-ax, by-ay
	t := 0.0
	if length2 := dx*dx + dy*dy; length2 > 0 {
		t = min(1, max(0, ((px-ax)*dx+(py-ay)*dy)/length2))
	}
	return math.Hypot(px-ax-t*dx, py-ay-t*dy)
}

// Angle is the angle between the directions of the segments a–b and c–d in degrees, either way: 0–90; NaN if one of them
// has no length.
func (pl Plane) Angle(a, b, c, d orb.Point) float64 {
	x, y := (b[0]-a[0])*pl.mLng, (b[1]-a[1])*pl.mLat
	u, v := (d[0]-c[0])*pl.mLng, (d[1]-c[1])*pl.mLat
	if x == 0 && y == 0 || u == 0 && v == 0 {
		return math.NaN()
	}
	return math.Atan2(math.Abs(x*v-y*u), math.Abs(x*u+y*v)) * 180 / math.Pi
}

// DistanceTo is the distance in metres from p to the nearest point of m: 0 inside and on its edges, +Inf if m is empty. It
// is as exact as the Plane around p, within 0.2 % up to 25 km.
func DistanceTo(m orb.MultiPolygon, p orb.Point) float64 {
	if Contains(m, p) {
		return 0
	}
	pl := NewPlane(p)
	nearest := math.Inf(1)
	for _, polygon := range m {
		for _, ring := range polygon {
			for i := 1; i < len(ring); i++ {
				nearest = min(nearest, pl.SegmentDistance(p, ring[i-1], ring[i]))
			}
		}
	}
	return nearest
}

// CircleBound is the smallest box, rounded outward, that contains every point within radius metres of center. If the
// circle contains a pole or crosses the antimeridian the box spans all longitudes.
func CircleBound(center orb.Point, radius float64) orb.Bound {
	// More than the error of Distance, which is 0 for points that are nanometres apart.
	reach := 1.0001*radius + 1e-6
	// No degree of latitude is shorter than at the equator.
	dLat := reach / (SemiMajorM * (1 - Eccentricity2) * Radian)
	south, north := center[1]-dLat, center[1]+dLat
	world := orb.Bound{
		Min: orb.Point{-maxLongitude, max(south, -maxLatitude)},
		Max: orb.Point{maxLongitude, min(north, maxLatitude)},
	}
	if south <= -maxLatitude || north >= maxLatitude {
		return world
	}
	// The circle is widest poleward of its centre; its poleward parallel bounds it.
	poleward := max(math.Abs(south), math.Abs(north))
	dLng := reach / (SemiMajorM * math.Cos(poleward*Radian) * Radian)
	west, east := center[0]-dLng, center[0]+dLng
	if west < -maxLongitude || east > maxLongitude {
		return world
	}
	return orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{east, north}}
}
