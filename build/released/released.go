// Package released reads the SpatiaLite files of a release, and encodes and decodes their geometry blobs. It also
// computes what a manifest records of files: digests and counts.
package released

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"

	_ "github.com/mattn/go-sqlite3" // the plain driver: reading does not need mod_spatialite
)

// fast leaves out the locks of a connection, which package sql gives to one user at a time, and keeps up to 32 MB of what was read:
// with the driver's 2 MB, lookups read the same pages again and again. Pages are not mapped, because a read of a page that a disk has
// lost would end the program.
const fast = "&_mutex=no&_cache_size=-32768"

// Open opens a finished SpatiaLite file read-only, without creating files next to it.
func Open(path string) (*sql.DB, error) {
	dsn, err := DSN(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", dsn+"&_query_only=1"+fast)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// Attach attaches a finished SpatiaLite file to a database under the given name, read-only. The database must have a
// single connection.
func Attach(db *sql.DB, path, name string) error {
	dsn, err := DSN(path)
	if err != nil {
		return err
	}
	if _, err := db.Exec("ATTACH ? AS "+name, dsn); err != nil {
		return fmt.Errorf("attach %s: %w", path, err)
	}
	return nil
}

// DSN is the name by which the driver opens a finished file read-only, without creating files next to it.
func DSN(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: absolute, RawQuery: "mode=ro&immutable=1"}
	return u.String(), nil
}

// Queryer is a database or a transaction.
type Queryer interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// Each calls visit for every row of a query until ctx is done.
func Each(ctx context.Context, db Queryer, query string, args []any, visit func(*sql.Rows) error) error {
	rows, err := db.Query(query, args...) // without ctx, for which the driver would start a goroutine per row
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Collect returns the rows of a query, each read by scan.
func Collect[T any](ctx context.Context, db *sql.DB, query string, scan func(*sql.Rows, *T) error) (list []T, err error) {
	err = Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var item T
		err := scan(rows, &item)
		list = append(list, item)
		return err
	})
	return list, err
}

// Values returns the rows of a query with one column.
func Values[T any](ctx context.Context, db *sql.DB, query string) ([]T, error) {
	return Collect(ctx, db, query, func(rows *sql.Rows, v *T) error { return rows.Scan(v) })
}
