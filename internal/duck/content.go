package duck

import (
	"context"
	"fmt"

	"quartier/internal/sqlrow"
)

// Content identifies the rows of the named tables, of all tables if none is named: whatever the order of the rows and the bytes of
// the file are, as long as the version of DuckDB is the same. It is "" if there are no rows. It is much faster than Digest, and
// finds what differs by chance, not what somebody made to have the same digest.
func Content(ctx context.Context, db *DB, tables ...string) (string, error) {
	if len(tables) == 0 {
		all, err := sqlrow.All[namedTable](ctx, db,
			"SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY database_name, schema_name, table_name")
		if err != nil {
			return "", fmt.Errorf("content: %w", err)
		}
		for _, table := range all {
			tables = append(tables, table.Name)
		}
	}
	content := ""
	for _, table := range tables {
		var rows int64
		var sum string
		query := "SELECT count(*), coalesce(sum(hash(t)), 0)::VARCHAR FROM " + sqlrow.Quote(table) + " AS t"
		if err := db.QueryRowContext(ctx, query).Scan(&rows, &sum); err != nil {
			return "", fmt.Errorf("content of table %s: %w", table, err)
		}
		if rows > 0 {
			content += fmt.Sprintf("%s %d %s\n", table, rows, sum)
		}
	}
	return content, nil
}
