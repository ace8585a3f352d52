package endpoint

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/serve/param"
)

// Area is where an endpoint looks: around a point, or in a polygon.
type Area struct {
	Lat, Lng param.Value[float64]
	Radius   Distance
	Polygon  param.Value[orb.Ring]
}

// Check checks that the parameters are those of a point or of a polygon, and the extent of a polygon by checkExtent.
// Its vertices may be out of range: param reports that only if nothing else is wrong.
func (a *Area) Check(checkExtent func(box orb.Bound) error) error {
	switch {
	case a.Polygon.Given && (a.Lat.Given || a.Lng.Given || a.Radius.Value.Given):
		return param.Bad("polygon", param.Conflicting, "polygon cannot be combined with lat, lng or radius")
	case a.Polygon.Given && a.Polygon.V == nil:
		return nil // rejected for its vertices already
	case a.Polygon.Given:
		return checkExtent(a.Polygon.V.Bound())
	case a.Lat.Given != a.Lng.Given:
		return param.Alone(a.Lat.Given, "lat", "lng")
	case !a.Lat.Given:
		return param.Bad("lat", param.Required, "give either lat and lng, or polygon")
	}
	return nil
}

// CheckPlace returns the place of the area, its point or the centroid of its polygon, after scope.Release.CheckPlace.
func (a *Area) CheckPlace(r *Request) (lng, lat float64, err error) {
	lng, lat = a.Lng.V, a.Lat.V
	if a.Polygon.Given {
		centre, _ := planar.CentroidArea(a.Polygon.V)
		lng, lat = centre[0], centre[1]
	}
	return lng, lat, r.Release.CheckPlace(lng, lat)
}

// The limits of a polygon in products that look at all of it.
const (
	SmallExtent = 0.5         // degrees from south to north and from west to east
	maxCells    = 1000        // geohash-6 cells that its box touches
	cellWidth   = 45.0 / 4096 // of a geohash-6 cell, degrees of longitude
	cellHeight  = 45.0 / 8192 // degrees of latitude
)

// SmallPolygon declares the polygon that CheckSmallBox checks.
func SmallPolygon[Q any](at func(*Q) *param.Value[orb.Ring]) *param.Param[Q] {
	return param.Area("polygon", MaxPolygonChars, at).
		Doc("WKT POLYGON of one closed ring, longitude before latitude, instead of lat and lng. Its bounding box may extend " +
			"over 0.5 degrees and touch 1000 geohash-6 cells.")
}

// CheckSmallBox checks the box of a polygon.
func CheckSmallBox(box orb.Bound) error {
	width, height := box.Max[0]-box.Min[0], box.Max[1]-box.Min[1]
	if width > SmallExtent || height > SmallExtent {
		return param.Bad("polygon", param.TooLarge, "polygon: its bounding box is %.7g by %.7g degrees, at most %v in each direction are allowed",
			width, height, SmallExtent)
	}
	touched := func(from, to, step float64) int { return int(math.Floor(to/step)-math.Floor(from/step)) + 1 }
	if cells := touched(box.Min[0], box.Max[0], cellWidth) * touched(box.Min[1], box.Max[1], cellHeight); cells > maxCells {
		return param.Bad("polygon", param.TooLarge, "polygon: its bounding box touches %d geohash-6 cells, at most %d are allowed",
			cells, maxCells)
	}
	return nil
}
