package drill

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// Contract checks answers against the server's OpenAPI document. The published document is open to new members of objects and
// new keys of maps; here it is closed, so that an answer cannot have any that are not in it.
type Contract struct {
	Document *openapi3.T
	Router   routers.Router
}

// NewContract reads the document of a server.
func NewContract(tb testing.TB, document []byte) *Contract {
	tb.Helper()
	var text map[string]any
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	must(json.Unmarshal(document, &text))
	closed, err := json.Marshal(closeObjects(text))
	must(err)
	read, err := openapi3.NewLoader().LoadFromData(closed)
	must(err)
	must(read.Validate(context.Background()))
	router, err := gorillamux.NewRouter(read)
	must(err)
	return &Contract{read, router}
}

// closeObjects closes the schemas in a part of a document: objects to members that they do not list, and the keys of maps
// to words outside of their vocabulary.
func closeObjects(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if name != "example" {
				v[name] = closeObjects(member)
			}
		}
		if v["type"] == "object" && v["properties"] != nil && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		if keys, ok := v["propertyNames"].(map[string]any); ok {
			v["propertyNames"] = keys["anyOf"].([]any)[0]
		}
	case []any:
		for i := range v {
			v[i] = closeObjects(v[i])
		}
	}
	return value
}

// Operations are those of the document by "METHOD /path".
func (c *Contract) Operations() map[string]*openapi3.Operation {
	all := map[string]*openapi3.Operation{}
	for path, item := range c.Document.Paths.Map() {
		for method, operation := range item.Operations() {
			all[method+" "+path] = operation
		}
	}
	return all
}

// Check returns how an answer differs from the document; nil if it conforms. A 405 is checked against the operation that
// its path has.
func (c *Contract) Check(method, target string, got Answer) error {
	r := httptest.NewRequest(method, target, nil)
	route, variables, err := c.Router.FindRoute(r)
	for _, known := range []string{http.MethodGet, http.MethodPost} {
		if err != nil && got.Status == http.StatusMethodNotAllowed {
			r = httptest.NewRequest(known, target, nil)
			route, variables, err = c.Router.FindRoute(r)
		}
	}
	if err != nil {
		return err
	}
	options := &openapi3filter.Options{IncludeResponseStatus: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: variables, Route: route, Options: options},
		Status:                 got.Status, Header: got.Header, Options: options,
	}
	if got.Status == http.StatusNotModified || got.Status == http.StatusNoContent {
		if got.Body != "" {
			return fmt.Errorf("a body of %d bytes", len(got.Body))
		}
		return nil
	}
	refused := got.Status == http.StatusBadRequest || got.Status == http.StatusUnprocessableEntity
	if refused && !strings.Contains(got.Body, `"reason":"`) {
		return fmt.Errorf("no reason: %.200s", got.Body)
	}
	input.SetBodyBytes([]byte(got.Body))
	return openapi3filter.ValidateResponse(context.Background(), input)
}

// check ends the run where an answer is a 5xx or not what the document describes.
func (c *Contract) check(r *Run, method, target string, got Answer) {
	r.Helper()
	if got.Status >= 500 {
		r.Fatalf("%s %.300s: %d %.200s", method, target, got.Status, got.Body)
	}
	if err := c.Check(method, target, got); err != nil {
		message, _, _ := strings.Cut(err.Error(), "\nSchema:")
		r.Fatalf("%s %.300s: %d: %s", method, target, got.Status, message)
	}
}
