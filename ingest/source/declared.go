package source

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Declared is what the tags of an option say about its value: unit:"metres" range:"0,1000", where either end may be
// missing, and values:"m ft" of a text or of the elements of a list.
type Declared struct {
	Unit     string
	Min, Max string // numbers, both included; "": no limit
	Values   []string
}

// DeclaredBy reads the tags of a field of an options struct.
func DeclaredBy(tag reflect.StructTag) (d Declared) {
	d.Unit, d.Values = tag.Get("unit"), strings.Fields(tag.Get("values"))
	d.Min, d.Max, _ = strings.Cut(tag.Get("range"), ",")
	return d
}

// DeclaredOption is the declaration of an option, given by its name in region files, of a struct of options.
func DeclaredOption(options any, name string) Declared {
	field, _ := fieldNamed(reflect.ValueOf(options), name)
	return DeclaredBy(field.Tag)
}

// String is the declaration in a table: "share, 0 to 1"; "lines, from 0"; "m or ft".
func (d Declared) String() string {
	text := d.Unit
	switch {
	case d.Min != "" && d.Max != "":
		text += ", " + d.Min + " to " + d.Max
	case d.Min != "":
		text += ", from " + d.Min
	case d.Max != "":
		text += ", to " + d.Max
	}
	if n := len(d.Values); n > 0 {
		text += strings.Join(d.Values[:n-1], ", ")
		if n > 1 {
			text += " or "
		}
		text += d.Values[n-1]
	}
	return text
}

// fault says what is wrong with the number of an option; "" if it is in its range or no number.
func (d Declared) fault(value reflect.Value) string {
	for value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return ""
		}
		value = value.Elem()
	}
	var number float64
	switch {
	case value.CanInt():
		number = float64(value.Int())
	case value.CanFloat():
		number = value.Float()
	default:
		return ""
	}
	beyond := func(limit string, below bool) bool {
		at, err := strconv.ParseFloat(limit, 64)
		return err == nil && (below && !(number >= at) || !below && !(number <= at))
	}
	if !beyond(d.Min, true) && !beyond(d.Max, false) {
		return ""
	}
	return fmt.Sprintf("%v is out of range: %s", value.Interface(), d)
}
