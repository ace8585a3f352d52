package coord

import "quartier/internal/geo"

// Plane is a flat map in metres whose scale is that of the ellipsoid at one latitude. It is geo.Plane for Points, without
// a conversion to degrees. The zero value has no scale.
type Plane struct {
	origin Point
	x, y   float64 // metres in a unit of longitude and of latitude
}

// NewPlane is the plane that touches the ellipsoid at origin.
func NewPlane(origin Point) Plane {
	_, lat := origin.Degrees()
	return PlaneAt(origin, lat)
}

// PlaneAt is a plane around origin with the scale at a latitude in degrees, which may differ from the origin's.
func PlaneAt(origin Point, lat float64) Plane {
	x, y := geo.MetresPerDegree(lat)
	return Plane{origin, x / Scale, y / Scale}
}

// Delta is the way from a to b in metres east and north, not across the antimeridian.
func (pl Plane) Delta(a, b Point) (x, y float64) {
	return float64(int64(b.Lng)-int64(a.Lng)) * pl.x, float64(int64(b.Lat)-int64(a.Lat)) * pl.y
}

// XY is the position of p in metres east and north of the origin.
func (pl Plane) XY(p Point) (x, y float64) { return pl.Delta(pl.origin, p) }

// Square is the squared distance in metres from the origin to p.
func (pl Plane) Square(p Point) float64 {
	x, y := pl.XY(p)
	return x*x + y*y
}

// SquareToBox is the squared distance in metres from the origin to the nearest point of a box: 0 inside it.
func (pl Plane) SquareToBox(b Box) float64 {
	x := float64(outside(b.Min.Lng, b.Max.Lng, pl.origin.Lng)) * pl.x
	y := float64(outside(b.Min.Lat, b.Max.Lat, pl.origin.Lat)) * pl.y
	return x*x + y*y
}

// outside is how far v is outside the range from low to high.
func outside(low, high, v int32) int64 {
	return max(int64(low)-int64(v), int64(v)-int64(high), 0)
}
