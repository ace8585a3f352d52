package serve

import (
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/pois"
	"quartier/serve/param"
)

// The limits of an area that POIs are searched in.
const (
	defaultRadius   = 5000.0  // metres
	maxRadius       = 25000.0 // metres
	maxPolygonChars = 5000
	maxDiagonal     = 70000.0 // metres from the southwest to the northeast of a polygon's box; it must be less
)

// area is where a POI search looks: around a point, or in a polygon.
type area struct {
	Lat, Lng, Radius param.Value[float64]
	Polygon          param.Value[orb.Ring]
}

// withArea declares the parameters of an area before those of an endpoint.
func withArea[Q any](at func(*Q) *area, more ...*param.Param[Q]) []*param.Param[Q] {
	return append([]*param.Param[Q]{
		param.Latitude("lat", func(q *Q) *param.Value[float64] { return &at(q).Lat }),
		param.Longitude("lng", func(q *Q) *param.Value[float64] { return &at(q).Lng }),
		param.Positive("radius", maxRadius, defaultRadius, func(q *Q) *param.Value[float64] { return &at(q).Radius }).
			Doc("Radius around the point in metres."),
		param.Area("polygon", maxPolygonChars, func(q *Q) *param.Value[orb.Ring] { return &at(q).Polygon }).
			Doc("WKT POLYGON of one closed ring, longitude before latitude, instead of lat and lng. " +
				"The southwest to northeast diagonal of its bounding box must be under 70 km."),
	}, more...)
}

// check judges the parameters of an area together.
func (a *area) check() error {
	switch {
	case a.Polygon.Given && (a.Lat.Given || a.Lng.Given || a.Radius.Given):
		return param.Bad("polygon cannot be combined with lat, lng or radius")
	case a.Polygon.Given:
		return a.checkExtent()
	case a.Lat.Given != a.Lng.Given:
		return param.Bad("lat and lng go together")
	case !a.Lat.Given:
		return param.Bad("give either lat and lng, or polygon")
	}
	return nil
}

// checkExtent judges a polygon's box. It does so also where vertices lie out of range, which is told only then.
func (a *area) checkExtent() error {
	if a.Polygon.V == nil {
		return nil // refused for its vertices already
	}
	bound := a.Polygon.V.Bound()
	// Far apart the distance means little: it goes the short way, over the antimeridian, and latitudes beyond the poles
	// come round again.
	width, height := bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]
	if width > 180 || height > 1 {
		return param.Bad("polygon: its bounding box is %.7g by %.7g degrees, its diagonal must be under %.0f m", width, height, maxDiagonal)
	}
	bound.Min[1], bound.Max[1] = min(max(bound.Min[1], -90), 90), min(max(bound.Max[1], -90), 90)
	if diagonal := geo.Distance(bound.Min, bound.Max); !(diagonal < maxDiagonal) {
		return param.Bad("polygon: the diagonal of its bounding box is %.0f m, it must be under %.0f m", diagonal, maxDiagonal)
	}
	return nil
}

// shape judges the place of an area and makes it ready for a search. The place of a polygon is its centroid.
func (x *exchange) shape(a *area) (pois.Shape, error) {
	if !a.Polygon.Given {
		return pois.Shape{Lng: a.Lng.V, Lat: a.Lat.V, RadiusM: a.Radius.V}, x.view.place(a.Lng.V, a.Lat.V)
	}
	centre, _ := planar.CentroidArea(a.Polygon.V)
	if err := x.view.place(centre[0], centre[1]); err != nil {
		return pois.Shape{}, err
	}
	outline, err := coord.NewArea(orb.MultiPolygon{{a.Polygon.V}})
	if err != nil {
		return pois.Shape{}, param.Bad("polygon: %v", err)
	}
	return pois.Shape{Lng: centre[0], Lat: centre[1], Area: &outline}, nil
}
