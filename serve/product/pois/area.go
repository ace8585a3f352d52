package pois

import (
	"github.com/paulmach/orb"

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

// withArea declares the parameters of an area, followed by others.
func withArea[Q any](at func(*Q) *endpoint.Area, more ...*param.Param[Q]) []*param.Param[Q] {
	return append([]*param.Param[Q]{
		param.Latitude("lat", func(q *Q) *param.Value[float64] { return &at(q).Lat }),
		param.Longitude("lng", func(q *Q) *param.Value[float64] { return &at(q).Lng }),
		param.Positive("radius", MaxRadiusM, DefaultRadiusM, func(q *Q) *param.Value[float64] { return &at(q).Radius.Value }).
			Doc("Radius around the point in metres."),
		param.Area("polygon", endpoint.MaxPolygonChars, func(q *Q) *param.Value[orb.Ring] { return &at(q).Polygon }).
			Doc("WKT POLYGON of one closed ring, longitude before latitude, instead of lat and lng. " +
				"The southwest to northeast diagonal of its bounding box must be under 70 km."),
	}, more...)
}

// checkExtent checks the box of a polygon.
func checkExtent(box orb.Bound) error {
	// A distance is the shorter way round, across the antimeridian, and latitudes beyond the poles wrap: a large box
	// can have a short diagonal.
	width, height := box.Max[0]-box.Min[0], box.Max[1]-box.Min[1]
	if width > 180 || height > 1 {
		return param.Bad("polygon", param.TooLarge, "polygon: its bounding box is %.7g by %.7g degrees, its diagonal must be under %.0f m", width,
			height, maxDiagonalM)
	}
	box.Min[1], box.Max[1] = min(max(box.Min[1], -90), 90), min(max(box.Max[1], -90), 90)
	if diagonal := geo.Distance(box.Min, box.Max); !(diagonal < maxDiagonalM) {
		return param.Bad("polygon", param.TooLarge, "polygon: the diagonal of its bounding box is %.0f m, it must be under %.0f m", diagonal,
			maxDiagonalM)
	}
	return nil
}

// shapeOf checks the place of an area and prepares the area for a search.
func shapeOf(a *endpoint.Area, r *endpoint.Request) (pois.Shape, error) {
	lng, lat, err := a.CheckPlace(r)
	if err != nil || !a.Polygon.Given {
		return pois.Shape{Lng: lng, Lat: lat, RadiusM: a.Radius.Metres()}, err
	}
	outline, err := coord.NewArea(orb.MultiPolygon{{a.Polygon.V}})
	if err != nil {
		return pois.Shape{}, param.Bad("polygon", param.Malformed, "polygon: %v", err)
	}
	return pois.Shape{Lng: lng, Lat: lat, Area: &outline}, nil
}
