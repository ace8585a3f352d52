// Package files writes the SpatiaLite files of a release.
package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"quartier/build/assembly"
	"quartier/build/identity"
	"quartier/build/previous"
	"quartier/build/released"
	"quartier/internal/spatialite"
	"quartier/internal/sqlrow"
	"quartier/schemas/bundle"
)

// Release is what the files of a release have in common, or those of its component private, which has geographies alone.
type Release struct {
	Dir         string // folder in which the files are created
	Provenance  released.Provenance
	Assembly    *assembly.Assembly // rows of the regions; nil: the files have geographies alone
	Geographies []assembly.Geography
	Outlines    *assembly.Outlines   // of Geographies
	IDs         *identity.Assignment // of Geographies
	Previous    *previous.Release    // nil where there is none

	Parents map[string]string // geog_ids by source key of parents that are not in Geographies
	Kept    []string          // geog_ids of further current geographies, with the rows that they have in Previous
}

// Copied are the ids of the geographies with the rows that they have in the previous release.
func (r *Release) Copied() []string {
	ids := slices.Clone(r.Kept)
	for _, s := range r.IDs.Superseded {
		ids = append(ids, s.ID)
	}
	return ids
}

// file is a SpatiaLite file under way. Equal rows give equal bytes. Rows are inserted in one transaction, before the
// geometry columns are registered, so that no triggers run.
type file struct {
	db       *sql.DB
	tx       *sql.Tx
	attached bool // schema previous has the file of the previous release
}

// create creates a file with the tables of ddl. The file of the same name in the previous release is attached as schema
// "previous".
func (r *Release) create(name string, ddl ...string) (_ *file, err error) {
	path := filepath.Join(r.Dir, name)
	f := &file{}
	if f.db, err = spatialite.NewFile(path); err != nil {
		return nil, err
	}
	// Nobody reads the file before it is finished. If the build is killed, it is removed.
	statements := append([]string{
		"PRAGMA journal_mode = OFF",
		"PRAGMA synchronous = OFF",
		"PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA cache_size = -65536",
	}, ddl...)
	for _, statement := range statements {
		if _, err := f.db.Exec(statement); err != nil {
			f.Close()
			return nil, fmt.Errorf("create %s: %w", path, err)
		}
	}
	if r.Previous.Has(name) {
		f.attached = true
		err = released.Attach(f.db, r.Previous.Path(name), "previous")
	}
	if err == nil {
		f.tx, err = f.db.Begin()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the file; it is incomplete unless it was finished.
func (f *file) Close() error {
	if f.tx != nil {
		f.tx.Rollback()
	}
	return f.db.Close()
}

// finish writes the provenance, registers and indexes the geometry columns, and closes the file. Indexes are created
// after all rows are in, which is faster.
func (f *file) finish(ctx context.Context, p *released.Provenance, columns []bundle.GeometryColumn, indexes ...string) error {
	if err := f.insertProvenance(ctx, p); err != nil {
		return err
	}
	err := f.tx.Commit()
	if err == nil && f.attached {
		_, err = f.db.Exec("DETACH previous")
	}
	if err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := f.db.ExecContext(ctx, index); err != nil {
			return fmt.Errorf("%s: %w", index, err)
		}
	}
	for _, c := range columns {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.call("RecoverGeometryColumn(?, 'geometry', 4326, ?, 'XY')", c.Table, c.Type); err != nil {
			return fmt.Errorf("register geometry of %s: %w", c.Table, err)
		}
		if c.Indexed {
			if err := f.call("CreateSpatialIndex(?, 'geometry')", c.Table); err != nil {
				return fmt.Errorf("index geometry of %s: %w", c.Table, err)
			}
		}
	}
	for _, statement := range resetTimes {
		if _, err := f.db.Exec(statement, p.Release.AsOf+"T00:00:00.000Z"); err != nil {
			return fmt.Errorf("reset timestamps: %w", err)
		}
	}
	for _, statement := range []string{"ANALYZE", "VACUUM"} {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(statement), err)
		}
	}
	return f.db.Close()
}

// resetTimes replaces the times of SpatiaLite's own tables by the as-of date, so that files do not depend on the clock.
var resetTimes = []string{
	"UPDATE spatialite_history SET timestamp = ?1",
	"UPDATE geometry_columns_time SET last_insert = ?1, last_update = ?1, last_delete = ?1",
}

// call calls a SpatiaLite function that returns 1 for success, in a transaction: SpatiaLite prints some failures of its own
// statements and returns 1, but what it has done is written by the commit, and a write that fails before ends the transaction.
func (f *file) call(function string, args ...any) error {
	tx, err := f.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var result int
	if err := tx.QueryRow("SELECT "+function, args...).Scan(&result); err != nil {
		return err
	}
	if result != 1 {
		return fmt.Errorf("spatialite returned %d", result)
	}
	return tx.Commit()
}

func (f *file) insertProvenance(ctx context.Context, p *released.Provenance) error {
	if err := sqlrow.Insert(ctx, f.tx, "release", p.Release); err != nil {
		return err
	}
	if err := sqlrow.Insert(ctx, f.tx, "source", p.Sources...); err != nil {
		return err
	}
	return sqlrow.Insert(ctx, f.tx, "issue", p.Issues...)
}

// copyRows copies the rows of geographies from a table of the previous release. T is the row type.
func copyRows[T any](ctx context.Context, f *file, table string, ids []string) error {
	if !f.attached {
		return nil
	}
	present, err := released.Columns(ctx, f.tx, "previous", table)
	if err != nil || len(present) == 0 {
		return err // a release that was built before there was such a table
	}
	wanted := strings.Split(sqlrow.List[T](""), ", ") // what it does not have is NULL
	columns := strings.Join(slices.DeleteFunc(wanted, func(c string) bool { return !slices.Contains(present, c) }), ", ")
	insert, err := f.tx.Prepare(fmt.Sprintf("INSERT INTO %s (%s) SELECT %[2]s FROM previous.%[1]s WHERE geog_id = ?", table, columns))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := insert.Exec(id); err != nil {
			return fmt.Errorf("copy %s of geography %s: %w", table, id, err)
		}
	}
	return nil
}

// NameDiskFull makes SQLite's error for a full disk match syscall.ENOSPC. Other errors are returned as they are.
func NameDiskFull(err error) error {
	if full, ok := errors.AsType[sqlite3.Error](err); ok && full.Code == sqlite3.ErrFull && !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	return err
}
