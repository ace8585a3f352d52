// Package coord has the coordinates of packs and of everything computed from them: WGS 84 points in integers of 1e-7
// degrees, about a centimetre, with areas, boxes, a tree of boxes and a metre plane. Equality and containment are exact,
// without a tolerance. Package geo has the counterparts in floating-point degrees.
package coord

import (
	"math"

	"github.com/paulmach/orb"
)

// Scale is the number of units in a degree: coordinates have seven decimals, about a centimetre.
const Scale = 1e7

// Point is a position on WGS 84 in units of 1e-7 degrees, as all packed coordinates are.
type Point struct {
	Lng, Lat int32
}

// NewPoint rounds a longitude and a latitude in degrees to units; false if they are not finite or outside ±180 and ±90.
func NewPoint(lng, lat float64) (Point, bool) {
	if !(math.Abs(lng) <= 180 && math.Abs(lat) <= 90) {
		return Point{}, false
	}
	return Point{int32(math.Round(lng * Scale)), int32(math.Round(lat * Scale))}, true
}

// Degrees returns the longitude and latitude of p, with at most seven decimals.
func (p Point) Degrees() (lng, lat float64) {
	return float64(p.Lng) / Scale, float64(p.Lat) / Scale
}

// Orb is p in degrees as a point of package orb.
func (p Point) Orb() orb.Point {
	lng, lat := p.Degrees()
	return orb.Point{lng, lat}
}
