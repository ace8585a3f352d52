// Package document makes the OpenAPI document of the API.
//
// In: the declarations of endpoints, the table of errors (package reply), recorded examples, the vocabularies, and the release that
// is served. Out: the document as JSON (package openapi writes it), deterministic, in which requests ask for places of the release.
package document

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/examples"
	"quartier/serve/monitor"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/reply"
	"quartier/serve/scope"
	"quartier/serve/token"
)

// productErrors are those of every endpoint of a product, in the order of checks.
var productErrors = []error{
	entry.ErrForbidden, entry.ErrTooManyUnknown, entry.ErrTooMany, entry.ErrHeader, entry.ErrUnavailable, reply.ErrMethod,
	reply.ErrAccept, reply.ErrProduct, param.ErrBad, reply.ErrInternal,
}

// Write makes the document of endpoints with the recorded examples.
func Write(all []endpoint.Endpoint) ([]byte, error) { return write(all, sample{}) }

// write is Write with requests for what a sample has.
func write(all []endpoint.Endpoint, s sample) ([]byte, error) {
	var operations []openapi.Operation
	for i := range all {
		o, err := operation(&all[i], s)
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
			{ID: "addresses", Doc: "Where written addresses are, and the address nearest to a point."},
			{ID: "profiles", Doc: "Texts about geographies, in English and French."},
			{ID: "snapshot", Doc: "Several products at a point in one call."},
			{ID: account.Travel, Doc: "Travel times from door to door, and what is reached within minutes."},
			{ID: account.Tiles, Doc: "Vector tiles of maps."},
			{ID: account.Status, Doc: "Which data answer, and when the next come."},
			{ID: "service", Doc: "Tokens, this document, and the state of the server."},
		},
		Vocabularies: vocabularies(),
		Names: map[reflect.Type]string{
			reflect.TypeFor[token.Request](): "TokenRequest", reflect.TypeFor[token.Grant](): "TokenGrant",
			reflect.TypeFor[token.JWK](): "PublicKey", reflect.TypeFor[token.KeySet](): "PublicKeys",
			reflect.TypeFor[schemas.Meta](): "SuccessMeta", reflect.TypeFor[schemas.Text](): "LocalizedText",
			reflect.TypeFor[schemas.CustomGeographyBody](): "CustomGeographyRequest",
			reflect.TypeFor[reply.Invalid]():               "InvalidData", reflect.TypeFor[reply.Failure](): "ServerError",
		},
	}, operations)
}

func operation(e *endpoint.Endpoint, s sample) (openapi.Operation, error) {
	o := openapi.Operation{
		ID: e.Name, Method: e.Method, Path: e.Path, Summary: e.Summary, Doc: e.Doc, Tag: e.Tag(),
		Secured: e.Product != "", Key: e.Key, Variables: e.Variables,
		Cached: e.Cached(), Params: e.Params, Headers: e.Headers, Variable: e.Variable,
		Body: reflect.TypeOf(e.Sent), Sent: e.Sent, Form: reflect.TypeOf(e.Form),
	}
	if e.Levels != nil {
		o.Variable = &openapi.Variable{
			Name: "geog_id", Doc: "Opaque id of a geography.", MaxChars: schemas.MaxGeogID,
			Pattern: "^g(?:" + strings.Join(schemas.LevelNumbers(e.Levels), "|") + ")_.+$",
		}
	}
	example, err := examples.Of(e.Name)
	if err != nil {
		return o, err
	}
	if o.Given, err = example.Given(o.Variable); err != nil {
		return o, fmt.Errorf("example of %s: %w", e.Name, err)
	}
	s.replace(o.Given)
	o.Responses = append([]openapi.Response{success(e)}, errorResponses(e)...)
	for i := range o.Responses {
		response := &o.Responses[i]
		response.Example = example.Body(response.Status, response.Example)
	}
	return o, nil
}

// The headers of answers: without a token, of v3 answers, and of those that may be cached.
var (
	serviceHeaders   = []string{"X-Request-Id", "Cache-Control"}
	v3Headers        = []string{"X-Request-Id", "Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"}
	cacheableHeaders = append(slices.Clone(v3Headers), "ETag")
)

func success(e *endpoint.Endpoint) openapi.Response {
	success := openapi.Response{Status: cmp.Or(e.Success, http.StatusOK), Doc: "Success", Headers: serviceHeaders}
	switch {
	case e.Body != nil:
		success.Body = reflect.TypeOf(e.Body)
	case e.Media != "":
		success.Media = e.Media
	case strings.HasSuffix(e.Path, ".json"):
		success.Media = "application/json"
	default:
		success.Media = "text/plain"
	}
	switch {
	case e.Cached():
		success.Headers = append(slices.Clone(cacheableHeaders), "Content-Encoding")
	case e.Product != "":
		success.Headers = slices.Clone(cacheableHeaders)
	case e.Sent != nil:
		success.Headers = errorHeaders(e, nil)
	}
	if e.Levels != nil {
		success.Headers = append(success.Headers, "Deprecation", "Link", "Sunset")
	}
	if success.Status == http.StatusCreated {
		success.Headers = append(success.Headers, "Location")
	}
	return success
}

// errorResponses lists the answers of an endpoint other than success, one response per status.
func errorResponses(e *endpoint.Endpoint) []openapi.Response {
	refuses := slices.Concat(e.Refuses, []error{reply.ErrMethod, entry.ErrHeader, reply.ErrInternal})
	if e.Product != "" {
		refuses = slices.Concat(productErrors, e.Refuses)
		if e.Media != "" {
			refuses = slices.DeleteFunc(refuses, func(err error) bool { return err == reply.ErrAccept })
		}
		if e.Key != "" {
			refuses = append(refuses, map[string][]error{account.Publishable: {entry.ErrKey, entry.ErrOrigin},
				account.Signing: {entry.ErrKey, entry.ErrSigning}}[e.Key]...)
		}
		if e.Product == account.Status || e.Product == account.Tiles {
			refuses = slices.DeleteFunc(refuses, func(err error) bool { return err == reply.ErrProduct })
		}
	}
	if e.Levels != nil {
		refuses = append(refuses, scope.ErrNoGeography)
		if len(e.Levels) < len(schemas.Levels) {
			refuses = append(refuses, scope.ErrLevel)
		}
	}
	var responses []openapi.Response
	if e.Cached() {
		responses = append(responses, openapi.Response{Status: 304, Doc: "The caller already has this answer", Headers: cacheableHeaders})
	}
	if _, ready := e.Body.(monitor.Readiness); ready {
		responses = append(responses, openapi.Response{Status: 503, Doc: "Requests should be sent elsewhere", Body: reflect.TypeOf(e.Body),
			Headers: serviceHeaders, Example: monitor.Readiness{Status: "no release"}})
	}
	for _, err := range refuses {
		status, body := reply.Response(err)
		if status == http.StatusInternalServerError && err != reply.ErrInternal {
			panic("no answer is declared for the error " + err.Error())
		}
		at := slices.IndexFunc(responses, func(r openapi.Response) bool { return r.Status == status })
		if at >= 0 {
			responses[at].Doc += "; or " + err.Error()
			continue
		}
		responses = append(responses, openapi.Response{Status: status, Doc: err.Error(), Headers: errorHeaders(e, err),
			Body: reflect.TypeOf(body), Example: body})
	}
	return responses
}

// errorHeaders names the headers of an error response. A rate limit is known only after authentication.
func errorHeaders(e *endpoint.Endpoint, err error) []string {
	headers := slices.Clone(serviceHeaders)
	switch {
	case e.Product == "" && e.Sent != nil && err != reply.ErrMethod && err != entry.ErrHeader:
		headers = append(headers, "RateLimit", "RateLimit-Policy")
	case e.Product == "":
	case err == entry.ErrForbidden, err == entry.ErrHeader:
		headers = append(headers, "Vary")
	default:
		headers = slices.Clone(v3Headers)
	}
	switch err {
	case reply.ErrMethod:
		headers = append(headers, "Allow")
	case entry.ErrTooMany, entry.ErrTooManyTokens, entry.ErrTooManyUnknown, entry.ErrTooManyCopies, entry.ErrUnavailable, account.ErrStale:
		headers = append(headers, "Retry-After")
	case token.ErrWrongClient:
		headers = append(headers, "WWW-Authenticate")
	}
	return headers
}
