package network

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// ruler measures short ways on the ellipsoid by the plane at their latitude, which is taken from bands of a few hundred
// metres: lengths are within 0.03 % below 70 degrees and depend on the ends alone.
type ruler struct {
	band int32 // counted from 1, so that an empty ruler has none
	x, y float64
}

const bandBits = 16 // of the units of a coord.Point: 0.0066 degrees

// metres is the length of the straight way from a to b.
func (r *ruler) metres(a, b coord.Point) float64 {
	r.at(a.Lat/2 + b.Lat/2)
	dx := float64(int64(b.Lng)-int64(a.Lng)) * r.x
	dy := float64(int64(b.Lat)-int64(a.Lat)) * r.y
	return math.Sqrt(dx*dx + dy*dy)
}

// at sets the ruler for a latitude: x and y are the metres in a unit of longitude and of latitude.
func (r *ruler) at(lat int32) {
	band := (lat+90*coord.Scale)>>bandBits + 1
	if band == r.band {
		return
	}
	middle := min(float64((band-1)<<bandBits+1<<(bandBits-1))/coord.Scale-90, 90)
	x, y := geo.NewPlane(orb.Point{0, middle}).XY(orb.Point{1, middle + 1})
	r.band, r.x, r.y = band, x/coord.Scale, y/coord.Scale
}
