package duck

import (
	"context"
	"database/sql/driver"
	"fmt"
	"iter"

	"quartier/internal/sqlrow"
)

// Writer appends rows of one type to a table by the names of their columns; see package sqlrow for row types. It is for
// one goroutine.
//
//	w, err := duck.NewWriter[derived.Brand](ctx, db, "brand")
//	err = w.Row(derived.Brand{BrandID: "tim_hortons", BrandName: "Tim Hortons"})
//	err = w.Close()
type Writer[T any] struct {
	appender *Appender
	buffer   *sqlrow.Buffer[T]
	values   []driver.Value
}

// NewWriter starts loading rows into table, whose columns must be those of T. Rows become visible at Close, or before.
func NewWriter[T any](ctx context.Context, db *DB, table string) (*Writer[T], error) {
	columns, err := tableColumns(ctx, db, table)
	if err != nil {
		return nil, fmt.Errorf("append to %s: %w", table, err)
	}
	buffer, err := sqlrow.NewBuffer[T](columns)
	if err != nil {
		return nil, fmt.Errorf("append to %s: %w", table, err)
	}
	appender, err := db.Append(ctx, table)
	if err != nil {
		return nil, err
	}
	return &Writer[T]{appender, buffer, make([]driver.Value, len(columns))}, nil
}

// Row appends one row. What was appended is flushed now and then, so that memory stays bounded; a duplicate key may be
// reported here.
func (w *Writer[T]) Row(row T) error {
	w.buffer.Row = row
	for i := range w.values {
		w.values[i] = w.buffer.Value(i)
	}
	return w.appender.Row(w.values...)
}

// Close flushes the rows and releases the connection. A duplicate key is reported here at the latest.
func (w *Writer[T]) Close() error { return w.appender.Close() }

// Write appends rows to a table: duck.Write(ctx, db, "brand", slices.Values(brands)).
func Write[T any](ctx context.Context, db *DB, table string, rows iter.Seq[T]) error {
	return Fill(ctx, db, table, func(write func(T) error) error {
		for row := range rows {
			if err := write(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteEach appends one row for each item to a table.
func WriteEach[T, V any](ctx context.Context, db *DB, table string, items []V, row func(i int, item V) (T, error)) error {
	return Fill(ctx, db, table, func(write func(T) error) error {
		for i, item := range items {
			r, err := row(i, item)
			if err == nil {
				err = write(r)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Fill appends the rows to a table that emit passes to its argument, which fails when ctx is done.
func Fill[T any](ctx context.Context, db *DB, table string, emit func(write func(T) error) error) error {
	w, err := NewWriter[T](ctx, db, table)
	if err != nil {
		return err
	}
	err = emit(func(row T) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.Row(row)
	})
	if err != nil {
		w.Close()
		return fmt.Errorf("write %s: %w", table, err)
	}
	return w.Close()
}

// tableColumns lists the columns of a table in its order.
func tableColumns(ctx context.Context, db *DB, table string) ([]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+sqlrow.Quote(table)+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Columns()
}
