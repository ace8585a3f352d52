package duck

import (
	"context"
	"fmt"

	"quartier/internal/sqlrow"
)

// Content identifies the rows of all tables of the database at path, whatever their order and the bytes of the file are, as long as
// the version of DuckDB is the same. It is "" if there are no rows. It is much faster than Digest, and finds what differs by chance,
// not what somebody made to have the same content.
func Content(ctx context.Context, path string) (string, error) {
	db, err := Open(path)
	if err != nil {
		return "", fmt.Errorf("content: %w", err)
	}
	defer db.Close()
	tables, err := sqlrow.All[namedTable](ctx, db, "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name")
	if err != nil {
		return "", fmt.Errorf("content of %s: %w", path, err)
	}
	content := ""
	for _, table := range tables {
		var rows int64
		var sum string
		query := "SELECT count(*), coalesce(sum(hash(t)), 0)::VARCHAR FROM " + sqlrow.Quote(table.Name) + " AS t"
		if err := db.QueryRowContext(ctx, query).Scan(&rows, &sum); err != nil {
			return "", fmt.Errorf("content of table %s of %s: %w", table.Name, path, err)
		}
		if rows > 0 {
			content += fmt.Sprintf("%s %d %s\n", table.Name, rows, sum)
		}
	}
	return content, nil
}
