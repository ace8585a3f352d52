package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"quartier/serve/param"
	"quartier/serve/token"
)

// What a request can be refused for. The text is the detail that the caller reads.
var (
	errForbidden      = errors.New("the token is missing or not good")
	errTooMany        = errors.New("more requests than the agreement allows")
	errNoPath         = errors.New("there is nothing at this path")
	errNoGeography    = errors.New("there is no such geography")
	errMethod         = errors.New("this path does not take this method")
	errAccept         = errors.New("the answer is application/json, which the Accept header does not admit")
	errProduct        = errors.New("this product is not part of the agreement")
	errOutside        = errors.New("there is no data for this place: it lies outside what is covered of Canada and the United States")
	errRegion         = errors.New("this place lies outside the regions of the agreement")
	errForbiddenValue = errors.New("a value of a parameter is not part of the agreement")
	errNothing        = errors.New("nothing to return") // not an error to the caller: 204
	errUnavailable    = errors.New("the server is overloaded or has no data yet")
	errInternal       = errors.New("an error inside the service; the same request may be tried again")
)

// Problem is the body of 400, 401, 404 and 405.
type Problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Refusal is the body of 403, 429 and 503.
type Refusal struct {
	Message string `json:"message"`
}

// Invalid is the body of 422.
type Invalid struct {
	Message    string `json:"message"`
	Code       string `json:"code"`
	StatusCode int    `json:"statusCode"`
}

// Failure is the body of 500.
type Failure struct {
	Message    string `json:"message"`
	Type       string `json:"type"`
	StatusCode int    `json:"statusCode"`
}

// answerTo is how a sentinel is told to the caller: the one table from errors to statuses and bodies.
type answerTo struct {
	err    error
	status int
	body   func(detail string) any
}

const codePrefix = "Service.API."

var answersTo = []answerTo{
	{param.ErrBad, http.StatusBadRequest, problem("BadRequest")},
	{errAccept, http.StatusBadRequest, problem("BadRequest")},
	{token.ErrBadRequest, http.StatusBadRequest, problem("BadRequest")},
	{errProduct, http.StatusUnauthorized, problem("Unauthorized")},
	{errRegion, http.StatusUnauthorized, problem("Unauthorized")},
	{token.ErrWrongClient, http.StatusUnauthorized, problem("Unauthorized")},
	{errForbidden, http.StatusForbidden, refusal("Forbidden")},
	{errForbiddenValue, http.StatusForbidden, refusal("Forbidden")},
	{errNoPath, http.StatusNotFound, problem("NotFound")},
	{errNoGeography, http.StatusNotFound, problem("NotFound")},
	{errOutside, http.StatusNotFound, problem("NotFound")},
	{errMethod, http.StatusMethodNotAllowed, problem("MethodNotAllowed")},
	{param.ErrRange, http.StatusUnprocessableEntity, invalid},
	{errTooMany, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{errUnavailable, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{errNothing, http.StatusNoContent, nil},
	{errInternal, http.StatusInternalServerError, failure},
}

func problem(code string) func(string) any {
	return func(detail string) any { return Problem{codePrefix + code, detail} }
}

func refusal(message string) func(string) any {
	return func(string) any { return Refusal{message} }
}

func invalid(detail string) any {
	return Invalid{detail, codePrefix + "BadRequest", http.StatusUnprocessableEntity}
}

func failure(string) any {
	return Failure{errInternal.Error(), codePrefix + "ServerError", http.StatusInternalServerError}
}

// judge returns the status and the encoded body for an error; what the table does not know is a 500.
func judge(err error) (status int, body []byte) {
	for _, a := range answersTo {
		if !errors.Is(err, a.err) {
			continue
		}
		if a.body == nil {
			return a.status, nil
		}
		body, err := encode(a.body(err.Error()))
		if err != nil {
			break
		}
		return a.status, body
	}
	body, _ = encode(failure(""))
	return http.StatusInternalServerError, body
}

// encode is compact JSON that leaves <, > and & as they are.
func encode(v any) ([]byte, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(text.String(), "\n")), nil
}
