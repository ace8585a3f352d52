package pack

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"quartier/internal/coord"
)

// Tables and their writers name their sections in the tags of their fields: the name of the section, then the factors of
// its number of elements, lists or texts, each a number or the name of a count. Without factors any number is right.
//
//	boxes []coord.Point `pack:"area.box 2 areas"` // 2·areas points
//	codes []string      `pack:"region.code"`      // any number of texts
//	notes Lists[byte]   `pack:"area.note? areas"` // none if the file does not have them (Loader.Has)

// eachSection visits the tagged fields of a struct, by pointers to them.
func eachSection(table any, visit func(name string, factors []string, field any)) {
	value := reflect.ValueOf(table).Elem()
	for i := range value.NumField() {
		if tag, ok := value.Type().Field(i).Tag.Lookup("pack"); ok {
			words, field := strings.Fields(tag), value.Field(i)
			visit(words[0], words[1:], reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Interface())
		}
	}
}

// OpenSections opens the sections of the tagged fields of a writer: Section or ListsWriter. The names begin with prefix.
func OpenSections(w *Writer, fields any, prefix string) {
	eachSection(fields, func(name string, _ []string, field any) {
		field.(interface{ open(w *Writer, name string) }).open(w, prefix+name)
	})
}

// Fill loads the tagged fields of a table: slices of elements, Lists, or []string for texts. The names begin with prefix.
func (l *Loader) Fill(table any, prefix string, counts map[string]int) {
	eachSection(table, func(name string, factors []string, field any) {
		name, optional := strings.CutSuffix(prefix+name, "?")
		if optional && !l.Has(name) && !l.Has(name+".ends") {
			return
		}
		want := product(factors, counts)
		switch f := field.(type) {
		case interface {
			load(l *Loader, name string, want int)
		}:
			f.load(l, name, want)
		case *[]string:
			*f = LoadTexts(l, name, want)
		default:
			_ = fill[uint8](l, f, name, want) || fill[uint16](l, f, name, want) || fill[uint32](l, f, name, want) ||
				fill[uint64](l, f, name, want) || fill[int32](l, f, name, want) || fill[int64](l, f, name, want) ||
				fill[float32](l, f, name, want) || fill[float64](l, f, name, want) || fill[coord.Point](l, f, name, want)
		}
	})
}

// fill loads a section if the field is a slice of T.
func fill[T Element](l *Loader, field any, name string, want int) bool {
	values, ok := field.(*[]T)
	if ok {
		*values = Load[T](l, name, want)
	}
	return ok
}

// product multiplies factors; Any if there are none.
func product(factors []string, counts map[string]int) int {
	if len(factors) == 0 {
		return Any
	}
	result := 1
	for _, factor := range factors {
		n, ok := counts[factor]
		if !ok {
			var err error
			if n, err = strconv.Atoi(factor); err != nil {
				panic(fmt.Sprintf("no count %q for a section", factor))
			}
		}
		result *= n
	}
	return result
}
