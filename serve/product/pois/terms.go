package pois

import (
	"strconv"
	"strings"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/param"
)

// termsQuery is the query of the lists of categories, brands and tags.
type termsQuery struct {
	Language param.Value[string]
}

// Categories is GET /v3/enhanced-pois/categories.
func Categories() endpoint.Endpoint {
	var terms []pois.Term
	for _, c := range schemas.Categories {
		terms = append(terms, pois.Term{ID: c.ID, Label: c.Label})
	}
	return listTerms("categories", func(*pois.Table) []pois.Term { return terms })
}

// Brands is GET /v3/enhanced-pois/brands.
func Brands() endpoint.Endpoint {
	return listTerms("brands", (*pois.Table).Brands)
}

// Tags is GET /v3/enhanced-pois/tags.
func Tags() endpoint.Endpoint {
	return listTerms("tags", (*pois.Table).Tags)
}

// listTerms makes the endpoint that lists the terms of a kind. They are those of the whole release, whatever the
// client's regions.
func listTerms(kind string, terms func(*pois.Table) []pois.Term) endpoint.Endpoint {
	meta := endpoint.OpenMeta("enhanced-pois/" + kind)
	return endpoint.Define(endpoint.Endpoint{
		Name:    "list" + strings.ToUpper(kind[:1]) + kind[1:],
		Path:    "/v3/enhanced-pois/" + kind,
		Product: "pois",
		Summary: "The " + kind + " that points of interest can be filtered by",
		Doc:     "Sorted by id.",
		Body:    schemas.TermsAnswer{},
	}, param.NewSet(nil,
		endpoint.Language("Language of the names.", func(q *termsQuery) *param.Value[string] { return &q.Language }),
	), func(r *endpoint.Request, q *termsQuery, _ *struct{}) error {
		writeTerms(r, meta, terms(r.Release.POITable()), q.Language.V)
		return nil
	})
}

// writeTerms appends a schemas.TermsAnswer to the body.
func writeTerms(r *endpoint.Request, meta string, terms []pois.Term, language string) {
	b := append(r.Body, `{"data":{"results":[`...)
	for _, term := range terms {
		b = endpoint.AppendComma(b)
		b = append(b, `{"id":`...)
		b = endpoint.AppendText(b, term.ID)
		b = append(b, `,"name":`...)
		b = endpoint.AppendText(b, term.Label.In(language))
		b = append(b, '}')
	}
	b = endpoint.Append(b, `]},"meta":`, meta, `,"counts":{"returned_count":`)
	b = strconv.AppendInt(b, int64(len(terms)), 10)
	b = append(b, `,"total_count":`...)
	b = strconv.AppendInt(b, int64(len(terms)), 10)
	r.Body = append(b, `}}}`...)
}
