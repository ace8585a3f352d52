package geographies

import (
	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// byIDQuery is the query of GET /v3/geographies/{geog_id}.
type byIDQuery struct {
	Include param.Value[string]
}

// ByID is GET /v3/geographies/{geog_id}.
func ByID() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getGeography",
		Path:    "/v3/geographies/{geog_id}",
		Key:     account.Publishable,
		Product: "geographies",
		Summary: "One geography by its id",
		Doc: "A superseded boundary version answers with its last data, and meta.deprecation names the current " +
			"version where there is one.",
		Levels:  schemas.Levels,
		Body:    schemas.GeographiesAnswer{},
		Refuses: []error{scope.ErrRegion},
	}, param.NewSet(nil,
		include(func(q *byIDQuery) *param.Value[string] { return &q.Include }),
	), answerByID)
}

func answerByID(r *endpoint.Request, q *byIDQuery, _ *struct{}) error {
	i, err := r.Release.Geography(r.Segment)
	if err != nil {
		return err
	}
	writeGeographies(r, []int{i}, q.Include.Given, r.Release.Deprecation(i))
	return nil
}

// include declares the parameter that selects the geometry.
func include[Q any](at func(*Q) *param.Value[string]) *param.Param[Q] {
	return param.Choice("include", "", []string{"geometry"}, at).
		Doc("Also return the geometry, of Canadian geographies only.")
}

var geographiesMeta = endpoint.OpenMeta("geographies")

// writeGeographies appends a schemas.GeographiesAnswer to the body.
func writeGeographies(r *endpoint.Request, found []int, withGeometry bool, deprecation *schemas.Deprecation) {
	b := append(r.Body, `{"data":{"type":"geographies","geographies":{`...)
	for _, i := range found {
		b = endpoint.AppendComma(b)
		var outline pack.Insert
		if b, outline = r.Release.AppendMember(b, i, withGeometry); outline.Text != nil {
			r.Inserts = append(r.Inserts, outline)
		}
	}
	b = endpoint.Append(b, `}},"meta":`, geographiesMeta, `,"order":[`)
	for _, i := range found {
		b = endpoint.AppendComma(b)
		b = r.Release.AppendID(b, i)
	}
	b = append(b, ']')
	b = endpoint.AppendDeprecation(b, deprecation)
	r.Body = append(b, `}}`...)
}
