package ingest

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
)

// WriteDataPage writes DATA.md: what every kind of source reads and takes as options, and the sources of the region
// files in dir with their licences. It is made from what the kinds and the region files say of themselves.
func WriteDataPage(w io.Writer, dir string) error {
	page := &page{w: w}
	page.line("# Sources and data")
	page.line("")
	page.line("Made by `quartier data` (`make data-doc`) from the sources' own declarations; do not edit.")
	page.line("")
	page.line("## Kinds of source")
	for _, kind := range Kinds {
		page.kind(kind.Info().Kind, kind.Info().Title, kind.Info().Formats, kind.Info().Yields, kind.Info().Notes)
		page.options(reflect.TypeOf(kind.Info().Options))
	}
	page.line("")
	page.line("## Sources of the shipped regions")
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	for _, file := range files {
		if err := page.region(file); err != nil {
			return err
		}
	}
	return page.err
}

type page struct {
	w   io.Writer
	err error
}

func (p *page) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *page) kind(name, title string, formats, yields []string, notes string) {
	p.line("")
	p.line("### `%s`", name)
	p.line("")
	p.line("%s", title)
	p.line("")
	for _, format := range formats {
		p.line("- %s", format)
	}
	p.line("")
	p.line("Fills: %s.", strings.Join(yields, ", "))
	if notes != "" {
		p.line("")
		p.line("%s", notes)
	}
}

// options lists the fields of an options struct by their yaml and doc tags, nested structs indented.
func (p *page) options(t reflect.Type) {
	if t == nil || t.Kind() != reflect.Struct || t.NumField() == 0 {
		return
	}
	p.line("")
	p.line("| option | type | meaning |")
	p.line("| --- | --- | --- |")
	p.fields("", t)
}

func (p *page) fields(prefix string, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, rest, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if strings.Contains(rest, "inline") {
			p.fields(prefix, inner)
			continue
		}
		p.line("| `%s%s` | %s | %s |", prefix, name, typeText(inner), strings.ReplaceAll(field.Tag.Get("doc"), "|", "\\|"))
		if inner.Kind() == reflect.Struct && inner.NumField() > 0 && inner.PkgPath() != "gopkg.in/yaml.v3" {
			p.fields(prefix+name+".", inner)
		}
	}
}

func typeText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "list of " + typeText(t.Elem())
	case reflect.Map:
		return "map of " + typeText(t.Key()) + " to " + typeText(t.Elem())
	case reflect.Struct:
		return "group"
	case reflect.Float64, reflect.Float32:
		return "number"
	case reflect.Bool:
		return "yes or no"
	case reflect.String:
		return "text"
	}
	if strings.HasPrefix(t.Kind().String(), "int") || strings.HasPrefix(t.Kind().String(), "uint") {
		return "whole number"
	}
	return t.String()
}

func (p *page) region(file string) error {
	var region Region
	if err := readYAML(file, &region); err != nil {
		if _, released := ReadRelease(file); released == nil {
			return nil
		}
		return err
	}
	p.line("")
	p.line("### %s (`%s`)", region.Title, filepath.Base(file))
	p.line("")
	p.line("| source | kind | file | as of | licence | attribution |")
	p.line("| --- | --- | --- | --- | --- | --- |")
	for _, s := range region.Sources {
		p.line("| %s | %s | %s | %s | %s | %s |", s.ID, s.Kind, s.Path+s.URL, s.AsOf, s.Licence, s.Attribution)
	}
	return nil
}
