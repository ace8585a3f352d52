// Package examples has requests with real answers, for the OpenAPI document.
//
// In: the files *.json beside it, one for each operation. Out: an Example.
package examples

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"

	"quartier/serve/openapi"
)

// files has a request to each operation and real answers to it and to variants of it, recorded from a server of the
// synthetic release; go test ./cmd/quartier -run Examples checks them, and rewrites them with -update.
//
//go:embed *.json
var files embed.FS

// Example is a recorded request with answers.
type Example struct {
	Request string                     `json:"request"` // path and query
	Answers map[string]json.RawMessage `json:"answers"` // bodies by status
}

// Of reads the example of an operation. One that has none, such as /metrics, has an empty one.
func Of(operation string) (Example, error) {
	var e Example
	text, err := files.ReadFile(operation + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil {
		return e, fmt.Errorf("example of %s: %w", operation, err)
	}
	return e, nil
}

// Body is the recorded body of a status, or another one.
func (e Example) Body(status int, other any) any {
	if recorded := e.Answers[strconv.Itoa(status)]; recorded != nil {
		return recorded
	}
	return other
}

// Given are the values of the request's parameters, and of the path variable; nil: none.
func (e Example) Given(variable *openapi.Variable) (map[string]string, error) {
	request, err := url.Parse(e.Request)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	if variable != nil && e.Request != "" {
		values[variable.Name] = path.Base(request.Path)
	}
	for name, given := range request.Query() {
		values[name] = given[0]
	}
	return values, nil
}
