package sqlrow

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strings"
)

// Queryer runs queries: *sql.DB, *sql.Conn, *sql.Tx, *duck.DB.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Select runs a query and yields its rows, or an error as the last pair. The query has all columns of T and no others.
// The row that is yielded is overwritten by the next one; a copy of it stays valid.
func Select[T any](ctx context.Context, db Queryer, query string, args ...any) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		if err := each(ctx, db, query, args, func(row *T) bool { return yield(row, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// All reads every row of a query.
func All[T any](ctx context.Context, db Queryer, query string, args ...any) ([]T, error) {
	var list []T
	for row, err := range Select[T](ctx, db, query, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, *row)
	}
	return list, nil
}

// Scan runs a query and calls visit for each row, whose columns were scanned into the targets.
func Scan(ctx context.Context, db Queryer, query string, targets []any, visit func() error) error {
	return Each(ctx, db, query, visitor(visit, targets...))
}

// Each runs a query and calls visit, such as a Visit2, for each row.
func Each(ctx context.Context, db Queryer, query string, visit func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// each visits the rows of a query until visit returns false.
func each[T any](ctx context.Context, db Queryer, query string, args []any, visit func(*T) bool) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	buffer, err := NewBuffer[T](names)
	if err != nil {
		return err
	}
	targets := buffer.targets()
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if !visit(&buffer.Row) {
			return nil
		}
	}
	return rows.Err()
}

// targets are what sql.Rows.Scan writes the row's columns to.
func (b *Buffer[T]) targets() []any {
	targets := make([]any, len(b.cells))
	for i, c := range b.cells {
		targets[i] = c.field
		if !c.null {
			continue
		}
		switch field := c.field.(type) {
		case *string:
			targets[i] = orZero[string]{field}
		case *float64:
			targets[i] = orZero[float64]{field}
		case *int32:
			targets[i] = orZero[int32]{field}
		case *int64:
			targets[i] = orZero[int64]{field}
		case *bool:
			targets[i] = orZero[bool]{field}
		case *uint8:
			targets[i] = orZero[uint8]{field}
		}
	}
	return targets
}

// orZero scans NULL as the zero value.
type orZero[V any] struct{ into *V }

// Scan implements sql.Scanner.
func (o orZero[V]) Scan(src any) error {
	switch v := src.(type) {
	case V:
		*o.into = v
		return nil
	case nil:
		*o.into = *new(V)
		return nil
	}
	var n sql.Null[V]
	err := n.Scan(src)
	*o.into = n.V
	return err
}

// Preparer prepares statements: *sql.DB, *sql.Conn, *sql.Tx.
type Preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Inserter inserts rows into one table by a prepared statement. It is for one goroutine.
type Inserter[T any] struct {
	table  string
	stmt   *sql.Stmt
	buffer *Buffer[T]
	args   []any
	err    error // of NewInserter
}

// NewInserter prepares an INSERT of all columns of T. If that fails, every Row fails. Where db is a
// transaction, the statement ends with it; there is no other way to release it.
func NewInserter[T any](ctx context.Context, db Preparer, table string) *Inserter[T] {
	names := Names[T]()
	i := &Inserter[T]{table: table, args: make([]any, len(names))}
	if i.buffer, i.err = NewBuffer[T](names); i.err != nil {
		return i
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ")
	i.stmt, i.err = db.PrepareContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), marks))
	return i
}

// Row inserts one row.
func (i *Inserter[T]) Row(row T) error {
	if i.err != nil {
		return fmt.Errorf("insert into %s: %w", i.table, i.err)
	}
	i.buffer.Row = row
	for k := range i.args {
		i.args[k] = i.buffer.Value(k)
	}
	if _, err := i.stmt.Exec(i.args...); err != nil {
		return fmt.Errorf("insert into %s: %w", i.table, err)
	}
	return nil
}

// Insert inserts rows into a table.
func Insert[T any](ctx context.Context, db Preparer, table string, rows ...T) error {
	insert := NewInserter[T](ctx, db, table)
	if insert.err == nil {
		defer insert.stmt.Close()
	}
	for _, row := range rows {
		if err := insert.Row(row); err != nil {
			return err
		}
	}
	return nil
}
