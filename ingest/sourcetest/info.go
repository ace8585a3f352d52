package sourcetest

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/ingest/source"
)

var kindName = regexp.MustCompile(`^[a-z][a-z0-9]*([-_][a-z0-9]+)*$`)

// checkInfo checks the fields that DATA.md and the help print.
func checkInfo(t *testing.T, info source.Info) {
	if !kindName.MatchString(info.Kind) {
		t.Errorf("kind %q is not made of lower-case words", info.Kind)
	}
	if info.Title == "" || strings.Contains(info.Title, "\n") {
		t.Errorf("title %q is not one line", info.Title)
	}
	if len(info.Formats) == 0 || slices.Contains(info.Formats, "") {
		t.Errorf("formats %q", info.Formats)
	}
	if len(info.Yields) == 0 {
		t.Error("it yields nothing")
	}
	for _, table := range info.Yields {
		if !slices.Contains(stagedTables, table) && !slices.Contains(listingTables, table) {
			t.Errorf("yields %q, which is not one of %v", table, stagedTables)
		}
	}
	if info.Options != nil {
		checkOptions(t, reflect.TypeOf(info.Options))
	}
}

// checkOptions checks that every option has a yaml and a doc tag, and every number a unit and a range.
func checkOptions(t *testing.T, options reflect.Type) {
	if options.Kind() == reflect.Pointer {
		options = options.Elem()
	}
	if options.Kind() != reflect.Struct {
		t.Fatalf("options are a %s, not a struct", options.Kind())
	}
	for i := range options.NumField() {
		field := options.Field(i)
		if field.Anonymous {
			checkOptions(t, field.Type)
		}
		if name, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); name == "" && field.Tag.Get("yaml") != ",inline" {
			t.Errorf("option %s has no yaml tag", field.Name)
		}
		if field.Tag.Get("doc") == "" && field.Tag.Get("yaml") != ",inline" {
			t.Errorf("option %s has no doc tag", field.Name)
		}
		_, ranged := field.Tag.Lookup("range")
		if d := source.DeclaredBy(field.Tag); numeric(field.Type) && (d.Unit == "" || !ranged && d.Values == nil) {
			t.Errorf("option %s is a number without the tags unit and range", field.Name)
		}
	}
}

// numeric reports whether an option has numbers: itself, its elements or its keys.
func numeric(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return numeric(t.Elem())
	case reflect.Map:
		return numeric(t.Key()) || numeric(t.Elem())
	case reflect.Struct, reflect.Bool, reflect.String:
		return false
	}
	return true
}
