package duck

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"quartier/internal/sqlrow"
)

// Batch is consecutive rows of a query. Their texts and pointers are the memory of the database, which Release gives back:
// none of them may be used after that.
type Batch[T any] struct {
	Rows   []T
	record arrow.Record
}

// Release ends the use of the rows. It must be called once.
func (b *Batch[T]) Release() {
	b.Rows = nil
	b.record.Release()
}

// Batches runs a query and visits its rows in batches, several times as fast as sqlrow.Select. The columns of the query are
// some of those of T; the others keep their zero value. The database has the result of the whole query in memory: ask for
// large tables in parts. Whoever is passed a batch releases it.
func Batches[T any](ctx context.Context, db *DB, query string, visit func(*Batch[T]) error) error {
	conn, err := db.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	records, err := linked.Records(ctx, conn, query)
	if err != nil {
		return explain(err)
	}
	defer records.Release()
	fields, err := fieldsOf[T](records.Schema())
	if err != nil {
		return err
	}
	for records.Next() {
		record := records.Record()
		record.Retain()
		b := &Batch[T]{Rows: make([]T, record.NumRows()), record: record}
		if len(b.Rows) > 0 {
			for i, f := range fields {
				fill(unsafe.Pointer(&b.Rows[0]), unsafe.Sizeof(b.Rows[0]), f.Offset, record.Column(i), f.pointer)
			}
		}
		if err := visit(b); err != nil {
			return err
		}
	}
	return records.Err()
}

// bound is the field of a column.
type bound struct {
	sqlrow.Field
	pointer bool
}

func fieldsOf[T any](schema *arrow.Schema) ([]bound, error) {
	var list []bound
	all := sqlrow.Fields[T]()
	for _, column := range schema.Fields() {
		i := slices.IndexFunc(all, func(f sqlrow.Field) bool { return f.Name == column.Name })
		if i < 0 {
			return nil, fmt.Errorf("%T has no field for column %s", *new(T), column.Name)
		}
		b := bound{Field: all[i]}
		text := b.Type.String()
		if b.pointer = text[0] == '*'; b.pointer {
			text = text[1:]
		}
		if want := arrowTypes[text]; want == nil || column.Type.ID() != want.ID() || b.pointer && (text == "string" || text == "bool") {
			return nil, fmt.Errorf("column %s is of type %s, its field a %s", column.Name, column.Type, b.Type)
		}
		list = append(list, b)
	}
	return list, nil
}

// arrowTypes are the types of columns by the type of their field.
var arrowTypes = map[string]arrow.DataType{
	"string": arrow.BinaryTypes.String, "[]uint8": arrow.BinaryTypes.Binary,
	"bool": arrow.FixedWidthTypes.Boolean, "uint8": arrow.PrimitiveTypes.Uint8,
	"int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64, "float64": arrow.PrimitiveTypes.Float64,
}

// fill sets a field of consecutive rows, each of a size, to the values of a column.
func fill(rows unsafe.Pointer, size, offset uintptr, column arrow.Array, pointer bool) {
	switch c := column.(type) {
	case *array.String:
		set(rows, size, offset, column, c.Value)
	case *array.Binary:
		set(rows, size, offset, column, c.Value)
	case *array.Boolean:
		set(rows, size, offset, column, c.Value)
	case *array.Uint8:
		fillNumbers(rows, size, offset, column, c.Uint8Values(), pointer)
	case *array.Int32:
		fillNumbers(rows, size, offset, column, c.Int32Values(), pointer)
	case *array.Int64:
		fillNumbers(rows, size, offset, column, c.Int64Values(), pointer)
	case *array.Float64:
		fillNumbers(rows, size, offset, column, c.Float64Values(), pointer)
	}
}

func fillNumbers[V any](rows unsafe.Pointer, size, offset uintptr, column arrow.Array, values []V, pointer bool) {
	if pointer {
		set(rows, size, offset, column, func(i int) *V { return &values[i] })
	} else {
		set(rows, size, offset, column, func(i int) V { return values[i] })
	}
}

// set sets a field of the rows in which a column is not NULL.
func set[V any](rows unsafe.Pointer, size, offset uintptr, column arrow.Array, value func(i int) V) {
	missing := column.NullN() > 0
	for i := range column.Len() {
		if !missing || column.IsValid(i) {
			*(*V)(unsafe.Add(rows, uintptr(i)*size+offset)) = value(i)
		}
	}
}
