// Package sqlrow moves structs into and out of SQL tables by the names of their columns, so that no statement depends on
// the order of columns. A row type names its columns in tags:
//
//	type POI struct {
//		Key     string   `col:"poi_key"`
//		Address string   `col:"address,null"` // "" is NULL
//		AreaM2  *float64 `col:"area_m2"`      // nil is NULL
//		Contact                               // the columns of an embedded struct belong to the row
//	}
//
// Fields are string, bool, uint8 (UTINYINT), int32 (INTEGER), int64 (BIGINT), float64 or []byte, or pointers to these. Fields without a
// tag are no columns. The row types of the project are in schemas/staged, schemas/derived and schemas/release, where
// schemas/generate writes them from the DDL.
//
// A table of DuckDB is written with duck.NewWriter, which uses the bulk appender, any other one with NewInserter:
//
//	insert := sqlrow.NewInserter[release.POI](ctx, tx, "poi") // INSERT INTO poi (fid, poi_key, …) VALUES (?, ?, …)
//	err := insert.Row(release.POI{FID: 1, Key: "osm:node:123"})
//
// Queries are read with Select. Their columns must be those of the row type, in any order:
//
//	for row, err := range sqlrow.Select[staged.Survey](ctx, db, "SELECT * FROM survey ORDER BY source_id") {
//		if err != nil {
//			return err
//		}
//		…
//	}
//
// The layout of a type is found by reflection once for each type and its fields are bound once for each writer or query, not for each row.
package sqlrow

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// column is one column of a row type.
type column struct {
	name  string
	null  bool  // the zero value is NULL
	index []int // of the field, for reflect.Value.FieldByIndex
	kind  reflect.Type
}

// layouts are the columns of the row types in use, a []column by reflect.Type.
var layouts sync.Map

// columnsOf lists the columns of a row type in the order of its fields. It panics on a field that cannot be a column.
func columnsOf(row reflect.Type) []column {
	if known, ok := layouts.Load(row); ok {
		return known.([]column)
	}
	var list []column
	for _, field := range reflect.VisibleFields(row) {
		tag, tagged := field.Tag.Lookup("col")
		if !tagged {
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		if !isColumn(field.Type) || option != "" && option != "null" {
			panic(fmt.Sprintf("field %s of %s cannot be a column", field.Name, row))
		}
		list = append(list, column{name, option == "null", field.Index, field.Type})
	}
	layouts.Store(row, list)
	return list
}

func isColumn(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[uint8](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[float64](), reflect.TypeFor[[]byte]():
		return true
	}
	return false
}

// Names lists the columns of a row type in the order of its fields.
func Names[T any]() []string {
	var names []string
	for _, c := range columnsOf(reflect.TypeFor[T]()) {
		names = append(names, c.name)
	}
	return names
}

// List is the columns of a row type for a statement, each with a prefix: List[POI]("p.") is "p.poi_key, p.address, …".
func List[T any](prefix string) string {
	return prefix + strings.Join(Names[T](), ", "+prefix)
}

// Texts points to the string columns of a row, in the order of its fields, and visits each with its name.
func Texts[T any](row *T, visit func(column string, text *string)) {
	value := reflect.ValueOf(row).Elem()
	for _, c := range columnsOf(value.Type()) {
		if text, ok := value.FieldByIndex(c.index).Addr().Interface().(*string); ok {
			visit(c.name, text)
		}
	}
}

// Buffer is one row whose fields are tied to the columns of a table or query.
type Buffer[T any] struct {
	Row   T
	cells []cell
}

// cell is a field of the buffer's row: a pointer to it.
type cell struct {
	field any
	null  bool // the zero value is NULL
}

// NewBuffer ties a row to columns, which must be those of the row type, in any order.
func NewBuffer[T any](columns []string) (*Buffer[T], error) {
	b := new(Buffer[T])
	row := reflect.ValueOf(&b.Row).Elem()
	own := columnsOf(row.Type())
	for _, name := range columns {
		i := slices.IndexFunc(own, func(c column) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s has no field for column %s", row.Type(), name)
		}
		b.cells = append(b.cells, cell{row.FieldByIndex(own[i].index).Addr().Interface(), own[i].null})
	}
	for _, c := range own {
		if !slices.Contains(columns, c.name) {
			return nil, fmt.Errorf("column %s of %s is missing", c.name, row.Type())
		}
	}
	return b, nil
}

// Value is the row's value of column i; nil is NULL.
func (b *Buffer[T]) Value(i int) driver.Value {
	c := b.cells[i]
	switch field := c.field.(type) {
	case *string:
		return value(*field, c.null && *field == "")
	case *float64:
		return value(*field, c.null && *field == 0)
	case *int32:
		return value(*field, c.null && *field == 0)
	case *int64:
		return value(*field, c.null && *field == 0)
	case *bool:
		return value(*field, c.null && !*field)
	case *uint8:
		return value(*field, c.null && *field == 0)
	case *[]byte:
		return value(*field, c.null && *field == nil)
	case **string:
		return pointed(*field)
	case **float64:
		return pointed(*field)
	case **int32:
		return pointed(*field)
	case **int64:
		return pointed(*field)
	case **bool:
		return pointed(*field)
	case **uint8:
		return pointed(*field)
	case **[]byte:
		return pointed(*field)
	}
	panic(fmt.Sprintf("column %d is a %T", i, c.field)) // columnsOf lets no other type pass
}

func value[V any](v V, null bool) driver.Value {
	if null {
		return nil
	}
	return v
}

func pointed[V any](v *V) driver.Value {
	if v == nil {
		return nil
	}
	return *v
}

// Field is a column of a row type by its place in memory.
type Field struct {
	Name   string
	Type   reflect.Type
	Offset uintptr // in a row
}

// Fields lists the columns of a row type in the order of its fields.
func Fields[T any]() []Field {
	row := reflect.TypeFor[T]()
	var list []Field
	for _, c := range columnsOf(row) {
		f := Field{Name: c.name, Type: c.kind}
		for at, i := row, 0; i < len(c.index); i++ {
			step := at.Field(c.index[i])
			f.Offset += step.Offset
			at = step.Type
		}
		list = append(list, f)
	}
	return list
}

// Quote is the name of a table or column as SQL writes it.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
