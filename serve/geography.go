package serve

import (
	"quartier/schemas"
	"quartier/serve/param"
)

// geographyQuery is the query of GET /v3/geographies/{geog_id}.
type geographyQuery struct {
	Include param.Value[string]
}

var geography = define(route{
	path:    "/v3/geographies/{geog_id}",
	product: "geographies",
	summary: "One geography by its id",
	doc: "A boundary version that was superseded answers with its last data, and meta.deprecation names the current " +
		"version where there is one.",
	levels:  schemas.Levels,
	answer:  schemas.GeographiesAnswer{},
	refuses: []error{errRegion},
}, param.NewSet(nil,
	param.Choice("include", "", []string{"geometry"}, func(q *geographyQuery) *param.Value[string] { return &q.Include }).
		Doc("Also return the geometry, of Canadian geographies only."),
), answerGeography)

func answerGeography(x *exchange, q *geographyQuery) error {
	i, err := x.view.geography(lastSegment(pathOf(x.r.URL)))
	if err != nil {
		return err
	}
	x.found = append(x.found[:0], i)
	x.writeGeographies(q.Include.Given, x.view.deprecation(i))
	return nil
}
