package openapi

import (
	"fmt"
	"reflect"
	"strings"
)

// schemas collects a component for each named struct in the bodies of operations.
type schemas struct {
	keys  map[string][]string
	named object
	types map[string]reflect.Type // by component name
}

func newSchemas(keys map[string][]string) *schemas {
	return &schemas{keys, object{}, map[string]reflect.Type{}}
}

// of returns the JSON schema of a type as encoding/json writes it: a reference for a named struct.
func (s *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.reference(t)
	}
	panic(fmt.Sprintf("openapi: %s has no schema", t))
}

func (s *schemas) reference(t reflect.Type) object {
	name := t.Name()
	if known, ok := s.types[name]; ok && known != t {
		panic(fmt.Sprintf("openapi: %s and %s have the same component name", known, t))
	} else if !ok {
		s.types[name] = t
		s.named[name] = s.fields(t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// fields is the schema of a struct, closed to other members. A field without omitempty is required; if it is a pointer
// it can be null.
func (s *schemas) fields(t reflect.Type) object {
	properties, required := object{}, []string{}
	s.addFields(t, properties, &required)
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func (s *schemas) addFields(t reflect.Type, properties object, required *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			s.addFields(field.Type, properties, required)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		schema := s.of(field.Type)
		if keys := field.Tag.Get("keys"); keys != "" {
			schema["propertyNames"] = s.keyReference(keys)
		}
		if options != "omitempty" {
			*required = append(*required, name)
			if field.Type.Kind() == reflect.Pointer {
				schema = object{"anyOf": []object{schema, {"type": "null"}}}
			}
		}
		properties[name] = schema
	}
}

// keyReference is a reference to the keys of maps by their name in Info.Keys, a component of its own.
func (s *schemas) keyReference(name string) object {
	if s.keys[name] == nil {
		panic(fmt.Sprintf("openapi: unknown keys %q", name))
	}
	s.named[name] = object{"type": "string", "enum": s.keys[name]}
	return object{"$ref": "#/components/schemas/" + name}
}
