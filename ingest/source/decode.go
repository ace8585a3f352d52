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

// decodeStrict fills options. The text was written anew from a region file, so that its numbers of lines say nothing.
func decodeStrict(data []byte, options any, source string) error {
	err := DecodeYAML(data, options, "option")
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("%w of source %s: %s", ErrBadOptions, source, lineNumber.ReplaceAllString(err.Error(), "$1"))
}

// DecodeYAML fills a struct, by pointer, and refuses fields that it does not have, with those that there are. field is
// what they are called. The error is io.EOF where there is nothing.
func DecodeYAML(data []byte, into any, field string) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	err := dec.Decode(into)
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return err
	}
	var told []string
	for _, fault := range faults.Errors {
		if m := unknownField.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("%sunknown %s %s; there are: %s", m[1], field, m[2], strings.Join(fieldsOf(reflect.TypeOf(into), m[3]), ", "))
		}
		told = append(told, fault)
	}
	return errors.New(strings.Join(told, "; "))
}

var (
	unknownField = regexp.MustCompile(`^(line \d+: )field (.+) not found in type (\S+)$`)
	lineNumber   = regexp.MustCompile(`(^|; )line \d+: `)
)

// fieldsOf are the names of the fields of a struct by the name of its type, which is t or one that t is made of.
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
