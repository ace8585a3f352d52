package reply

import (
	"errors"
	"net/http"

	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/param"
	"quartier/serve/product/custom"
	"quartier/serve/scope"
	"quartier/serve/state"
	"quartier/serve/tile"
	"quartier/serve/token"
)

// What a server refuses before an endpoint is asked, besides the errors of package entry. The texts are shown to callers and in
// the OpenAPI document.
var (
	ErrNoPath = errors.New("no such path")
	ErrMethod = errors.New("this path does not support this method")
	ErrAccept = &param.Error{Parameter: "Accept", Reason: param.NotAllowed,
		Detail: "the answer is application/json, which the Accept header does not allow"}
	ErrProduct  = errors.New("this product is not part of the agreement")
	ErrInternal = errors.New("internal error; the same request can be retried")
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

// CodePrefix is what codes of problems and failures begin with.
const CodePrefix = "Service.API."

// ProblemCodes are the codes of problems, without their prefix.
var ProblemCodes = []string{"BadRequest", "Unauthorized", "NotFound", "MethodNotAllowed", "Conflict", "PreconditionFailed",
	"RequestHeaderFieldsTooLarge"}

// errorResponses is the one table from errors to answers.
var errorResponses = []errorResponse{
	{param.ErrBad, http.StatusBadRequest, problem("BadRequest")},
	{ErrAccept, http.StatusBadRequest, problem("BadRequest")},
	{token.ErrBadRequest, http.StatusBadRequest, problem("BadRequest")},
	{entry.ErrHeader, http.StatusRequestHeaderFieldsTooLarge, problem("RequestHeaderFieldsTooLarge")},
	{ErrProduct, http.StatusUnauthorized, problem("Unauthorized")},
	{scope.ErrRegion, http.StatusUnauthorized, problem("Unauthorized")},
	{token.ErrWrongClient, http.StatusUnauthorized, problem("Unauthorized")},
	{entry.ErrForbidden, http.StatusForbidden, refusal("Forbidden")},
	{entry.ErrKey, http.StatusForbidden, refusal("Forbidden")},
	{entry.ErrOrigin, http.StatusForbidden, refusal("Forbidden")},
	{entry.ErrSigning, http.StatusForbidden, refusal("Forbidden")},
	{endpoint.ErrForbiddenValue, http.StatusForbidden, refusal("Forbidden")},
	{tile.ErrNone, http.StatusNotFound, problem("NotFound")},
	{ErrNoPath, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoGeography, http.StatusNotFound, problem("NotFound")},
	{scope.ErrLevel, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoLevel, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoListings, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoTravel, http.StatusNotFound, problem("NotFound")},
	{scope.ErrNoAddresses, http.StatusNotFound, problem("NotFound")},
	{scope.ErrDamaged, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{scope.ErrOutside, http.StatusNotFound, problem("NotFound")},
	{ErrMethod, http.StatusMethodNotAllowed, problem("MethodNotAllowed")},
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
	{entry.ErrTooMany, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{entry.ErrTooManyUnknown, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{entry.ErrTooManyCopies, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{entry.ErrTooManyTokens, http.StatusTooManyRequests, refusal("Too Many Requests")},
	{entry.ErrUnavailable, http.StatusServiceUnavailable, refusal("Service Unavailable")},
	{endpoint.ErrNothing, http.StatusNoContent, nil},
	{ErrInternal, http.StatusInternalServerError, failure},
}

func problem(code string) func(error) any {
	return func(err error) any { return Problem{CodePrefix + code, err.Error(), faultOf(err)} }
}

func refusal(message string) func(error) any {
	return func(error) any { return Refusal{message} }
}

func invalid(err error) any {
	return Invalid{err.Error(), CodePrefix + "BadRequest", http.StatusUnprocessableEntity, faultOf(err)}
}

// faultOf is the fault of a rejected request; empty for any other error.
func faultOf(err error) (f Fault) {
	if e, ok := errors.AsType[*param.Error](err); ok {
		f = Fault{e.Parameter, e.Reason}
	}
	return f
}

func failure(error) any {
	return Failure{ErrInternal.Error(), CodePrefix + "ServerError", http.StatusInternalServerError}
}

// Response returns the status and the body for an error; nil for no body. An error that is not in the table is a 500.
func Response(err error) (status int, body any) {
	for _, response := range errorResponses {
		switch {
		case !errors.Is(err, response.err):
		case response.body == nil:
			return response.status, nil
		default:
			return response.status, response.body(err)
		}
	}
	return http.StatusInternalServerError, failure(nil)
}
