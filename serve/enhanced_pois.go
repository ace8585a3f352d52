package serve

import (
	"strconv"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/param"
)

// maxPOIs is the most POIs that an enhanced search returns, and the default.
const maxPOIs = 500

// enhancedQuery is the query of GET /v3/enhanced-pois.
type enhancedQuery struct {
	area
	poiFilter
}

// poiFilter is what the enhanced POI searches can be narrowed by.
type poiFilter struct {
	Categories   param.Value[uint64] // bits by place in schemas.Categories; none: all
	Brands, Tags param.Value[[]string]
	Limit        param.Value[int]
}

var enhancedPOIs = define(route{
	path:    "/v3/enhanced-pois",
	product: "pois",
	summary: "Points of interest around a point or in a polygon",
	doc:     "Sorted by ascending distance from the point or the polygon's centroid.",
	answer:  schemas.EnhancedPOIsAnswer{},
	refuses: []error{param.ErrRange, errOutside, errRegion},
}, param.NewSet((*enhancedQuery).check,
	withArea(func(q *enhancedQuery) *area { return &q.area },
		filterParams(func(q *enhancedQuery) *poiFilter { return &q.poiFilter })...)...,
), answerEnhancedPOIs)

// filterParams declares the parameters of a poiFilter.
func filterParams[Q any](at func(*Q) *poiFilter) []*param.Param[Q] {
	return []*param.Param[Q]{
		param.Subset("categories", categoryIDs(schemas.Categories), func(q *Q) *param.Value[uint64] { return &at(q).Categories }).
			Doc("Categories, any of which a POI must have; all by default."),
		param.Words("brands", "[^,]+", maxItems, func(q *Q) *param.Value[[]string] { return &at(q).Brands }).
			Doc("Brand ids, any of which a POI must have; all by default. An unknown id matches nothing."),
		param.Words("tags", "[^,]+", maxItems, func(q *Q) *param.Value[[]string] { return &at(q).Tags }).
			Doc("Tag ids, any of which a POI must have; all by default. An unknown id matches nothing."),
		param.Count("limit", maxPOIs, maxPOIs, func(q *Q) *param.Value[int] { return &at(q).Limit }).
			Doc("The most POIs to return."),
	}
}

func answerEnhancedPOIs(x *exchange, q *enhancedQuery) error {
	shape, err := x.shape(&q.area)
	if err != nil {
		return err
	}
	x.searchPOIs(shape, &q.poiFilter, nil)
	return nil
}

// searchPOIs fills the body with what a search of the enhanced endpoints finds.
func (x *exchange) searchPOIs(shape pois.Shape, f *poiFilter, deprecation *schemas.Deprecation) {
	query := pois.Query{
		Shape: shape, Filter: pois.Filter{Brands: f.Brands.V, Tags: f.Tags.V},
		Categories: pois.CategorySet(f.Categories.V), Limit: f.Limit.V,
	}
	x.view.pois(&query, &x.hits)
	x.writePOIs(query.Categories, deprecation)
}

var enhancedMeta = openMeta("enhanced-pois")

// writePOIs fills the body, a schemas.EnhancedPOIsAnswer, with the hits.
func (x *exchange) writePOIs(asked pois.CategorySet, deprecation *schemas.Deprecation) {
	table, hits := x.view.release.POIs, &x.hits
	table.ReadAhead(hits.Hits)
	b := append(x.body[:0], `{"data":{"results":[`...)
	for n, hit := range hits.Hits {
		if n > 0 {
			b = append(b, ',')
		}
		b = table.AppendPOI(b, hit)
	}
	b = append(b, `]},"meta":`...)
	b = append(b, enhancedMeta...)
	b = append(b, `,"counts":{"returned_by_category":`...)
	b = appendCounts(b, categoryKeys, hits.ReturnedByCategory[:], uint64(asked))
	b = append(b, `,"returned_count":`...)
	b = strconv.AppendInt(b, int64(len(hits.Hits)), 10)
	b = append(b, `,"total_by_category":`...)
	b = appendCounts(b, categoryKeys, hits.TotalByCategory[:], uint64(asked))
	b = append(b, `,"total_count":`...)
	b = strconv.AppendInt(b, int64(hits.TotalCount), 10)
	b = append(b, '}')
	b = appendDeprecation(b, deprecation)
	x.body = append(b, `}}`...)
}

var categoryKeys = keys(schemas.Categories)

// keys are the JSON of the ids of categories with a colon each.
func keys(categories []schemas.Category) []string {
	var out []string
	for _, c := range categories {
		out = append(out, `"`+c.ID+`":`)
	}
	return out
}

// appendCounts appends an object of the counts whose bits stand in asked, zeros included; 0 asks for all.
func appendCounts(b []byte, keys []string, counts []int, asked uint64) []byte {
	b = append(b, '{')
	first := true
	for i, key := range keys {
		if asked != 0 && asked&(1<<i) == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, key...)
		b = strconv.AppendInt(b, int64(counts[i]), 10)
	}
	return append(b, '}')
}

func categoryIDs(categories []schemas.Category) []string {
	var ids []string
	for _, c := range categories {
		ids = append(ids, c.ID)
	}
	return ids
}
