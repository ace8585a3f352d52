// Package pois answers searches for points of interest around a point, in a polygon and in a geography, and lists the
// categories, brands and tags that they can be filtered by.
package pois

import (
	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// maxPOIs is the maximum number of POIs that an enhanced search returns, and the default.
const maxPOIs = 500

// enhancedQuery is the query of GET /v3/enhanced-pois.
type enhancedQuery struct {
	endpoint.Area
	filter
}

// filter narrows an enhanced search.
type filter struct {
	Categories   param.Value[uint64] // bits by index in schemas.Categories; none: all
	Brands, Tags param.Value[[]string]
	Limit        param.Value[int]
}

// Enhanced is GET /v3/enhanced-pois.
func Enhanced() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "findEnhancedPois",
		Path:    "/v3/enhanced-pois",
		Product: "pois",
		Summary: "Points of interest around a point or in a polygon",
		Doc:     "Sorted by ascending distance from the point or the polygon's centroid.",
		Body:    schemas.EnhancedPOIsAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion},
	}, param.NewSet(func(q *enhancedQuery) error { return q.Area.Check(checkExtent) },
		withArea(func(q *enhancedQuery) *endpoint.Area { return &q.Area },
			filterParams(func(q *enhancedQuery) *filter { return &q.filter })...)...,
	), answerEnhanced)
}

// filterParams declares the parameters of a filter.
func filterParams[Q any](at func(*Q) *filter) []*param.Param[Q] {
	return []*param.Param[Q]{
		param.Subset("categories", schemas.CategoryIDs(schemas.Categories), func(q *Q) *param.Value[uint64] { return &at(q).Categories }).
			Doc("Categories, any of which a POI must have; all by default."),
		param.Words("brands", "[^,]+", endpoint.MaxItems, func(q *Q) *param.Value[[]string] { return &at(q).Brands }).
			Doc("Brand ids, any of which a POI must have; all by default. An unknown id matches nothing."),
		param.Words("tags", "[^,]+", endpoint.MaxItems, func(q *Q) *param.Value[[]string] { return &at(q).Tags }).
			Doc("Tag ids, any of which a POI must have; all by default. An unknown id matches nothing."),
		param.Count("limit", maxPOIs, maxPOIs, func(q *Q) *param.Value[int] { return &at(q).Limit }).
			Doc("The maximum number of POIs."),
	}
}

func answerEnhanced(r *endpoint.Request, q *enhancedQuery, found *pois.Result) error {
	shape, err := shapeOf(&q.Area, r)
	if err != nil {
		return err
	}
	q.filter.search(r, shape, nil, found)
	return nil
}

// search fills the body with the answer of an enhanced search.
func (f *filter) search(r *endpoint.Request, shape pois.Shape, deprecation *schemas.Deprecation, found *pois.Result) {
	query := pois.Query{
		Shape: shape, Filter: pois.Filter{Brands: f.Brands.V, Tags: f.Tags.V},
		Categories: pois.CategorySet(f.Categories.V), Limit: f.Limit.V,
	}
	r.Release.POIs(&query, found)
	writeEnhanced(r, query.Categories, deprecation, found)
}
