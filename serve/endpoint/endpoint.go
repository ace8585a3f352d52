// Package endpoint is the frame of a v3 endpoint: what it declares, the request that it receives, and the pieces that
// several products share. Each package under product declares its endpoints with Define; the server lists them in its
// route table, authenticates and limits requests, and writes the answers.
package endpoint

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"sync"

	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/serve/openapi"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// What an endpoint can refuse besides the errors of packages param and scope. The first text is shown to callers.
var (
	ErrForbiddenValue = errors.New("a value of a parameter is not part of the agreement")
	ErrNothing        = errors.New("nothing to return") // answered with 204
)

// Endpoint declares one method of one path, and answers it. The OpenAPI document is made from the declaration.
type Endpoint struct {
	Name      string // of the operation in the document and in clients, a verb and what it is about: "getScores"
	Method    string
	Path      string // "/v3/geographies/{geog_id}"; only the last segment may be a variable
	Product   string // of the agreement; "" where no token is needed
	Summary   string // one line in English
	Doc       string // added to the summary in the document
	Params    []param.Spec
	Headers   []openapi.Term     // request headers that only this endpoint reads
	Sent      any                // example of the request's body as JSON, of the body's type; nil: no body
	Form      any                // zero value of the type of a body as a form; nil: no form
	Success   int                // status of success; 0: 200
	Levels    []schemas.Level    // of a {geog_id}; ids of other levels are not found
	Variable  *openapi.Variable  // the variable segment where it is not a geog_id
	Key       string             // kind of access key that it takes in place of a token, of package account; "": none
	Variables []openapi.Variable // of a path that has several
	Waits     bool               // for a body or a store: it has a processor from Request.Share.Work on only
	Body      any                // zero value of the answer's type
	Media     string             // type of an answer that is not JSON, such as "image/png"; Body is nil then
	Refuses   []error            // errors beyond those that every endpoint of a product has

	Answer func(*Request) error // fills Request.Body
}

// HasVariable reports whether the last segment of the path is a variable.
func (e *Endpoint) HasVariable() bool { return strings.HasSuffix(e.Path, "}") }

// Cached reports whether the answers have an ETag that callers can send back.
func (e *Endpoint) Cached() bool { return e.Product != "" && e.Method == http.MethodGet }

// Tag groups operations in the document.
func (e *Endpoint) Tag() string { return cmp.Or(e.Product, "service") }

// Request is a request for a product whose token, rate and product were checked.
type Request struct {
	Release  scope.Release // as the client may see it
	Client   *Client
	RawQuery string
	Segment  string        // the variable segment of the path; "" where it has none
	HTTP     *http.Request // context, headers and body, for endpoints that are not made by Define
	Share    Share         // of the customer in the server, for endpoints that wait

	Canonical []byte        // path and parameters in canonical form, from which the ETag is made
	Body      []byte        // JSON of the answer; its memory is reused
	Stored    []byte        // the answer as it is stored, in gzip, in place of Body; nil: none
	Inserts   []pack.Insert // large parts of the answer that are missing in Body, in their order; its memory is reused

	// Of answers that depend on the state of the server and not only on the release: they are not cached.
	Version  string // names what is answered, for the ETag; "": made from Canonical, the release and the agreement
	Location string // the header; "": none
	Kept     bool   // the URL names the release: what it answers does not change
}

// Share is what a customer may take of a server. Its errors are to be returned as they are.
type Share interface {
	Work() error          // takes a processor, until Rest or until the answer is made
	Long() error          // waits until work may begin that takes long and does not let others have their turn
	Rest()                // gives it back; nothing without one
	Hold(bytes int) error // counts memory that the request takes until its answer is made
}

// Define completes the declaration of a GET endpoint. Its parameters are those of the set; answer receives them parsed
// into Q, with working memory M that holds what an earlier request left there.
func Define[Q, M any](e Endpoint, set *param.Set[Q], answer func(*Request, *Q, *M) error) Endpoint {
	type call struct {
		query  Q
		memory M
	}
	e.Method = http.MethodGet
	e.Params = set.Specs()
	pool := &sync.Pool{New: func() any { return new(call) }}
	e.Answer = func(r *Request) error {
		c := pool.Get().(*call)
		defer pool.Put(c)
		c.query = *new(Q)
		var err error
		if r.Canonical, err = set.Parse(r.RawQuery, &c.query, r.Canonical); err != nil {
			return err
		}
		return answer(r, &c.query, &c.memory)
	}
	return e
}
