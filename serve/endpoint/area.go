package endpoint

import (
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
		return param.Bad("polygon cannot be combined with lat, lng or radius")
	case a.Polygon.Given && a.Polygon.V == nil:
		return nil // rejected for its vertices already
	case a.Polygon.Given:
		return checkExtent(a.Polygon.V.Bound())
	case a.Lat.Given != a.Lng.Given:
		return param.Bad("lat and lng must be given together")
	case !a.Lat.Given:
		return param.Bad("give either lat and lng, or polygon")
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
