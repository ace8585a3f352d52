// Package openapi writes the OpenAPI 3.1 document of the API. Input: operations, each with its declared parameters and
// the Go types of its bodies. Output: the document as JSON, with one component per named type, deterministic.
package openapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"quartier/serve/param"
)

// Info describes the API as a whole.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`

	Keys map[string][]string `json:"-"` // the keys of maps in bodies, by the name in the tag "keys" of a field
}

// Operation is one method of one path.
type Operation struct {
	Method, Path string
	Summary, Doc string
	Tag          string
	Secured      bool // needs a bearer token
	Params       []param.Spec
	Variable     *Variable    // of the path; nil where it has none
	Cached       bool         // supports If-None-Match
	Body         reflect.Type // of the request as JSON; nil: none
	Form         reflect.Type // of the request as a form, with which HTTP Basic can be used; nil: none
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
}

// Headers are the descriptions of response headers, by name.
var Headers = map[string]string{
	"X-Request-Id":     "Id of the request: the caller's if valid, else a new one.",
	"ETag":             "Strong validator of the answer, for If-None-Match.",
	"RateLimit":        "Requests that remain, and seconds until all are available again.",
	"RateLimit-Policy": "Requests that the agreement allows in a window of seconds.",
	"Retry-After":      "Seconds to wait before the next request.",
	"Allow":            "The methods that the path supports.",
	"Cache-Control":    "Whether and for how many seconds the answer may be cached.",
	"Vary":             "Request headers that the answer depends on.",
	"Content-Encoding": "gzip or zstd, if the body is compressed, which depends on Accept-Encoding.",
	"WWW-Authenticate": "The scheme, if the request used HTTP Basic.",
}

type object = map[string]any

// Write makes the document.
func Write(info Info, operations []Operation) ([]byte, error) {
	components := newSchemas(info.Keys)
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
	return json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info":    info,
		"paths":   paths,
		"components": object{
			"schemas": components.named,
			"headers": headers,
			"securitySchemes": object{
				"bearer": object{
					"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "A token from POST /oauth/token.",
				},
				"basic": object{"type": "http", "scheme": "basic", "description": "client_id and client_secret, for requests with a form."},
			},
		},
	}, "", " ")
}

func describe(o Operation, components *schemas) (object, error) {
	out := object{"summary": o.Summary, "operationId": operationID(o), "tags": []string{o.Tag}}
	if o.Doc != "" {
		out["description"] = o.Doc
	}
	switch {
	case o.Secured:
		out["security"] = []object{{"bearer": []string{}}}
	case o.Form != nil:
		out["security"] = []object{{}, {"basic": []string{}}}
	default:
		out["security"] = []object{}
	}
	var parameters []object
	if o.Variable != nil {
		parameters = append(parameters, pathParameter(o.Variable))
	}
	for _, p := range o.Params {
		schema, err := parameterSchema(p)
		if err != nil {
			return nil, err
		}
		parameters = append(parameters, queryParameter(p, schema))
	}
	if o.Cached {
		parameters = append(parameters, object{"name": "If-None-Match", "in": "header", "schema": object{"type": "string"},
			"description": "ETags of answers that the caller has; 304 if the answer is one of them."})
	}
	if parameters != nil {
		out["parameters"] = parameters
	}
	if o.Body != nil {
		content := object{"application/json": object{"schema": components.of(o.Body)}}
		if o.Form != nil {
			content["application/x-www-form-urlencoded"] = object{"schema": components.of(o.Form)}
		}
		out["requestBody"] = object{"required": true, "content": content}
	}
	responses := object{}
	for _, r := range o.Responses {
		responses[strconv.Itoa(r.Status)] = response(r, components)
	}
	out["responses"] = responses
	return out, nil
}

// operationID is method and path in one word: "get_v3_geographies_geog_id".
func operationID(o Operation) string {
	words := strings.FieldsFunc(o.Path, func(r rune) bool { return strings.ContainsRune("/{}-._", r) })
	return strings.ToLower(o.Method) + "_" + strings.Join(words, "_")
}

func response(r Response, components *schemas) object {
	out := object{"description": r.Doc}
	headers := object{}
	for _, name := range r.Headers {
		headers[name] = object{"$ref": "#/components/headers/" + name}
	}
	if len(headers) > 0 {
		out["headers"] = headers
	}
	switch {
	case r.Body != nil:
		out["content"] = object{"application/json": object{"schema": components.of(r.Body)}}
	case r.Media == "application/json":
		out["content"] = object{r.Media: object{"schema": object{"type": "object"}}}
	case r.Media != "":
		out["content"] = object{r.Media: object{"schema": object{"type": "string"}}}
	}
	return out
}

func pathParameter(v *Variable) object {
	return object{"name": v.Name, "in": "path", "required": true, "description": v.Doc, "schema": object{
		"type": "string", "pattern": v.Pattern, "maxLength": v.MaxChars,
	}}
}

func queryParameter(p param.Spec, schema object) object {
	out := object{"name": p.Name, "in": "query", "description": p.Doc, "schema": schema}
	if p.Required {
		out["required"] = true
	}
	if p.Kind == param.List {
		out["style"], out["explode"] = "form", false
	}
	return out
}

// parameterSchema is the schema of a declared parameter.
func parameterSchema(p param.Spec) (object, error) {
	schema := object{}
	set := func(key string, value any, given bool) {
		if given {
			schema[key] = value
		}
	}
	switch p.Kind {
	case param.List:
		items := object{"type": "string"}
		if p.Options != nil {
			items["enum"] = p.Options
		}
		if p.Pattern != "" {
			items["pattern"] = "^(?:" + p.Pattern + ")$"
		}
		schema["type"], schema["items"] = "array", items
		set("maxItems", p.MaxItems, p.MaxItems > 0)
		return schema, nil
	case param.Polygon, param.Text:
		schema["type"] = "string"
		set("maxLength", p.MaxChars, p.MaxChars > 0)
		set("enum", p.Options, p.Options != nil)
	case param.Number, param.Integer:
		schema["type"] = string(p.Kind)
		set("minimum", p.Min, p.Min != nil)
		set("maximum", p.Max, p.Max != nil)
		set("exclusiveMinimum", p.Above, p.Above != nil)
	default:
		return nil, fmt.Errorf("parameter %s has the unknown kind %q", p.Name, p.Kind)
	}
	if p.Default != "" {
		value, err := defaultOf(p)
		if err != nil {
			return nil, fmt.Errorf("parameter %s has the default %q: %w", p.Name, p.Default, err)
		}
		schema["default"] = value
	}
	return schema, nil
}

func defaultOf(p param.Spec) (any, error) {
	switch p.Kind {
	case param.Number:
		return strconv.ParseFloat(p.Default, 64)
	case param.Integer:
		return strconv.Atoi(p.Default)
	}
	return p.Default, nil
}
