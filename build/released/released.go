// Package released is what build, build/explain and build/survey share of the SpatiaLite files of a release. In goes the
// path of a finished file, out come its rows; in go geometries, out come SpatiaLite's blobs of them, and the other way.
package released

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"

	_ "github.com/mattn/go-sqlite3" // the plain driver: reading needs no mod_spatialite
)

// Open opens a finished SpatiaLite file without touching its folder.
func Open(path string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dsn := url.URL{Scheme: "file", Path: absolute, RawQuery: "mode=ro&immutable=1&_query_only=1"}
	db, err := sql.Open("sqlite3", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if err := db.Ping(); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// Each visits the answer of a query until ctx ends.
func Each(ctx context.Context, db *sql.DB, query string, args []any, visit func(*sql.Rows) error) error {
	rows, err := db.Query(query, args...) // not with ctx: then the driver starts a goroutine a row
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
