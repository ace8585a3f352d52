package serve

import (
	"strconv"

	"quartier/internal/pack/pois"
	"quartier/schemas"
	"quartier/serve/param"
)

// termsQuery is the query of the lists of categories, brands and tags.
type termsQuery struct {
	Language param.Value[string]
}

var termsParams = param.NewSet(nil,
	param.Choice("language", "en", languages, func(q *termsQuery) *param.Value[string] { return &q.Language }).
		Doc("Language of the names."))

var poiCategories = defineTerms("categories", func(*view) []pois.Term { return categoryTerms })

var poiBrands = defineTerms("brands", func(v *view) []pois.Term { return v.release.POIs.Brands() })

var poiTags = defineTerms("tags", func(v *view) []pois.Term { return v.release.POIs.Tags() })

var categoryTerms = func() []pois.Term {
	var terms []pois.Term
	for _, c := range schemas.Categories {
		terms = append(terms, pois.Term{ID: c.ID, Label: c.Label})
	}
	return terms
}()

// defineTerms makes the endpoint that lists the identifiers of one kind.
func defineTerms(kind string, terms func(*view) []pois.Term) *route {
	meta := openMeta("enhanced-pois/" + kind)
	return define(route{
		path:    "/v3/enhanced-pois/" + kind,
		product: "pois",
		summary: "The " + kind + " that points of interest can be filtered by",
		doc:     "Sorted by id.",
		answer:  schemas.TermsAnswer{},
	}, termsParams, func(x *exchange, q *termsQuery) error {
		x.writeTerms(meta, terms(&x.view), q.Language.V)
		return nil
	})
}

// writeTerms fills the body, a schemas.TermsAnswer.
func (x *exchange) writeTerms(meta []byte, terms []pois.Term, language string) {
	b := append(x.body[:0], `{"data":{"results":[`...)
	for n, term := range terms {
		if n > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":`...)
		b = appendText(b, term.ID)
		b = append(b, `,"name":`...)
		b = appendText(b, term.Label.In(language))
		b = append(b, '}')
	}
	b = append(b, `]},"meta":`...)
	b = append(b, meta...)
	b = append(b, `,"counts":{"returned_count":`...)
	b = strconv.AppendInt(b, int64(len(terms)), 10)
	b = append(b, `,"total_count":`...)
	b = strconv.AppendInt(b, int64(len(terms)), 10)
	x.body = append(b, `}}}`...)
}
