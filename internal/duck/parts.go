package duck

import (
	"context"
	"fmt"
)

// partRows is how many rows EachRow has in memory.
const partRows = 1 << 18

// EachRow visits the rows of a table in its order, a part of it in memory at a time. The row is valid until visit returns.
func EachRow[T any](ctx context.Context, db *DB, table string, visit func(*T) error) error {
	rows := 0
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&rows); err != nil {
		return fmt.Errorf("count rows of %s: %w", table, explain(err))
	}
	for first := 0; first < rows; first += partRows {
		query := fmt.Sprintf("SELECT * FROM %s WHERE rowid >= %d AND rowid < %d", table, first, first+partRows)
		err := Batches(ctx, db, query, func(b *Batch[T]) error {
			defer b.Release()
			for i := range b.Rows {
				if err := visit(&b.Rows[i]); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
	}
	return nil
}
