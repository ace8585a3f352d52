package duck

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strings"
	"time"
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
	tables, err := tableNames(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("digest: %w", err)
	}
	digests := make([]TableDigest, 0, len(tables))
	for _, table := range tables {
		digest, err := digestTable(ctx, db, table)
		if err != nil {
			return nil, fmt.Errorf("digest of table %s: %w", table, err)
		}
		digests = append(digests, digest)
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

func tableNames(ctx context.Context, db *DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

func digestTable(ctx context.Context, db *DB, table string) (TableDigest, error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+quoted(table)+" ORDER BY ALL")
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
		text(h, 'c', column.Name())
		text(h, 't', column.DatabaseTypeName())
	}
	digest := TableDigest{Table: table}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return TableDigest{}, err
		}
		for i, value := range values {
			if err := write(h, value); err != nil {
				return TableDigest{}, fmt.Errorf("column %s: %w", columns[i].Name(), err)
			}
		}
		digest.Rows++
	}
	digest.SHA256 = hex.EncodeToString(h.Sum(nil))
	return digest, rows.Err()
}

// quoted is a table's name as an SQL identifier.
func quoted(table string) string { return `"` + strings.ReplaceAll(table, `"`, `""`) + `"` }

// write adds one value, with a tag of its type and, if it varies, its length, so that different rows have different bytes.
func write(h hash.Hash, value any) error {
	switch v := value.(type) {
	case nil:
		h.Write([]byte{0})
	case string:
		text(h, 's', v)
	case []byte:
		text(h, 'b', string(v))
	case bool:
		number(h, 'o', map[bool]uint64{true: 1}[v])
	case int32:
		number(h, 'i', uint64(v))
	case int64:
		number(h, 'i', uint64(v))
	case float64:
		number(h, 'f', math.Float64bits(v))
	case time.Time:
		number(h, 'd', uint64(v.UnixMicro()))
	default:
		return fmt.Errorf("no digest for values of type %T", value)
	}
	return nil
}

func text(h hash.Hash, tag byte, s string) {
	number(h, tag, uint64(len(s)))
	h.Write([]byte(s))
}

func number(h hash.Hash, tag byte, n uint64) {
	var buffer [9]byte
	buffer[0] = tag
	binary.LittleEndian.PutUint64(buffer[1:], n)
	h.Write(buffer[:])
}
