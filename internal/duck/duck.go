// Package duck opens database files of DuckDB with networking and extension loading switched off, appends rows in bulk, and
// creates files from the schemas. Who opens databases also imports internal/duck/driver, which links DuckDB. The server imports
// neither.
package duck

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"os"
	"strings"
)

// options apply to every connection: nothing is fetched or loaded at run time, and rows keep the order of the file.
const options = "autoinstall_known_extensions=false&autoload_known_extensions=false&preserve_insertion_order=true"

// DB is an open DuckDB database. The embedded sql.DB runs queries, Append loads rows.
type DB struct {
	*sql.DB
	connector Connector
	written   string // path of the file, if opened by Create or Edit
}

// Memory opens an in-memory database.
func Memory() (*DB, error) { return open("?" + options) }

// Open opens the database file at path read-only.
func Open(path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return open(path + "?access_mode=read_only&" + options)
}

// Create makes a new database file at path with the given DDL. It fails if the file exists: stages write new files.
func Create(path, ddl string) (*DB, error) {
	if _, err := os.Stat(path); err == nil {
		return nil, fmt.Errorf("create %s: %w", path, os.ErrExist)
	}
	db, err := open(path + "?" + options)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec("BEGIN; " + ddl + "; COMMIT"); err != nil { // which waits for the disk once, not for each table
		db.Close()
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	db.written = path
	return db, nil
}

// Edit opens the database file at path for reading and writing. It is for files that live longer than a run; stages write
// new files.
func Edit(path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := open(path + "?" + options)
	if err == nil {
		db.written = path
	}
	return db, err
}

func open(dsn string) (*DB, error) {
	connector, err := linked.Connect(dsn)
	if err != nil {
		return nil, fmt.Errorf("open duckdb %s: %w", dsn, err)
	}
	return &DB{DB: sql.OpenDB(connector), connector: connector}, nil
}

// Limit limits the memory of the database, "512MB": what is more goes to temporary files in folder, which is made and removed.
func (db *DB) Limit(ctx context.Context, memory, folder string) error {
	_, err := db.ExecContext(ctx, "SET memory_limit = '"+memory+"'; SET temp_directory = '"+strings.ReplaceAll(folder, "'", "''")+"'")
	return explain(err)
}

// Close closes the database. It fails if a written file could not be written completely: the driver itself does not report
// a failed last checkpoint and leaves the rest in a log next to the file. A database of which the last checkpoint failed is
// left open until the program ends: DuckDB 1.1.2 closes such a one on a full disk with a segmentation fault, in one of some
// thirty times (TestFullDisk), and the user would not learn why.
func (db *DB) Close() error {
	if db.written != "" {
		if _, err := db.Exec("CHECKPOINT"); err != nil {
			return fmt.Errorf("flush %s: %w", db.written, explain(err))
		}
	}
	return cmp.Or(db.DB.Close(), db.connector.Close())
}

// Appender loads rows into one table, far faster than INSERT. It is for one goroutine.
type Appender struct {
	conn        driver.Conn
	appender    Rows
	table       string
	rows, bytes int // since the last flush
}

// The driver keeps rows in memory until it is flushed.
const (
	flushRows  = 64 << 10
	flushBytes = 32 << 20
)

// Append starts loading rows into table. Rows become visible at Close, or before.
func (db *DB) Append(ctx context.Context, table string) (*Appender, error) {
	conn, err := db.connector.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("append to %s: %w", table, err)
	}
	appender, err := linked.Append(conn, table)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("append to %s: %w", table, err)
	}
	return &Appender{conn: conn, appender: appender, table: table}, nil
}

// Row appends one row, values in the order of the table's columns; nil is NULL. Integers must have the column's own
// width (int32 for INTEGER, int64 for BIGINT). Rows are flushed from time to time, so that memory stays bounded; a
// duplicate key may be reported here.
func (a *Appender) Row(values ...driver.Value) error {
	if err := a.appender.AppendRow(values...); err != nil {
		return fmt.Errorf("append to %s: %w", a.table, explain(err))
	}
	a.rows++
	for _, value := range values {
		switch v := value.(type) {
		case []byte:
			a.bytes += len(v)
		case string:
			a.bytes += len(v)
		}
	}
	if a.rows < flushRows && a.bytes < flushBytes {
		return nil
	}
	a.rows, a.bytes = 0, 0
	if err := a.appender.Flush(); err != nil {
		return fmt.Errorf("append to %s: %w", a.table, explain(err))
	}
	return nil
}

// Close flushes the rows and releases the connection. A duplicate key is reported here at the latest.
func (a *Appender) Close() error {
	if err := cmp.Or(a.appender.Close(), a.conn.Close()); err != nil {
		return fmt.Errorf("append to %s: %w", a.table, explain(err))
	}
	return nil
}
