package pois

import (
	"math/bits"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// The limits of POIs per category in a base search.
const (
	baseLimit       = 30  // the default, and the maximum with several categories
	baseLimitSingle = 500 // the maximum with one category
)

// baseQuery is the query of GET /v3/pois.
type baseQuery struct {
	endpoint.Area
	Include param.Value[uint64] // bits by index in schemas.BaseCategories
	Limit   param.Value[int]
}

// Base is GET /v3/pois.
func Base() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "findPois",
		Path:    "/v3/pois",
		Product: "pois",
		Summary: "Points of interest by category, around a point or in a polygon",
		Doc: "Each category is sorted by ascending distance from the point or the polygon's centroid. A category that is not known " +
			"there has a list only if some of its places are found, and no count: meta.unknown_categories has it.",
		Body:    schemas.BasePOIsAnswer{},
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion},
	}, param.NewSet((*baseQuery).check,
		withArea(func(q *baseQuery) *endpoint.Area { return &q.Area },
			param.Subset("include", schemas.CategoryIDs(schemas.BaseCategories), func(q *baseQuery) *param.Value[uint64] { return &q.Include }).
				Required().Doc("Categories to return, at least one."),
			param.Count("limit", baseLimitSingle, baseLimit, func(q *baseQuery) *param.Value[int] { return &q.Limit }).
				Doc("The maximum number of POIs of each category; at most 30 with several categories."))...,
	), answerBase)
}

func (q *baseQuery) check() error {
	if bits.OnesCount64(q.Include.V) > 1 && q.Limit.V > baseLimit {
		return param.Bad("limit", param.OutOfRange, "limit is %d, it must be from 1 to %d with several categories", q.Limit.V, baseLimit)
	}
	return q.Area.Check(checkExtent)
}

func answerBase(r *endpoint.Request, q *baseQuery, found *pois.BaseResult) error {
	shape, err := shapeOf(&q.Area, r)
	if err != nil {
		return err
	}
	query := pois.BaseQuery{Shape: shape, Categories: pois.CategorySet(q.Include.V), Limit: q.Limit.V}
	r.Release.BasePOIs(&query, found)
	writeBase(r, query.Categories, found)
	return nil
}

var (
	baseMeta = endpoint.OpenMeta("pois")
	baseKeys = keys(schemas.BaseCategories)

	baseNames = quoted(schemas.BaseCategories)
)

// writeBase appends a schemas.BasePOIsAnswer to the body. Its counts are of all matches.
func writeBase(r *endpoint.Request, selected pois.CategorySet, found *pois.BaseResult) {
	table := r.Release.POITable()
	b := append(r.Body, `{"data":{`...)
	for i, key := range baseKeys {
		if !selected.Has(i) || len(found.Hits[i]) == 0 && found.Known&(1<<i) == 0 {
			continue // not asked for, or nobody knows whether there are any
		}
		b = endpoint.AppendComma(b)
		b = append(b, key...)
		b = append(b, '[')
		for _, hit := range found.Hits[i] {
			b = endpoint.AppendComma(b)
			b = table.AppendBasePOI(b, hit)
		}
		b = append(b, ']')
	}
	b = endpoint.Append(b, `},"meta":`, baseMeta, `,"counts":`)
	asked := askedFor(selected, len(baseKeys))
	b = appendCounts(b, baseKeys, found.Total[:], asked&found.Known)
	b = appendUnknown(b, baseNames, asked&^found.Known)
	r.Body = append(b, `}}`...)
}
