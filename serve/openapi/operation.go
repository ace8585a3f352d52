package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"quartier/serve/param"
)

func describe(o Operation, components *schemas) (object, error) {
	out := object{"summary": o.Summary, "operationId": o.ID, "tags": []string{o.Tag}}
	if o.Doc != "" {
		out["description"] = o.Doc
	}
	switch {
	case o.Secured:
		security := []object{{"bearer": []string{}}}
		if o.Key != "" {
			security = append(security, object{o.Key: []string{}})
		}
		out["security"] = security
	case o.Form != nil:
		out["security"] = []object{{}, {"basic": []string{}}}
	default:
		out["security"] = []object{}
	}
	var parameters []object
	if o.Variable != nil {
		parameters = append(parameters, pathParameter(o.Variable, o.Given[o.Variable.Name]))
	}
	for i := range o.Variables {
		parameters = append(parameters, pathParameter(&o.Variables[i], ""))
	}
	for _, p := range o.Params {
		parameter, err := queryParameter(p, components, o.Given[p.Name])
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		parameters = append(parameters, parameter)
	}
	for _, h := range o.Headers {
		parameters = append(parameters, object{"name": h.ID, "in": "header", "schema": object{"type": "string"}, "description": h.Doc})
	}
	if o.Cached {
		parameters = append(parameters, object{"name": "If-None-Match", "in": "header", "schema": object{"type": "string"},
			"description": "ETags of answers that the caller has; 304 if the answer is one of them."})
	}
	if parameters != nil {
		out["parameters"] = parameters
	}
	if o.Body != nil {
		sent := object{"schema": components.of(o.Body)}
		if o.Sent != nil {
			sent["example"] = o.Sent
		}
		content := object{"application/json": sent}
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

func response(r Response, components *schemas) object {
	out := object{"description": r.Doc}
	headers := object{}
	for _, name := range r.Headers {
		headers[name] = object{"$ref": "#/components/headers/" + name}
	}
	if len(headers) > 0 {
		out["headers"] = headers
	}
	content := object{}
	media := r.Media
	switch {
	case r.Body != nil:
		media, content["schema"] = "application/json", components.of(r.Body)
	case media == "application/json":
		content["schema"] = object{"type": "object"}
	case strings.HasPrefix(media, "text/"):
		content["schema"] = object{"type": "string"}
	case media != "":
		content["schema"] = object{"type": "string", "format": "binary"}
	default:
		return out
	}
	if r.Example != nil {
		content["example"] = r.Example
	}
	out["content"] = object{media: content}
	return out
}

func pathParameter(v *Variable, given string) object {
	out := object{"name": v.Name, "in": "path", "required": true, "description": v.Doc, "schema": object{
		"type": "string", "pattern": v.Pattern, "maxLength": v.MaxChars,
	}}
	if given != "" {
		out["example"] = given
	}
	return out
}

func queryParameter(p param.Spec, components *schemas, given string) (object, error) {
	schema, err := parameterSchema(p, components)
	if err != nil {
		return nil, err
	}
	out := object{"name": p.Name, "in": "query", "description": p.Doc, "schema": schema}
	if p.Required {
		out["required"] = true
	}
	if p.Kind == param.List {
		out["style"], out["explode"] = "form", false
	}
	if given != "" {
		out["example"], err = valueOf(p, given)
	}
	return out, err
}

// parameterSchema is the schema of a declared parameter.
func parameterSchema(p param.Spec, components *schemas) (object, error) {
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
			items = components.options(p.Options)
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
		set("pattern", "^(?:"+p.Pattern+")$", p.Pattern != "")
		if p.Options != nil {
			schema = components.options(p.Options)
		}
	case param.Time:
		schema["type"], schema["format"] = "string", "date-time"
	case param.Boolean:
		schema["type"] = "boolean"
	case param.Number, param.Integer:
		schema["type"] = string(p.Kind)
		schema["format"] = map[param.Kind]string{param.Number: "double", param.Integer: "int32"}[p.Kind]
		set("minimum", p.Min, p.Min != nil)
		set("maximum", p.Max, p.Max != nil)
		set("exclusiveMinimum", p.Above, p.Above != nil)
	default:
		return nil, fmt.Errorf("unknown kind %q", p.Kind)
	}
	if p.Default != "" {
		value, err := valueOf(p, p.Default)
		if err != nil {
			return nil, fmt.Errorf("default %q: %w", p.Default, err)
		}
		schema["default"] = value
	}
	return schema, nil
}

// valueOf is the JSON of a parameter's value.
func valueOf(p param.Spec, text string) (any, error) {
	switch p.Kind {
	case param.Number:
		return strconv.ParseFloat(text, 64)
	case param.Integer:
		return strconv.Atoi(text)
	case param.Boolean:
		return strconv.ParseBool(text)
	case param.List:
		return strings.Split(text, ","), nil
	}
	return text, nil
}
