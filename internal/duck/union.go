package duck

import (
	"context"
	"fmt"
	"strings"
)

// Attach makes the database file at path readable under a name.
func (db *DB) Attach(ctx context.Context, path, name string) error {
	_, err := db.ExecContext(ctx, "ATTACH '"+strings.ReplaceAll(path, "'", "''")+"' AS "+name+" (READ_ONLY)")
	if err != nil {
		return fmt.Errorf("attach %s: %w", path, explain(err))
	}
	return nil
}

// Union opens two database files with the same tables read-only, as one database whose tables have the rows of both.
func Union(ctx context.Context, first, second string) (*DB, error) {
	db, err := Memory()
	if err != nil {
		return nil, err
	}
	if err := db.unite(ctx, first, second); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func (db *DB) unite(ctx context.Context, first, second string) error {
	if err := db.Attach(ctx, first, "first"); err != nil {
		return err
	}
	if err := db.Attach(ctx, second, "second"); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, "SELECT table_name FROM duckdb_tables() WHERE database_name = 'first' ORDER BY table_name")
	if err != nil {
		return fmt.Errorf("list tables: %w", explain(err))
	}
	defer rows.Close()
	var views []string
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			return err
		}
		views = append(views, fmt.Sprintf("CREATE VIEW %[1]s AS SELECT * FROM first.%[1]s UNION ALL SELECT * FROM second.%[1]s", table))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, view := range views {
		if _, err := db.ExecContext(ctx, view); err != nil {
			return fmt.Errorf("unite tables: %w", explain(err))
		}
	}
	return nil
}
