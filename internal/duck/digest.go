package duck

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"quartier/internal/sqlrow"
)

// TableDigest identifies the content of one table: two tables with the same columns and rows have the same digest, whatever
// the order of the rows and the bytes of the file.
type TableDigest struct {
	Table  string
	Rows   int64
	SHA256 string // lower-case hex
}

// Digest returns the digests of all tables of db in the order of their names, with rows ordered by all columns.
func Digest(ctx context.Context, db *DB) ([]TableDigest, error) {
	tables, err := sqlrow.All[namedTable](ctx, db,
		"SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name")
	if err != nil {
		return nil, fmt.Errorf("digest: %w", err)
	}
	digests := make([]TableDigest, len(tables))
	for i, table := range tables {
		if digests[i], err = digestTable(ctx, db, table.Name); err != nil {
			return nil, fmt.Errorf("digest of table %s: %w", table.Name, err)
		}
	}
	return digests, nil
}

// Sum is one digest of a list of them, in lower-case hex.
func Sum(tables []TableDigest) string {
	h := sha256.New()
	for _, t := range tables {
		fmt.Fprintf(h, "%s %d %s\n", t.Table, t.Rows, t.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

type namedTable struct {
	Name string `col:"table_name"`
}

func digestTable(ctx context.Context, db *DB, table string) (TableDigest, error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+sqlrow.Quote(table)+" ORDER BY ALL")
	if err != nil {
		return TableDigest{}, err
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return TableDigest{}, err
	}
	h := sha256.New()
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i, column := range columns {
		into[i] = &values[i]
		fmt.Fprintf(h, "%q %q\n", column.Name(), column.DatabaseTypeName())
	}
	digest := TableDigest{Table: table}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return TableDigest{}, err
		}
		for _, value := range values {
			fmt.Fprintf(h, "%T %#v\n", value, value) // strings are quoted: different rows have different texts
		}
		digest.Rows++
	}
	digest.SHA256 = hex.EncodeToString(h.Sum(nil))
	return digest, rows.Err()
}
