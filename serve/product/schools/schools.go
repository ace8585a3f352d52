// Package schools answers with the primary and high schools around a point or in a polygon.
package schools

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/strips"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// The limits of a search.
const (
	DefaultRadiusM = 5000.0
	MaxRadiusM     = 25000.0
	maxSchools     = 30 // of each list, and the default
)

// query is the query of GET /v3/schools.
type query struct {
	endpoint.Area
	Limit      param.Value[int]
	Language   param.Value[string]
	Catchments param.Value[bool]
}

// Around is GET /v3/schools.
func Around() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "findSchools",
		Path:    "/v3/schools",
		Key:     account.Publishable,
		Product: "schools",
		Summary: "Schools around a point or in a polygon",
		Doc: "Primary schools have preschool, elementary or middle grades, high schools middle or secondary ones; a school of unknown levels " +
			"is in both. " +
			"Each list is sorted by ascending distance from the point or the polygon's centroid. With catchments the schools whose catchment " +
			"holds the point are listed at any distance. What is not known of a school is absent.",
		Body:    schemas.SchoolsAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion},
	}, param.NewSet((*query).check,
		param.Latitude("lat", func(q *query) *param.Value[float64] { return &q.Lat }),
		param.Longitude("lng", func(q *query) *param.Value[float64] { return &q.Lng }),
		param.AboveZero("radius", DefaultRadiusM, func(q *query) *param.Value[float64] { return &q.Radius.Value }).
			Doc("Radius around the point, at most 25000 metres."),
		endpoint.UnitOf("radius", func(q *query) *endpoint.Distance { return &q.Radius }),
		endpoint.SmallPolygon(func(q *query) *param.Value[orb.Ring] { return &q.Polygon }),
		param.Count("limit", maxSchools, maxSchools, func(q *query) *param.Value[int] { return &q.Limit }).
			Doc("The maximum number of schools of each list; schools whose catchment holds the point are kept beyond it."),
		endpoint.Language("Language of levels, languages, types and programs; for schools in Canada alone.",
			func(q *query) *param.Value[string] { return &q.Language }),
		param.Flag("include_catchments", func(q *query) *param.Value[bool] { return &q.Catchments }).
			Doc("Whether to include the catchments of each school, and around a point every school whose catchment holds it, also beyond the "+
				"radius."),
	), answer)
}

func (q *query) check() error {
	if q.Radius.Metres() > MaxRadiusM {
		return param.Bad("radius", param.OutOfRange, "radius is %v %s, it must be at most %v meters", q.Radius.Value.V, q.Radius.Unit.V,
			MaxRadiusM)
	}
	return q.Area.Check(endpoint.CheckSmallBox)
}

var schoolsMeta = endpoint.OpenMeta("schools")

// answer appends a schemas.SchoolsAnswer to the body.
func answer(r *endpoint.Request, q *query, found *schools.Result) error {
	lng, lat, err := q.Area.CheckPlace(r)
	if err != nil {
		return err
	}
	search := schools.Query{Shape: strips.Shape{Lng: lng, Lat: lat, RadiusM: q.Radius.Metres()}, Limit: q.Limit.V}
	if q.Polygon.Given {
		outline, err := coord.NewArea(orb.MultiPolygon{{q.Polygon.V}})
		if err != nil {
			return param.Bad("polygon", param.Malformed, "polygon: %v", err)
		}
		search.Area = &outline
	}
	search.Holding = q.Catchments.V && search.Area == nil
	r.Release.Schools(&search, found)
	form := schools.Form{French: q.Language.V == "fr", Catchments: q.Catchments.V, Lng: lng, Lat: lat}
	b := append(r.Body, `{"data":{"primary_schools":[`...)
	b = appendSchools(b, r, found.Primary, &form)
	b = append(b, `],"high_schools":[`...)
	b = appendSchools(b, r, found.High, &form)
	r.Body = endpoint.Append(b, `]},"meta":`, schoolsMeta, `}}`)
	return nil
}

func appendSchools(b []byte, r *endpoint.Request, hits []strips.Hit, form *schools.Form) []byte {
	for _, hit := range hits {
		b = endpoint.AppendComma(b)
		b = r.Release.SchoolTable().AppendSchool(b, hit, form)
	}
	return b
}
