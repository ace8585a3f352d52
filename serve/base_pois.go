package serve

import (
	"math/bits"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/param"
)

// The limits of POIs a category in a base search.
const (
	baseLimit       = 30  // the default, and the most with several categories
	baseLimitSingle = 500 // the most with one category
)

// baseQuery is the query of GET /v3/pois.
type baseQuery struct {
	area
	Include param.Value[uint64] // bits by place in schemas.BaseCategories
	Limit   param.Value[int]
}

var basePOIs = define(route{
	path:    "/v3/pois",
	product: "pois",
	summary: "Points of interest by category, around a point or in a polygon",
	doc:     "Each category is sorted by ascending distance from the point or the polygon's centroid.",
	answer:  schemas.BasePOIsAnswer{},
	refuses: []error{param.ErrRange, errOutside, errRegion},
}, param.NewSet((*baseQuery).check,
	withArea(func(q *baseQuery) *area { return &q.area },
		param.Subset("include", categoryIDs(schemas.BaseCategories), func(q *baseQuery) *param.Value[uint64] { return &q.Include }).
			Required().Doc("Categories to return, at least one."),
		param.Count("limit", baseLimitSingle, baseLimit, func(q *baseQuery) *param.Value[int] { return &q.Limit }).
			Doc("The most POIs to return of each category; at most 30 with several categories."))...,
), answerBasePOIs)

func (q *baseQuery) check() error {
	switch {
	case q.Include.V == 0:
		return param.Bad("include names no category")
	case bits.OnesCount64(q.Include.V) > 1 && q.Limit.V > baseLimit:
		return param.Bad("limit is %d, it must be from 1 to %d with several categories", q.Limit.V, baseLimit)
	}
	return q.area.check()
}

func answerBasePOIs(x *exchange, q *baseQuery) error {
	shape, err := x.shape(&q.area)
	if err != nil {
		return err
	}
	query := pois.BaseQuery{Shape: shape, Categories: pois.CategorySet(q.Include.V), Limit: q.Limit.V}
	x.view.basePOIs(&query, &x.baseHits)
	x.writeBasePOIs(query.Categories)
	return nil
}

var (
	baseMeta = openMeta("pois")
	baseKeys = keys(schemas.BaseCategories)
)

// writeBasePOIs fills the body, a schemas.BasePOIsAnswer, with the hits. The counts are of what matched in all.
func (x *exchange) writeBasePOIs(asked pois.CategorySet) {
	table, found := x.view.release.POIs, &x.baseHits
	b := append(x.body[:0], `{"data":{`...)
	first := true
	for i, key := range baseKeys {
		if !asked.Has(i) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, key...)
		b = append(b, '[')
		for n, hit := range found.Hits[i] {
			if n > 0 {
				b = append(b, ',')
			}
			b = table.AppendBasePOI(b, hit)
		}
		b = append(b, ']')
	}
	b = append(b, `},"meta":`...)
	b = append(b, baseMeta...)
	b = append(b, `,"counts":`...)
	b = appendCounts(b, baseKeys, found.Total[:], uint64(asked))
	x.body = append(b, `}}`...)
}
