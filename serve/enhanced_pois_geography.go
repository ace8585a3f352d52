package serve

import (
	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/param"
)

const (
	maxBuffer     = 10000.0 // metres beyond the border of a geography
	metresPerMile = 1609.344
)

// unit names of distances.
const (
	metre = "meter"
	mile  = "mile"
)

// enhancedGeographyQuery is the query of GET /v3/enhanced-pois/{geog_id}.
type enhancedGeographyQuery struct {
	Buffer     param.Value[float64]
	BufferUnit param.Value[string]
	poiFilter
}

// belowMetro are the levels whose geographies POIs can be asked for.
var belowMetro = []schemas.Level{
	schemas.Neighbourhood, schemas.Borough, schemas.Municipality, schemas.PostalArea,
	schemas.CountySubdivision, schemas.County, schemas.Region,
}

var enhancedPOIsOfGeography = define(route{
	path:    "/v3/enhanced-pois/{geog_id}",
	product: "pois",
	summary: "Points of interest in and near a geography",
	doc:     "For geographies below metro level. Sorted by ascending distance from the geography's centroid.",
	levels:  belowMetro,
	answer:  schemas.EnhancedPOIsAnswer{},
	refuses: []error{errRegion},
}, param.NewSet((*enhancedGeographyQuery).check,
	append([]*param.Param[enhancedGeographyQuery]{
		param.FromZero("buffer", 0, func(q *enhancedGeographyQuery) *param.Value[float64] { return &q.Buffer }).
			Doc("Distance beyond the geography's border to search, at most 10000 metres."),
		param.Choice("buffer_unit", metre, []string{metre, mile}, func(q *enhancedGeographyQuery) *param.Value[string] { return &q.BufferUnit }).
			Doc("Unit of buffer; a mile is 1609.344 metres."),
	}, filterParams(func(q *enhancedGeographyQuery) *poiFilter { return &q.poiFilter })...)...,
), answerEnhancedPOIsOfGeography)

// bufferMetres is the buffer in metres.
func (q *enhancedGeographyQuery) bufferMetres() float64 {
	if q.BufferUnit.V == mile {
		return q.Buffer.V * metresPerMile
	}
	return q.Buffer.V
}

func (q *enhancedGeographyQuery) check() error {
	if q.bufferMetres() > maxBuffer {
		return param.Bad("buffer is %v %s, at most %v meters are searched", q.Buffer.V, q.BufferUnit.V, maxBuffer)
	}
	return nil
}

func answerEnhancedPOIsOfGeography(x *exchange, q *enhancedGeographyQuery) error {
	i, err := x.view.geography(lastSegment(pathOf(x.r.URL)))
	if err != nil {
		return err
	}
	table := x.view.release.Geographies
	centroid, outline := table.Centroid(i), table.Area(i)
	shape := pois.Shape{Lng: centroid[0], Lat: centroid[1], Area: &outline, BufferM: q.bufferMetres()}
	x.searchPOIs(shape, &q.poiFilter, x.view.deprecation(i))
	return nil
}
