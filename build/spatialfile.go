package build

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"quartier/internal/spatialite"
	"quartier/schemas"
)

// spatialFile is a SpatiaLite file under way. Equal rows give equal bytes.
type spatialFile struct {
	db *sql.DB
}

// newSpatialFile makes a file with the tables of ddl. Rows go in before finish registers the geometry columns, so
// that no trigger runs on a row.
func newSpatialFile(path string, ddl ...string) (*spatialFile, error) {
	db, err := spatialite.NewFile(path)
	if err != nil {
		return nil, err
	}
	// The file is nobody's before it is finished and flushed as a whole: a crash leaves a partial that is thrown away.
	statements := append([]string{
		"PRAGMA journal_mode = OFF",
		"PRAGMA synchronous = OFF",
		"PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA cache_size = -65536",
	}, ddl...)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			db.Close()
			return nil, fmt.Errorf("create %s: %w", path, err)
		}
	}
	return &spatialFile{db}, nil
}

// Close lets go of the file.
func (f *spatialFile) Close() error { return f.db.Close() }

// fill runs load in one transaction.
func (f *spatialFile) fill(load func(*sql.Tx) error) error {
	tx, err := f.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := load(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// stopClocks sets what SpatiaLite takes from the time of day: when a table was made, and when rows last changed.
var stopClocks = []string{
	"UPDATE spatialite_history SET timestamp = ?1",
	"UPDATE geometry_columns_time SET last_insert = ?1, last_update = ?1, last_delete = ?1",
}

// finish registers and indexes the geometry columns, sets every clock to the day that the data is of, and packs the
// file.
func (f *spatialFile) finish(ctx context.Context, asOf string, columns []schemas.GeometryColumn) error {
	for _, c := range columns {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.ask("RecoverGeometryColumn(?, 'geometry', 4326, ?, 'XY')", c.Table, c.Type); err != nil {
			return fmt.Errorf("register geometry of %s: %w", c.Table, err)
		}
		if c.Indexed {
			if err := f.ask("CreateSpatialIndex(?, 'geometry')", c.Table); err != nil {
				return fmt.Errorf("index geometry of %s: %w", c.Table, err)
			}
		}
	}
	for _, statement := range stopClocks {
		if _, err := f.db.Exec(statement, asOf+"T00:00:00.000Z"); err != nil {
			return fmt.Errorf("stop clocks: %w", err)
		}
	}
	for _, statement := range []string{"ANALYZE", "VACUUM"} {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(statement), err)
		}
	}
	return f.db.Close()
}

// ask calls a SpatiaLite function that answers 1 for done and reports failure as a row.
func (f *spatialFile) ask(call string, args ...any) error {
	var done int
	if err := f.db.QueryRow("SELECT "+call, args...).Scan(&done); err != nil {
		return err
	}
	if done != 1 {
		return fmt.Errorf("spatialite answered %d", done)
	}
	return nil
}
