package pois

import (
	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

const maxBufferM = 10000.0 // beyond the border of a geography

// byGeographyQuery is the query of GET /v3/enhanced-pois/{geog_id}.
type byGeographyQuery struct {
	Buffer endpoint.Distance
	filter
}

// ByGeography is GET /v3/enhanced-pois/{geog_id}.
func ByGeography() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "findEnhancedPoisOfGeography",
		Path:    "/v3/enhanced-pois/{geog_id}",
		Product: "pois",
		Summary: "Points of interest in and near a geography",
		Doc:     "For geographies below metro level. Sorted by ascending distance from the geography's centroid.",
		Levels:  endpoint.BelowMetro,
		Body:    schemas.EnhancedPOIsAnswer{},
		Refuses: []error{scope.ErrRegion},
	}, param.NewSet((*byGeographyQuery).check,
		append([]*param.Param[byGeographyQuery]{
			param.FromZero("buffer", 0, func(q *byGeographyQuery) *param.Value[float64] { return &q.Buffer.Value }).
				Doc("Distance beyond the geography's border to search, at most 10000 metres."),
			endpoint.UnitOf("buffer", func(q *byGeographyQuery) *endpoint.Distance { return &q.Buffer }),
		}, filterParams(func(q *byGeographyQuery) *filter { return &q.filter })...)...,
	), answerByGeography)
}

func (q *byGeographyQuery) check() error {
	if q.Buffer.Metres() > maxBufferM {
		return param.Bad("buffer", param.OutOfRange, "buffer is %v %s, it must be at most %v meters", q.Buffer.Value.V, q.Buffer.Unit.V,
			maxBufferM)
	}
	return nil
}

func answerByGeography(r *endpoint.Request, q *byGeographyQuery, found *pois.Result) error {
	i, err := r.Release.Geography(r.Segment)
	if err != nil {
		return err
	}
	centroid, outline := r.Release.Centroid(i), r.Release.Area(i)
	shape := pois.Shape{Lng: centroid[0], Lat: centroid[1], Area: &outline, BufferM: q.Buffer.Metres()}
	q.filter.search(r, shape, r.Release.Deprecation(i), found)
	return nil
}
