// Package openapi writes the OpenAPI 3.1 document of the API. Input: operations, each with its declared parameters, the Go
// types of its bodies and examples, and the vocabularies of words that occur in them. Output: the document as JSON, with
// one component per named type and vocabulary, deterministic. Answers are open: a client must ignore members that it does
// not know, so that new ones can be added.
package openapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"quartier/serve/param"
)

// Info describes the API as a whole.
type Info struct {
	Title, Version, Description string
	License                     License
	Servers                     []Server
	Tags                        []Term                  // of operations
	Vocabularies                map[string]Vocabulary   // by component name, which the tags "enum" and "keys" of fields use
	Names                       map[reflect.Type]string // component names of types, where they are not the names of the types
}

// License is that of the document and the API, by its SPDX identifier.
type License struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier"`
}

// Server is an address of the API.
type Server struct {
	URL string `json:"url"`
	Doc string `json:"description"`
}

// Vocabulary is a list of words or numbers that a value or the key of a map can be.
type Vocabulary struct {
	Doc    string
	Number bool // the terms are whole numbers
	Terms  []Term
}

// Term is a word of a vocabulary with its meaning in English; "": none is needed.
type Term struct{ ID, Doc string }

// ids are those of the terms.
func (v *Vocabulary) ids() (ids []string) {
	for _, t := range v.Terms {
		ids = append(ids, t.ID)
	}
	return ids
}

// Operation is one method of one path.
type Operation struct {
	ID           string // a verb and what it is about: "getScores"
	Method, Path string
	Summary, Doc string
	Tag          string
	Secured      bool   // needs a bearer token
	Key          string // kind of key that it takes in place of a token; "": none
	Params       []param.Spec
	Headers      []Term            // request headers besides those of every operation
	Variable     *Variable         // of the path; nil where it has none
	Variables    []Variable        // of a path that has several
	Cached       bool              // supports If-None-Match
	Body         reflect.Type      // of the request as JSON; nil: none
	Form         reflect.Type      // of the request as a form, with which HTTP Basic can be used; nil: none
	Sent         any               // an example of the request's body; nil: none
	Given        map[string]string // example values of the parameters and the variable, by name
	Responses    []Response
}

// Variable is the variable segment of a path.
type Variable struct {
	Name, Doc, Pattern string
	MaxChars           int
}

// Response is one of the answers of an operation.
type Response struct {
	Status  int
	Doc     string
	Body    reflect.Type // nil: empty, or Media other than JSON
	Media   string       // "": application/json
	Headers []string     // keys of Headers
	Example any          // a body; nil: none
}

// Headers are the descriptions of response headers, by name.
var Headers = map[string]string{
	"X-Request-Id":     "Id of the request: the caller's if valid, else a new one.",
	"ETag":             "Strong validator of the answer, for If-None-Match.",
	"RateLimit":        "Requests that remain, and seconds until all are available again.",
	"RateLimit-Policy": "Requests that the agreement allows in a window of seconds.",
	"Retry-After":      "Seconds to wait before the next request.",
	"Location":         "Path of what was created.",
	"Deprecation": "Date since which the geography is superseded, as @ and seconds since 1970 (RFC 9745); only if it is, and the date " +
		"is known.",
	"Link": "Path of the same about the current geography, with rel=\"successor-version\"; only of a superseded one that has a " +
		"successor.",
	"Sunset":           "Date after which the id of a superseded geography may cease to be answered, if the operator named one (RFC 8594).",
	"Allow":            "The methods that the path supports.",
	"Cache-Control":    "Whether and for how many seconds the answer may be cached.",
	"Vary":             "Request headers that the answer depends on.",
	"Content-Encoding": "gzip or zstd, if the body is compressed, which depends on Accept-Encoding.",
	"WWW-Authenticate": "The scheme, if the request used HTTP Basic.",
}

type object = map[string]any

// Write makes the document.
func Write(info Info, operations []Operation) ([]byte, error) {
	components := newSchemas(&info)
	paths := map[string]object{}
	for _, o := range operations {
		if paths[o.Path] == nil {
			paths[o.Path] = object{}
		}
		operation, err := describe(o, components)
		if err != nil {
			return nil, fmt.Errorf("describe %s %s: %w", o.Method, o.Path, err)
		}
		paths[o.Path][strings.ToLower(o.Method)] = operation
	}
	headers := object{}
	for name, doc := range Headers {
		headers[name] = object{"description": doc, "schema": object{"type": "string"}}
	}
	var tags []object
	for _, t := range info.Tags {
		tags = append(tags, object{"name": t.ID, "description": t.Doc})
	}
	return json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info":    object{"title": info.Title, "version": info.Version, "description": info.Description, "license": info.License},
		"servers": info.Servers,
		"tags":    tags,
		"paths":   paths,
		"components": object{
			"schemas": components.named,
			"headers": headers,
			"securitySchemes": object{
				"bearer": object{
					"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A token from POST /oauth/token.",
				},
				"publishable": object{"type": "apiKey", "in": "query", "name": "key", "description": "A key for pages of the origins that it is " +
					"bound to, whose browser sends Origin: quartier account key create --publishable."},
				"signing": object{"type": "apiKey", "in": "query", "name": "key", "description": "A key with expires and signature, which is made " +
					"with its secret: quartier account key create --signing."},
				"basic": object{"type": "http", "scheme": "basic", "description": "client_id and client_secret, for requests with a form."},
			},
		},
	}, "", " ")
}
