package serve

import (
	"errors"
	"net/http"

	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/product/custom"
	"quartier/serve/scope"
	"quartier/serve/state"
	"quartier/serve/token"
)

// What the server refuses before an endpoint is asked. The texts are shown to callers and in the OpenAPI document.
var (
	errForbidden = errors.New("the token is missing or invalid")
	errTooMany   = errors.New("more requests than the agreement of the customer allows")
	errNoPath    = errors.New("no such path")
	errMethod    = errors.New("this path does not support this method")
	errAccept    = &param.Error{Parameter: "Accept", Reason: param.NotAllowed,
		Detail: "the answer is application/json, which the Accept header does not allow"}
	errHeader      = errors.New("a header field that is a list or a condition is longer than 4096 bytes")
	errProduct     = errors.New("this product is not part of the agreement")
	errUnavailable = errors.New("the server is overloaded, the customer has as much in flight as it may have, or there is no data yet")
	errInternal    = errors.New("internal error; the same request can be retried")

	errTooManyTokens  = errors.New("too many token requests of this client_id or from this address")
	errTooManyUnknown = errors.New("too many requests with tokens that were not seen before, from this address")
	errTooManyCopies  = errors.New("too many requests for this document from this address")
)

// Problem is the body of 400, 401, 404, 405, 409, 412 and 431.
type Problem struct {
	Code   string `json:"code" enum:"ProblemCode" doc:"Kind of the problem."`
	Detail string `json:"detail" doc:"What is wrong with the request, and what is accepted."`
	Fault
}

// Fault is where a request is wrong, and why, for programs. Only 400 and 422 have it.
type Fault struct {
	Parameter string       `json:"parameter,omitempty" doc:"Name of the parameter, field of the body or header that is wrong; absent if it is the body as a whole."`
	Reason    param.Reason `json:"reason,omitempty" enum:"Reason" doc:"Why the request is refused with 400 or 422."`
}

// Refusal is the body of 403, 429 and 503.
type Refusal struct {
	Message string `json:"message" doc:"Short name of the refusal."`
}

// Invalid is the body of 422.
type Invalid struct {
	Message    string `json:"message" doc:"What is wrong with the request."`
	Code       string `json:"code" enum:"ProblemCode" doc:"Kind of the problem."`
	StatusCode int    `json:"statusCode" column:"all.status_code"`
	Fault
}

// Failure is the body of 500.
type Failure struct {
	Message    string `json:"message" doc:"That the same request can be retried."`
	Type       string `json:"type" enum:"FailureType" doc:"Kind of the failure."`
	StatusCode int    `json:"statusCode" column:"all.status_code"`
}

// errorResponse is the status and the body for an error.
type errorResponse struct {
	err    error
	status int
	body   func(err error) any // nil: no body
}

const codePrefix = "Service.API."

// problemCodes are the codes of problems, without their prefix.
var problemCodes = []string{"BadRequest", "Unauthorized", "NotFound", "MethodNotAllowed", "Conflict", "PreconditionFailed",
	"RequestHeaderFieldsTooLarge"}

// errorResponses is the one table from errors to answers.
var errorResponses = []errorResponse{
	{param.ErrBad, http.StatusBadRequest, problem("BadRequest")},
	{errAccept, http.StatusBadRequest, problem("BadRequest")},
	{token.ErrBadRequest, http.StatusBadRequest, problem("BadRequest")},
	{errHeader, http.StatusRequestHeaderFieldsTooLarge, problem("RequestHeaderFieldsTooLarge")},
	{errProduct, http.StatusUnauthorized, problem("Unauthorized")},
	{scope.ErrRegion, http.StatusUnauthorized, problem("Unauthorized")},
	{token.ErrWrongClient, http.StatusUnauthorized, problem("Unauthorized")},
	{errForbidden, http.StatusForbidden, refusal("Forbidden")},
	{endpoint.ErrForbiddenValue, http.StatusForbidden, refusal("Forbidden")},
	{errNoPath, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoGeography, http.StatusNotFound, problem("NotFound")},
	{scope.ErrLevel, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoLevel, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoListings, http.StatusNotFound, problem("NotFound")},
	{scope.ErrDamaged, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{scope.ErrOutside, http.StatusNotFound, problem("NotFound")},
	{errMethod, http.StatusMethodNotAllowed, problem("MethodNotAllowed")},
	{state.ErrNoRequest, http.StatusNotFound, problem("NotFound")},
	{state.ErrConflict, http.StatusConflict, problem("Conflict")},
	{state.ErrKeyReused, http.StatusConflict, problem("Conflict")},
	{state.ErrQuota, http.StatusConflict, problem("Conflict")},
	{state.ErrCrowded, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{state.ErrChanged, http.StatusPreconditionFailed, problem("PreconditionFailed")},
	{custom.ErrBoundaries, http.StatusUnprocessableEntity, invalid},
	{state.ErrFailed, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{account.ErrStale, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{param.ErrRange, http.StatusUnprocessableEntity, invalid},
	{errTooMany, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{errTooManyUnknown, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{errTooManyCopies, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{errTooManyTokens, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{errUnavailable, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{endpoint.ErrNothing, http.StatusNoContent, nil},
	{errInternal, http.StatusInternalServerError, failure},
}

func problem(code string) func(error) any {
	return func(err error) any { return Problem{codePrefix + code, err.Error(), faultOf(err)} }
}

func refusal(message string) func(error) any {
	return func(error) any { return Refusal{message} }
}

func invalid(err error) any {
	return Invalid{err.Error(), codePrefix + "BadRequest", http.StatusUnprocessableEntity, faultOf(err)}
}

// faultOf is the fault of a rejected request; empty for any other error.
func faultOf(err error) (f Fault) {
	if e, ok := errors.AsType[*param.Error](err); ok {
		f = Fault{e.Parameter, e.Reason}
	}
	return f
}

func failure(error) any {
	return Failure{errInternal.Error(), codePrefix + "ServerError", http.StatusInternalServerError}
}

// responseTo returns the status and the encoded body for an error. One that is not in the table is a 500.
func responseTo(err error) (status int, body []byte) {
	for _, response := range errorResponses {
		if !errors.Is(err, response.err) {
			continue
		}
		if response.body == nil {
			return response.status, nil
		}
		body, err := endpoint.Encode(response.body(err))
		if err != nil {
			break
		}
		return response.status, body
	}
	body, _ = endpoint.Encode(failure(nil))
	return http.StatusInternalServerError, body
}
