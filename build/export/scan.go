package export

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/build/released"
)

// batchRows is the number of rows of a record batch.
const batchRows = 8192

// scanner makes record batches of the rows of a query.
type scanner struct {
	table   *Table
	schema  *arrow.Schema
	builder *array.RecordBuilder
	set     []func(driver.Value) error // by column: appends a value
	plain   []int                      // columns that are no values of the pivot, in the order of the query
	cells   map[string][]cell          // of the pivot, by its name
	filled  []bool                     // by column: in the row of the pivot that is not complete
	key     any                        // of that row
	begun   bool
	rows    int
	emit    func(arrow.Record) error
}

// cell is a column that has a value of a row of the pivot.
type cell struct{ column, value int }

func newScanner(t *Table, emit func(arrow.Record) error) *scanner {
	s := &scanner{table: t, schema: t.schema(), emit: emit}
	s.builder = array.NewRecordBuilder(memory.DefaultAllocator, s.schema)
	for n, f := range s.schema.Fields() {
		s.set = append(s.set, appender(s.builder.Field(n), f, n == len(t.Columns)))
	}
	s.filled = make([]bool, len(s.set))
	for n, c := range t.Columns {
		if name, ok := strings.CutPrefix(c.SQL, "@"); ok {
			if s.cells == nil {
				s.cells = map[string][]cell{}
			}
			for value, of := range t.Pivot.names() {
				if of == name {
					s.cells[c.group] = append(s.cells[c.group], cell{n, value})
				}
			}
			continue
		}
		s.plain = append(s.plain, n)
	}
	if t.Geometry != "" {
		s.plain = append(s.plain, len(t.Columns))
	}
	return s
}

// scan reads all rows of a query. It uses the driver itself: database/sql would convert each value by reflection.
func (s *scanner) scan(ctx context.Context, rows driver.Rows) error {
	values := make([]driver.Value, len(rows.Columns()))
	for n := 0; ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := rows.Next(values); err != nil {
			if errors.Is(err, io.EOF) {
				return s.flush()
			}
			return err
		}
		var err error
		if s.table.Pivot == nil {
			err = s.row(values)
		} else {
			err = s.pivot(values)
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", n+1, err)
		}
	}
}

func (s *scanner) row(values []driver.Value) error {
	for i, column := range s.plain {
		if err := s.set[column](values[i]); err != nil {
			return fmt.Errorf("column %s: %w", s.schema.Field(column).Name, err)
		}
	}
	return s.count()
}

// count counts a row that is complete.
func (s *scanner) count() error {
	if s.rows++; s.rows == batchRows {
		return s.send()
	}
	return nil
}

// pivot adds a row of the query to the row of its key.
func (s *scanner) pivot(values []driver.Value) error {
	if !s.begun || values[0] != s.key {
		if err := s.finishPivot(); err != nil {
			return err
		}
		s.begun, s.key = true, values[0]
		for i, column := range s.plain {
			if err := s.set[column](values[i]); err != nil {
				return fmt.Errorf("column %s: %w", s.schema.Field(column).Name, err)
			}
		}
	}
	name, _ := values[len(s.plain)].(string)
	for _, c := range s.cells[name] {
		if s.filled[c.column] {
			return fmt.Errorf("%s is there twice for %v", name, s.key)
		}
		s.filled[c.column] = true
		if err := s.set[c.column](values[len(s.plain)+1+c.value]); err != nil {
			return fmt.Errorf("column %s: %w", s.schema.Field(c.column).Name, err)
		}
	}
	return nil
}

// finishPivot sets the values to NULL for which there was no row.
func (s *scanner) finishPivot() error {
	if !s.begun {
		return nil
	}
	s.begun = false
	for _, cells := range s.cells {
		for _, c := range cells {
			if !s.filled[c.column] {
				s.builder.Field(c.column).AppendNull()
			}
			s.filled[c.column] = false
		}
	}
	return s.count()
}

// flush passes the last rows on.
func (s *scanner) flush() error {
	if s.table.Pivot != nil {
		if err := s.finishPivot(); err != nil {
			return err
		}
	}
	if s.rows == 0 {
		return nil
	}
	return s.send()
}

func (s *scanner) send() error {
	record := s.builder.NewRecord()
	defer record.Release()
	s.rows = 0
	return s.emit(record)
}

// errType is the error of a value of a type that its column has not.
type errType struct{ value any }

func (e errType) Error() string { return fmt.Sprintf("%v is of type %T", e.value, e.value) }

// appender appends values of SQLite to a column. NULL is an error where the column has none.
func appender(b array.Builder, f arrow.Field, geometry bool) func(driver.Value) error {
	set := appenderOf(b, geometry)
	return func(v driver.Value) error {
		if v == nil {
			if !f.Nullable {
				return errors.New("NULL in a column that always has a value")
			}
			b.AppendNull()
			return nil
		}
		return set(v)
	}
}

func appenderOf(b array.Builder, geometry bool) func(driver.Value) error {
	switch b := b.(type) {
	case *array.BinaryBuilder:
		return func(v driver.Value) error {
			blob, ok := v.([]byte)
			if !ok || !geometry {
				return errType{v}
			}
			wkb, err := released.WKB(blob)
			b.Append(wkb)
			return err
		}
	case *array.StringBuilder:
		return whole(func(v string) error { b.Append(v); return nil })
	case *array.Date32Builder:
		return whole(func(v string) error {
			day, err := time.Parse(time.DateOnly, v)
			b.Append(arrow.Date32FromTime(day))
			return err
		})
	case *array.Float64Builder:
		return func(v driver.Value) error {
			if n, ok := v.(int64); ok {
				v = float64(n)
			}
			return whole(func(v float64) error { b.Append(v); return nil })(v)
		}
	case *array.Int32Builder:
		return whole(func(v int64) error {
			if v != int64(int32(v)) {
				return errType{v}
			}
			b.Append(int32(v))
			return nil
		})
	case *array.Int64Builder:
		return whole(func(v int64) error { b.Append(v); return nil })
	case *array.BooleanBuilder:
		return whole(func(v int64) error { b.Append(v != 0); return nil })
	case *array.Decimal128Builder:
		scale := math.Pow10(int(b.Type().(*arrow.Decimal128Type).Scale))
		return func(v driver.Value) error {
			if number, ok := v.(float64); ok { // of the unit; integers are of its last decimal
				v = int64(math.Round(number * scale))
			}
			return whole(func(v int64) error { b.Append(decimal128.FromI64(v)); return nil })(v)
		}
	}
	panic(fmt.Sprintf("no values of SQLite become %s", b.Type()))
}

// whole appends values of one type.
func whole[T any](set func(T) error) func(driver.Value) error {
	return func(v driver.Value) error {
		of, ok := v.(T)
		if !ok {
			return errType{v}
		}
		return set(of)
	}
}
