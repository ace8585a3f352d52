// Package spatialite is the only package that loads mod_spatialite. It opens SpatiaLite files for the build and runs
// geometry operations (validity and repair by GEOS, projection by PROJ) on the types of package orb. The server never
// imports it.
package spatialite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// ErrUnavailable reports that the mod_spatialite library cannot be loaded, and how to install it.
var ErrUnavailable = errors.New("mod_spatialite cannot be loaded: install it with `apt install libsqlite3-mod-spatialite`")

// driverName is the database/sql driver with the extension loaded in every connection.
const driverName = "spatialite"

var register = sync.OnceFunc(func() {
	sql.Register(driverName, &sqlite3.SQLiteDriver{Extensions: []string{"mod_spatialite"}})
})

// Open opens the SQLite file at path for reading and writing with mod_spatialite loaded, on a single connection, so
// that pragmas and transactions apply to all statements, which one goroutine at a time makes. It fails if there is no file and wraps
// ErrUnavailable if the library is missing.
func Open(path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return open("file:" + escape(path) + "?mode=rw&_mutex=no")
}

// NewFile makes a SpatiaLite file at path with its metadata tables and the WGS 84 reference systems (4326 and the
// UTM zones), ready for AddGeometryColumn and CreateSpatialIndex. It fails if the file exists.
func NewFile(path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err == nil {
		return nil, fmt.Errorf("create %s: %w", path, os.ErrExist)
	}
	db, err := open("file:" + escape(path) + "?mode=rwc&_mutex=no")
	if err != nil {
		return nil, err
	}
	if err := InitMetadata(db); err != nil {
		db.Close()
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return db, nil
}

// InitMetadata makes the SpatiaLite metadata tables in db. It runs in a transaction, without which it takes a thousand
// times as long, and checks the result, because SpatiaLite reports failure as a row.
func InitMetadata(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return fmt.Errorf("make spatial metadata: %w", err)
	}
	defer tx.Rollback()
	var done int
	if err := tx.QueryRow("SELECT InitSpatialMetaData(0, 'WGS84')").Scan(&done); err != nil {
		return fmt.Errorf("make spatial metadata: %w", err)
	}
	if done != 1 {
		return errors.New("make spatial metadata: InitSpatialMetaData returned 0")
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("make spatial metadata: %w", err)
	}
	return nil
}

func open(dsn string) (*sql.DB, error) {
	register()
	return connect(driverName, dsn)
}

// connect opens a connection immediately, so that a missing library is reported here and not by the first query.
func connect(driver, dsn string) (*sql.DB, error) {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dsn, err)
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	db.SetConnMaxLifetime(0)
	if err := db.PingContext(context.Background()); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", dsn, explain(err))
	}
	return db, nil
}

// explain turns the dynamic linker's error about the extension into ErrUnavailable.
func explain(err error) error {
	var sqliteError sqlite3.Error
	if errors.As(err, &sqliteError) {
		return err
	}
	return fmt.Errorf("%w (%v)", ErrUnavailable, err)
}

// escape quotes the characters of a path that are special in an SQLite URI.
func escape(path string) string {
	quoted := make([]byte, 0, len(path))
	for i := range len(path) {
		switch c := path[i]; c {
		case '?', '#', '%':
			quoted = fmt.Appendf(quoted, "%%%02X", c)
		default:
			quoted = append(quoted, c)
		}
	}
	return string(quoted)
}
