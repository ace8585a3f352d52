package openapi

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas/column"
)

// schemas collects a component for each named struct in the bodies of operations, and for each vocabulary that they or
// the parameters use.
type schemas struct {
	info  *Info
	named object
	types map[string]reflect.Type // by component name
}

func newSchemas(info *Info) *schemas {
	return &schemas{info, object{}, map[string]reflect.Type{}}
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
	case reflect.Int, reflect.Int32:
		return object{"type": "integer", "format": "int32"}
	case reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	case reflect.Float64:
		return object{"type": "number", "format": "double"}
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
	name, renamed := s.info.Names[t]
	if !renamed {
		name = t.Name()
	}
	if known, ok := s.types[name]; ok && known != t {
		panic(fmt.Sprintf("openapi: %s and %s have the same component name", known, t))
	} else if !ok {
		s.types[name] = t
		s.named[name] = s.fields(t)
	}
	return componentReference(name)
}

func componentReference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// fields is the schema of a struct. A field without omitempty is required; if it is a pointer it can be
// null. The tag "nullable" lets a member of a request be null too.
func (s *schemas) fields(t reflect.Type) object {
	properties, required := object{}, []string{}
	s.addFields(t, properties, &required)
	out := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
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
		schema := s.field(field)
		if options != "omitempty" {
			*required = append(*required, name)
			if field.Type.Kind() == reflect.Pointer {
				schema = object{"anyOf": []object{schema, {"type": "null"}}}
			}
		} else if field.Tag.Get("nullable") == "true" {
			schema = object{"anyOf": []object{schema, {"type": "null"}}}
		}
		schema["description"] = documentation(field)
		properties[name] = schema
	}
}

// columnTypes are the types of the catalogue's columns that a field of a kind can have.
var columnTypes = map[reflect.Kind][]string{
	reflect.Int: {"int32", "int64"}, reflect.Int32: {"int32"}, reflect.Int64: {"int64"}, reflect.Float64: {"float64", "decimal"},
	reflect.Bool: {"bool"}, reflect.String: {"string"}, reflect.Struct: {"object"},
}

// documentation describes a field: the tag "doc" or, of all numbers, the text of the column of the catalogue that the tag "column"
// names.
func documentation(field reflect.StructField) string {
	of := field.Type
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Map {
		of = of.Elem()
	}
	key, types := field.Tag.Get("column"), columnTypes[of.Kind()]
	if zero := reflect.Zero(of); key == "" && !zero.CanInt() && !zero.CanFloat() {
		return field.Tag.Get("doc")
	}
	c := column.Of(key) // of a number without the tag there is none
	if name, _, _ := strings.Cut(c.Type.Name, "("); !slices.Contains(types, name) {
		panic(fmt.Sprintf("openapi: %s is %s, its column %s %s", field.Name, of, key, c.Type.Name))
	}
	return c.Text.EN + "."
}

// field is the schema of a field: of its type, narrowed by its tags. "enum" names the vocabulary of a text, a number or
// the items of a list, "keys" that of the keys of a map. The keys are open to new words as objects are to new members, so
// that the vocabulary is one of two alternatives.
func (s *schemas) field(field reflect.StructField) object {
	schema := s.of(field.Type)
	if enum := field.Tag.Get("enum"); enum != "" {
		if field.Type.Kind() == reflect.Slice {
			schema["items"] = s.vocabulary(enum)
		} else {
			schema = s.vocabulary(enum)
		}
	}
	if keys := field.Tag.Get("keys"); keys != "" {
		schema["propertyNames"] = object{"anyOf": []object{s.vocabulary(keys), {"type": "string"}}}
	}
	return schema
}

// vocabulary is a reference to the component of a vocabulary.
func (s *schemas) vocabulary(name string) object {
	v, ok := s.info.Vocabularies[name]
	if !ok {
		panic(fmt.Sprintf("openapi: unknown vocabulary %q", name))
	}
	if s.named[name] != nil {
		return componentReference(name)
	}
	out := object{"type": "string", "enum": v.ids(), "description": v.Doc}
	if v.Number {
		numbers := []int{}
		for _, id := range v.ids() {
			n, err := strconv.Atoi(id)
			if err != nil {
				panic(err)
			}
			numbers = append(numbers, n)
		}
		out["type"], out["format"], out["enum"] = "integer", "int32", numbers
	}
	for i, t := range v.Terms {
		if t.Doc == "" {
			continue
		}
		if i == 0 {
			out["description"] = v.Doc + "\n"
		}
		out["description"] = fmt.Sprintf("%s\n- `%s`: %s", out["description"], t.ID, t.Doc)
	}
	s.named[name] = out
	return componentReference(name)
}

// options is the schema of a parameter that is one of some words: the vocabulary that consists of them, if there is one.
func (s *schemas) options(words []string) object {
	for _, name := range slices.Sorted(maps.Keys(s.info.Vocabularies)) {
		if v := s.info.Vocabularies[name]; !v.Number && slices.Equal(v.ids(), words) {
			return s.vocabulary(name)
		}
	}
	return object{"type": "string", "enum": words}
}
