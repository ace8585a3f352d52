package source

import (
	"fmt"
	"reflect"
	"slices"
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

// String is the declaration in a table: "share, 0 to 1"; "lines, from 0"; "m or ft".
func (d Declared) String() string {
	var parts []string
	if d.Unit != "" {
		parts = append(parts, d.Unit)
	}
	switch {
	case d.Min != "" && d.Max != "":
		parts = append(parts, d.Min+" to "+d.Max)
	case d.Min != "":
		parts = append(parts, "from "+d.Min)
	case d.Max != "":
		parts = append(parts, "to "+d.Max)
	}
	if n := len(d.Values); n > 1 {
		parts = append(parts, strings.Join(d.Values[:n-1], ", ")+" or "+d.Values[n-1])
	} else if n == 1 {
		parts = append(parts, d.Values[0])
	}
	return strings.Join(parts, ", ")
}

// faults are what is wrong with the value of an option, or with elements of a list: none of the values, or numbers out of
// range. An empty text is the default and never at fault.
func (d Declared) faults(name string, value reflect.Value) (faults Faults) {
	switch {
	case value.Kind() == reflect.Pointer && !value.IsNil():
		return d.faults(name, value.Elem())
	case value.Kind() == reflect.Slice:
		for _, element := range value.Seq2() {
			faults = append(faults, d.faults(name, element)...)
		}
	case value.Kind() == reflect.String:
		text := value.String()
		bad := text != "" && len(d.Values) > 0 && !slices.Contains(d.Values, text)
		faults.Value(bad, name, text, "%q is none of %s", text, strings.Join(d.Values, ", "))
	case value.CanInt():
		d.checkNumber(&faults, name, fmt.Sprint(value), float64(value.Int()))
	case value.CanFloat():
		d.checkNumber(&faults, name, fmt.Sprint(value), value.Float())
	}
	return faults
}

func (d Declared) checkNumber(faults *Faults, name, text string, number float64) {
	beyond := func(limit string, below bool) bool {
		at, err := strconv.ParseFloat(limit, 64)
		return err == nil && (below && !(number >= at) || !below && !(number <= at))
	}
	faults.Value(beyond(d.Min, true) || beyond(d.Max, false), name, text, "%s is out of range: %s", text, d)
	faults.Value(len(d.Values) > 0 && !slices.Contains(d.Values, text), name, text, "%s is none of %s", text, strings.Join(d.Values, ", "))
}
