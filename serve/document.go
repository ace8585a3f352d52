package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/scope"
	"quartier/serve/token"
)

// productErrors are those of every endpoint of a product, in the order of checks.
var productErrors = []error{
	errForbidden, errTooManyUnknown, errTooMany, errHeader, errUnavailable, errMethod, errAccept, errProduct, param.ErrBad, errInternal,
}

// Document makes the OpenAPI document from the declarations of the routes, with the recorded examples.
func Document() ([]byte, error) { return documentWith(sample{}) }

// documentWith is Document with requests for what a sample has.
func documentWith(s sample) ([]byte, error) {
	var operations []openapi.Operation
	for _, r := range new(Server).routes() {
		o, err := r.operation(s)
		if err != nil {
			return nil, err
		}
		operations = append(operations, o)
	}
	return openapi.Write(openapi.Info{
		Title:   "Location Insights API",
		Version: "3",
		Description: "Location intelligence for places in Canada and the United States. Unknown query parameters are ignored, " +
			"and a parameter without a value is absent; a list given several times is the union of its items, any other known " +
			"parameter that is given twice is rejected. Answers can have members that are not in this document: ignore them. " +
			"HEAD works wherever GET does. Answers can be compressed with gzip and zstd.",
		License: openapi.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"},
		Servers: []openapi.Server{{URL: "/", Doc: "The server that this document comes from"}},
		Tags: []openapi.Term{
			{ID: "geographies", Doc: "Names, ids, levels and outlines of geographies, by coordinate, by name and by id."},
			{ID: account.CustomGeographies, Doc: "Requests for private geographies, which the next general update publishes."},
			{ID: "pois", Doc: "Points of interest near a point, in a polygon, and in and near a geography."},
			{ID: "scores", Doc: "18 ratings from 0 to 5, at a point and of geographies."},
			{ID: "typologies", Doc: "Classes of the built environment, with densities. Beta."},
			{ID: "demographics", Doc: "Statistics about people, around a point, in a polygon and of a geography."},
			{ID: "market_stats", Doc: "Statistics of listings and sales of homes in a geography of the United States."},
			{ID: "schools", Doc: "Schools around a point and in a polygon, with catchments."},
			{ID: "profiles", Doc: "Texts about geographies, in English and French."},
			{ID: "snapshot", Doc: "Several products at a point in one call."},
			{ID: account.Status, Doc: "Which data answer, and when the next come."},
			{ID: "service", Doc: "Tokens, this document, and the state of the server."},
		},
		Vocabularies: vocabularies(),
		Names: map[reflect.Type]string{
			reflect.TypeFor[token.Request](): "TokenRequest", reflect.TypeFor[token.Grant](): "TokenGrant",
			reflect.TypeFor[token.JWK](): "PublicKey", reflect.TypeFor[token.KeySet](): "PublicKeys",
			reflect.TypeFor[schemas.Meta](): "SuccessMeta", reflect.TypeFor[schemas.Text](): "LocalizedText",
			reflect.TypeFor[schemas.CustomGeographyBody](): "CustomGeographyRequest",
			reflect.TypeFor[Invalid]():                     "InvalidData", reflect.TypeFor[Failure](): "ServerError",
		},
	}, operations)
}

// tag groups operations in the document.
func (r *route) tag() string { return cmp.Or(r.Product, "service") }

func (r *route) operation(s sample) (openapi.Operation, error) {
	o := openapi.Operation{
		ID: r.Name, Method: r.Method, Path: r.Path, Summary: r.Summary, Doc: r.Doc, Tag: r.tag(),
		Secured: r.Product != "", Cached: r.cached(), Params: r.Params, Headers: r.Headers, Variable: r.Variable,
	}
	if r.Sent != nil {
		o.Body, o.Sent = reflect.TypeOf(r.Sent), r.Sent
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
	example, err := exampleOf(r.Name)
	if err != nil {
		return o, err
	}
	variable := ""
	if o.Variable != nil {
		variable = o.Variable.Name
	}
	if o.Given, err = example.given(variable); err != nil {
		return o, fmt.Errorf("example of %s: %w", r.Name, err)
	}
	s.replace(o.Given)
	o.Responses = append([]openapi.Response{r.success()}, r.errorResponses()...)
	for i := range o.Responses {
		response := &o.Responses[i]
		response.Example = example.body(response.Status, response.Example)
	}
	return o, nil
}

// The headers of answers: without a token, of v3 answers, and of those that may be cached.
var (
	serviceHeaders   = []string{"X-Request-Id", "Cache-Control"}
	v3Headers        = []string{"X-Request-Id", "Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"}
	cacheableHeaders = append(slices.Clone(v3Headers), "ETag")
)

// cached reports whether the answers of the route have an ETag that callers can send back.
func (r *route) cached() bool { return r.Product != "" && r.Method == http.MethodGet }

func (r *route) success() openapi.Response {
	success := openapi.Response{Status: cmp.Or(r.Success, http.StatusOK), Doc: "Success", Headers: serviceHeaders}
	switch {
	case r.Body != nil:
		success.Body = reflect.TypeOf(r.Body)
	case strings.HasSuffix(r.Path, ".json"):
		success.Media = "application/json"
	default:
		success.Media = "text/plain"
	}
	switch {
	case r.cached():
		success.Headers = append(slices.Clone(cacheableHeaders), "Content-Encoding")
	case r.Product != "":
		success.Headers = slices.Clone(cacheableHeaders)
	case r.Sent != nil:
		success.Headers = r.errorHeaders(nil)
	}
	if r.Levels != nil {
		success.Headers = append(success.Headers, "Deprecation", "Link", "Sunset")
	}
	if success.Status == http.StatusCreated {
		success.Headers = append(success.Headers, "Location")
	}
	return success
}

// errorResponses lists the answers of the route other than success, one response per status.
func (r *route) errorResponses() []openapi.Response {
	refuses := slices.Concat(r.Refuses, []error{errMethod, errHeader, errInternal})
	if r.Product != "" {
		refuses = slices.Concat(productErrors, r.Refuses)
		if r.Product == account.Status {
			refuses = slices.DeleteFunc(refuses, func(err error) bool { return err == errProduct })
		}
	}
	if r.Levels != nil {
		refuses = append(refuses, scope.ErrNoGeography)
		if len(r.Levels) < len(schemas.Levels) {
			refuses = append(refuses, scope.ErrLevel)
		}
	}
	var responses []openapi.Response
	if r.cached() {
		responses = append(responses, openapi.Response{Status: 304, Doc: "The caller already has this answer", Headers: cacheableHeaders})
	}
	if _, ready := r.Body.(Readiness); ready {
		responses = append(responses, openapi.Response{Status: 503, Doc: "Requests should be sent elsewhere", Body: reflect.TypeOf(r.Body),
			Headers: serviceHeaders, Example: Readiness{Status: "no release"}})
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
			response.Example = e.body(err)
			response.Body = reflect.TypeOf(response.Example)
		}
		responses = append(responses, response)
	}
	return responses
}

// errorHeaders names the headers of an error response. A rate limit is known only after authentication.
func (r *route) errorHeaders(err error) []string {
	headers := slices.Clone(serviceHeaders)
	switch {
	case r.Product == "" && r.Sent != nil && err != errMethod && err != errHeader:
		headers = append(headers, "RateLimit", "RateLimit-Policy")
	case r.Product == "":
	case err == errForbidden, err == errHeader:
		headers = append(headers, "Vary")
	default:
		headers = slices.Clone(v3Headers)
	}
	switch err {
	case errMethod:
		headers = append(headers, "Allow")
	case errTooMany, errTooManyTokens, errTooManyUnknown, errTooManyCopies, errUnavailable, account.ErrStale:
		headers = append(headers, "Retry-After")
	case token.ErrWrongClient:
		headers = append(headers, "WWW-Authenticate")
	}
	return headers
}
