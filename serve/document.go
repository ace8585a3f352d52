package serve

import (
	"reflect"
	"slices"
	"strings"

	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/token"
)

// everyProduct is what each v3 endpoint can refuse a request for, in the order of judgement.
var everyProduct = []error{
	errUnavailable, errForbidden, errTooMany, errMethod, errAccept, errProduct, param.ErrBad, errInternal,
}

// Document is the OpenAPI document of all that the server answers, made from the declarations of the routes.
func Document() ([]byte, error) {
	var operations []openapi.Operation
	for _, r := range routes() {
		operations = append(operations, r.operation())
	}
	return openapi.Write(openapi.Info{
		Title:   "Location Insights API",
		Version: "3",
		Description: "Location intelligence for places in Canada and the United States. Unknown query parameters are ignored; " +
			"a known one that is given twice is refused. HEAD works wherever GET does. Answers compress with gzip and zstd.",
	}, operations)
}

func (r *route) operation() openapi.Operation {
	o := openapi.Operation{
		Method: r.method, Path: r.path, Summary: r.summary, Doc: r.doc, Tag: r.tag(),
		Secured: r.product != "", Cached: r.product != "", Params: r.params,
	}
	if r.body != nil {
		o.Body = reflect.TypeOf(r.body)
	}
	if r.form != nil {
		o.Form = reflect.TypeOf(r.form)
	}
	o.Variable = r.segment
	if r.levels != nil {
		o.Variable = &openapi.Variable{
			Name: "geog_id", Doc: "Opaque id of a geography.", MaxChars: maxGeogID,
			Pattern: "^g(?:" + strings.Join(levelNumbers(r.levels), "|") + ")_.+$",
		}
	}
	o.Responses = append([]openapi.Response{r.success()}, r.refusals()...)
	return o
}

func (r *route) tag() string {
	if r.product != "" {
		return r.product
	}
	return "service"
}

// The headers of answers: of those where no credential is asked for, of v3 answers, and of those that may be kept.
var (
	serviceHeaders = []string{"X-Request-Id", "Cache-Control"}
	v3Headers      = []string{"X-Request-Id", "Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"}
	keptHeaders    = append(slices.Clone(v3Headers), "ETag")
)

func (r *route) success() openapi.Response {
	success := openapi.Response{Status: 200, Doc: "Success", Headers: serviceHeaders}
	switch {
	case r.answer != nil:
		success.Body = reflect.TypeOf(r.answer)
	case strings.HasSuffix(r.path, ".json"):
		success.Media = "application/json"
	default:
		success.Media = "text/plain"
	}
	if r.product != "" {
		success.Headers = append(slices.Clone(keptHeaders), "Content-Encoding")
	}
	return success
}

// refusals lists what the route can refuse, one response a status.
func (r *route) refusals() []openapi.Response {
	refuses := slices.Concat(r.refuses, []error{errMethod, errInternal})
	if r.product != "" {
		refuses = slices.Concat(everyProduct, r.refuses)
	}
	if r.levels != nil {
		refuses = slices.Concat(refuses, []error{errNoGeography})
	}
	var responses []openapi.Response
	if r.product != "" {
		responses = append(responses, openapi.Response{Status: 304, Doc: "The caller has this very answer", Headers: keptHeaders})
	}
	if r == readyz {
		responses = append(responses, openapi.Response{Status: 503, Doc: "Requests should be sent elsewhere", Body: reflect.TypeOf(r.answer), Headers: serviceHeaders})
	}
	for _, err := range refuses {
		a := answersTo[slices.IndexFunc(answersTo, func(a answerTo) bool { return a.err == err })]
		at := slices.IndexFunc(responses, func(r openapi.Response) bool { return r.Status == a.status })
		if at >= 0 {
			responses[at].Doc += "; or " + err.Error()
			continue
		}
		refusal := openapi.Response{Status: a.status, Doc: err.Error(), Headers: r.refusalHeaders(err)}
		if a.body != nil {
			refusal.Body = reflect.TypeOf(a.body(""))
		}
		responses = append(responses, refusal)
	}
	return responses
}

// refusalHeaders names the headers of a refusal. Before the credential is known to be good there is no rate to tell.
func (r *route) refusalHeaders(err error) []string {
	headers := slices.Clone(serviceHeaders)
	switch {
	case r.product == "":
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
