package serve

import (
	"reflect"
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/scope"
	"quartier/serve/token"
)

// productErrors are those of every endpoint of a product, in the order of checks.
var productErrors = []error{
	errUnavailable, errForbidden, errTooMany, errMethod, errAccept, errProduct, param.ErrBad, errInternal,
}

// Document makes the OpenAPI document from the declarations of the routes.
func Document() ([]byte, error) {
	var operations []openapi.Operation
	for _, r := range new(Server).routes() {
		operations = append(operations, r.operation())
	}
	return openapi.Write(openapi.Info{
		Title:   "Location Insights API",
		Version: "3",
		Description: "Location intelligence for places in Canada and the United States. Unknown query parameters are ignored; " +
			"a known one that is given twice is rejected. HEAD works wherever GET does. Answers can be compressed with gzip and zstd.",
		Keys: map[string][]string{
			"Category": schemas.CategoryIDs(schemas.Categories), "BaseCategory": schemas.CategoryIDs(schemas.BaseCategories),
			"Score": schemas.ScoreIDs(), "Measure": measureIDs(), "Typology": schemas.Typologies,
			"Demographics": demographics.IDs(demographics.Around), "GeographyDemographics": demographics.IDs(demographics.ByGeography),
		},
	}, operations)
}

func measureIDs() (ids []string) {
	for _, m := range schemas.Measures {
		ids = append(ids, m.ID)
	}
	return ids
}

func (r *route) operation() openapi.Operation {
	o := openapi.Operation{
		Method: r.Method, Path: r.Path, Summary: r.Summary, Doc: r.Doc, Tag: r.Product,
		Secured: r.Product != "", Cached: r.Product != "", Params: r.Params, Variable: r.Variable,
	}
	if o.Tag == "" {
		o.Tag = "service"
	}
	if r.json != nil {
		o.Body = reflect.TypeOf(r.json)
	}
	if r.form != nil {
		o.Form = reflect.TypeOf(r.form)
	}
	if r.Levels != nil {
		o.Variable = &openapi.Variable{
			Name: "geog_id", Doc: "Opaque id of a geography.", MaxChars: schemas.MaxGeogID,
			Pattern: "^g(?:" + strings.Join(schemas.LevelNumbers(r.Levels), "|") + ")_.+$",
		}
	}
	o.Responses = append([]openapi.Response{r.success()}, r.errorResponses()...)
	return o
}

// The headers of answers: without a token, of v3 answers, and of those that may be cached.
var (
	serviceHeaders   = []string{"X-Request-Id", "Cache-Control"}
	v3Headers        = []string{"X-Request-Id", "Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"}
	cacheableHeaders = append(slices.Clone(v3Headers), "ETag")
)

func (r *route) success() openapi.Response {
	success := openapi.Response{Status: 200, Doc: "Success", Headers: serviceHeaders}
	switch {
	case r.Body != nil:
		success.Body = reflect.TypeOf(r.Body)
	case strings.HasSuffix(r.Path, ".json"):
		success.Media = "application/json"
	default:
		success.Media = "text/plain"
	}
	if r.Product != "" {
		success.Headers = append(slices.Clone(cacheableHeaders), "Content-Encoding")
	}
	return success
}

// errorResponses lists the answers of the route other than success, one response per status.
func (r *route) errorResponses() []openapi.Response {
	refuses := slices.Concat(r.Refuses, []error{errMethod, errInternal})
	if r.Product != "" {
		refuses = slices.Concat(productErrors, r.Refuses)
	}
	if r.Levels != nil {
		refuses = append(refuses, scope.ErrNoGeography, scope.ErrLevel)
	}
	var responses []openapi.Response
	if r.Product != "" {
		responses = append(responses, openapi.Response{Status: 304, Doc: "The caller already has this answer", Headers: cacheableHeaders})
	}
	if r.Body == (Readiness{}) {
		responses = append(responses, openapi.Response{Status: 503, Doc: "Requests should be sent elsewhere", Body: reflect.TypeOf(r.Body), Headers: serviceHeaders})
	}
	for _, err := range refuses {
		e := errorResponses[slices.IndexFunc(errorResponses, func(e errorResponse) bool { return e.err == err })]
		at := slices.IndexFunc(responses, func(r openapi.Response) bool { return r.Status == e.status })
		if at >= 0 {
			responses[at].Doc += "; or " + err.Error()
			continue
		}
		response := openapi.Response{Status: e.status, Doc: err.Error(), Headers: r.errorHeaders(err)}
		if e.body != nil {
			response.Body = reflect.TypeOf(e.body(""))
		}
		responses = append(responses, response)
	}
	return responses
}

// errorHeaders names the headers of an error response. A rate limit is known only after authentication.
func (r *route) errorHeaders(err error) []string {
	headers := slices.Clone(serviceHeaders)
	switch {
	case r.Product == "":
	case err == errForbidden:
		headers = append(headers, "Vary")
	default:
		headers = slices.Clone(v3Headers)
	}
	switch err {
	case errMethod:
		headers = append(headers, "Allow")
	case errTooMany, errUnavailable:
		headers = append(headers, "Retry-After")
	case token.ErrWrongClient:
		headers = append(headers, "WWW-Authenticate")
	}
	return headers
}
