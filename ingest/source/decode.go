package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// decodeOptions decodes the options of a region file into a struct, given by pointer: one after the other, so that each
// fault names its option.
func decodeOptions(node *yaml.Node, options any) (faults Faults) {
	if node.Kind == yaml.DocumentNode {
		node = node.Content[0]
	}
	if node.IsZero() || node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return Faults{fmt.Errorf("%w: options are not a mapping of names to values", ErrBadOptions)}
	}
	target := reflect.ValueOf(options).Elem()
	names := fieldsOf(target.Type(), target.Type().String())
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := node.Content[i].Value
		at := slices.Index(names, name)
		switch {
		case at < 0:
			text := fmt.Sprintf("unknown option %s; there are: %s", name, strings.Join(names, ", "))
			faults = append(faults, &OptionFault{Option: name, Text: text})
			continue
		case seen[name]:
			faults.Option(true, name, "occurs twice")
			continue
		}
		seen[name] = true
		field, value := fieldNamed(target, name)
		if err := decodeOption(node.Content[i+1], value.Addr().Interface()); err != nil {
			faults.Option(true, name, "%s", err)
		} else {
			faults = append(faults, DeclaredBy(field.Tag).faults(name, value)...)
		}
	}
	return faults
}

// decodeOption decodes the value of an option. Line numbers are removed from its errors, since the text is not that of the
// region file.
func decodeOption(value *yaml.Node, into any) error {
	data, err := yaml.Marshal(value)
	if err == nil {
		err = DecodeYAML(data, into, "option")
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return errors.New(lineNumber.ReplaceAllString(err.Error(), "$1"))
}

// fieldNamed returns the field of a struct, or of one embedded in it, with the given name in YAML.
func fieldNamed(target reflect.Value, name string) (reflect.StructField, reflect.Value) {
	for _, field := range reflect.VisibleFields(target.Type()) {
		if tag, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); tag == name {
			return field, target.FieldByIndex(field.Index)
		}
	}
	panic("no field " + name)
}

// DecodeYAML decodes into a struct, given by pointer. The error for an unknown field lists the known ones; field is what
// they are called. Several errors are Faults, each of which begins with "line 3: ". The error is io.EOF if the text is
// empty.
func DecodeYAML(data []byte, into any, field string) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	err := dec.Decode(into)
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return err
	}
	var messages Faults
	for _, fault := range faults.Errors {
		if m := unknownField.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("%sunknown %s %s; there are: %s", m[1], field, m[2], strings.Join(fieldsOf(reflect.TypeOf(into), m[3]), ", "))
		}
		messages = append(messages, errors.New(plainType(fault)))
	}
	return messages.Err()
}

var (
	unknownField = regexp.MustCompile(`^(line \d+: )field (.+) not found in type (\S+)$`)
	lineNumber   = regexp.MustCompile(`(^|; )line \d+: `)
)

var typeError = regexp.MustCompile("^(line \\d+: )?cannot unmarshal !!(\\S+) (`.*` )?into (\\S+)$")

// plainType says in plain words that a value is of another type than it should be.
func plainType(fault string) string {
	m := typeError.FindStringSubmatch(fault)
	if m == nil {
		return fault
	}
	value := strings.TrimSpace(m[3])
	switch {
	case value != "":
	case m[2] == "seq":
		value = "a list"
	default:
		value = "a mapping"
	}
	wanted := "a text"
	switch t := m[4]; {
	case strings.HasPrefix(t, "[]"):
		wanted = "a list"
	case strings.HasPrefix(t, "map[") || strings.Contains(t, "."):
		wanted = "a mapping of names to values"
	case strings.HasPrefix(t, "int"):
		wanted = "a whole number"
	case strings.HasPrefix(t, "float"):
		wanted = "a number"
	case t == "bool":
		wanted = "true or false"
	}
	return m[1] + value + " is not " + wanted
}

// fieldsOf returns the field names of the struct type with the given name, which is t or the type of a nested field.
func fieldsOf(t reflect.Type, name string) (names []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.PkgPath() == reflect.TypeFor[yaml.Node]().PkgPath() {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case !f.IsExported() || tag == "-":
		case f.Anonymous && t.String() == name:
			names = append(names, fieldsOf(f.Type, f.Type.String())...)
		case t.String() != name:
			if inner := fieldsOf(f.Type, name); inner != nil {
				return inner
			}
		default:
			names = append(names, tag)
		}
	}
	return names
}
