package pois

import (
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/pois"
	"quartier/serve/endpoint"
	"quartier/serve/param"
)

// The limits of an area that POIs are searched in.
const (
	DefaultRadiusM = 5000.0
	MaxRadiusM     = 25000.0
	maxDiagonalM   = 70000.0 // exclusive; from the southwest to the northeast corner of a polygon's box
)

// area is where a search looks: around a point, or in a polygon.
type area struct {
	Lat, Lng, Radius param.Value[float64]
	Polygon          param.Value[orb.Ring]
}

// withArea declares the parameters of an area, followed by others.
func withArea[Q any](at func(*Q) *area, more ...*param.Param[Q]) []*param.Param[Q] {
	return append([]*param.Param[Q]{
		param.Latitude("lat", func(q *Q) *param.Value[float64] { return &at(q).Lat }),
		param.Longitude("lng", func(q *Q) *param.Value[float64] { return &at(q).Lng }),
		param.Positive("radius", MaxRadiusM, DefaultRadiusM, func(q *Q) *param.Value[float64] { return &at(q).Radius }).
			Doc("Radius around the point in metres."),
		param.Area("polygon", endpoint.MaxPolygonChars, func(q *Q) *param.Value[orb.Ring] { return &at(q).Polygon }).
			Doc("WKT POLYGON of one closed ring, longitude before latitude, instead of lat and lng. " +
				"The southwest to northeast diagonal of its bounding box must be under 70 km."),
	}, more...)
}

// check checks the parameters of an area together.
func (a *area) check() error {
	switch {
	case a.Polygon.Given && (a.Lat.Given || a.Lng.Given || a.Radius.Given):
		return param.Bad("polygon cannot be combined with lat, lng or radius")
	case a.Polygon.Given:
		return a.checkExtent()
	case a.Lat.Given != a.Lng.Given:
		return param.Bad("lat and lng must be given together")
	case !a.Lat.Given:
		return param.Bad("give either lat and lng, or polygon")
	}
	return nil
}

// checkExtent checks the box of a polygon. Its vertices may be out of range: that is reported only if the box is small
// enough.
func (a *area) checkExtent() error {
	if a.Polygon.V == nil {
		return nil // rejected for its vertices already
	}
	bound := a.Polygon.V.Bound()
	// A distance is the shorter way round, across the antimeridian, and latitudes beyond the poles wrap: a large box
	// can have a short diagonal.
	width, height := bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]
	if width > 180 || height > 1 {
		return param.Bad("polygon: its bounding box is %.7g by %.7g degrees, its diagonal must be under %.0f m", width, height, maxDiagonalM)
	}
	bound.Min[1], bound.Max[1] = min(max(bound.Min[1], -90), 90), min(max(bound.Max[1], -90), 90)
	if diagonal := geo.Distance(bound.Min, bound.Max); !(diagonal < maxDiagonalM) {
		return param.Bad("polygon: the diagonal of its bounding box is %.0f m, it must be under %.0f m", diagonal, maxDiagonalM)
	}
	return nil
}

// shape checks the place of an area, which is the centroid of a polygon, and prepares the area for a search.
func (a *area) shape(r *endpoint.Request) (pois.Shape, error) {
	if !a.Polygon.Given {
		return pois.Shape{Lng: a.Lng.V, Lat: a.Lat.V, RadiusM: a.Radius.V}, r.Release.CheckPlace(a.Lng.V, a.Lat.V)
	}
	centre, _ := planar.CentroidArea(a.Polygon.V)
	if err := r.Release.CheckPlace(centre[0], centre[1]); err != nil {
		return pois.Shape{}, err
	}
	outline, err := coord.NewArea(orb.MultiPolygon{{a.Polygon.V}})
	if err != nil {
		return pois.Shape{}, param.Bad("polygon: %v", err)
	}
	return pois.Shape{Lng: centre[0], Lat: centre[1], Area: &outline}, nil
}
