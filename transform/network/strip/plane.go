package strip

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// Plane is geo.Plane for points of a pack, without a detour by degrees.
type Plane struct {
	origin coord.Point
	x, y   float64 // metres in a unit
}

// NewPlane is the plane around p.
func NewPlane(p coord.Point) Plane {
	at := Degrees(p)
	x, y := geo.NewPlane(at).XY(orb.Point{at[0] + 1, at[1] + 1})
	return Plane{p, x / coord.Scale, y / coord.Scale}
}

// XY is the place of q in metres east and north of the origin; both lie on one side of the antimeridian.
func (pl Plane) XY(q coord.Point) (x, y float64) {
	return float64(q.Lng-pl.origin.Lng) * pl.x, float64(q.Lat-pl.origin.Lat) * pl.y
}

// Square is the square of the distance in metres from the origin to q.
func (pl Plane) Square(q coord.Point) float64 {
	x, y := pl.XY(q)
	return x*x + y*y
}

// Degrees is a point of a pack as the rest of the geometry has it.
func Degrees(p coord.Point) orb.Point {
	lng, lat := p.Degrees()
	return orb.Point{lng, lat}
}
