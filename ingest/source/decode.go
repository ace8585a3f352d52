package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// decodeStrict decodes options. Line numbers are removed from its errors, since the text is not that of the region file.
func decodeStrict(data []byte, options any, source string) error {
	err := DecodeYAML(data, options, "option")
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("%w of source %s: %s", ErrBadOptions, source, lineNumber.ReplaceAllString(err.Error(), "$1"))
}

// DecodeYAML decodes into a struct, given by pointer. The error for an unknown field lists the known ones; field is what
// they are called. The error is io.EOF if the text is empty.
func DecodeYAML(data []byte, into any, field string) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	err := dec.Decode(into)
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return err
	}
	var messages []string
	for _, fault := range faults.Errors {
		if m := unknownField.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("%sunknown %s %s; there are: %s", m[1], field, m[2], strings.Join(fieldsOf(reflect.TypeOf(into), m[3]), ", "))
		}
		messages = append(messages, fault)
	}
	return errors.New(strings.Join(messages, "; "))
}

var (
	unknownField = regexp.MustCompile(`^(line \d+: )field (.+) not found in type (\S+)$`)
	lineNumber   = regexp.MustCompile(`(^|; )line \d+: `)
)

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
