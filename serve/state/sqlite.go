package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-sqlite3" // the embedded state store

	"quartier/serve/admit"
)

// sqliteFile is the file of a state in SQLite, and whether it is still the one that connections have open: an operator may
// have put another one in its place.
type sqliteFile struct {
	path    string
	opening atomic.Int64 // incremented when what is at the path has changed; connections of before are not used any more

	mu   sync.Mutex
	seen os.FileInfo // of the file at the path when it was looked at last
	log  os.FileInfo // of its write-ahead log then; nil: none, or empty
}

// connectSQLite opens the file of a DSN, and creates it, readable by its owner only, if it does not exist. Transactions have a
// connection of their own, for which they queue: SQLite takes one at a time, and otherwise makes the others poll. All others
// only read, so that a file or disk that cannot be written to can still be read.
func connectSQLite(dsn string) (*Store, error) {
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" {
		return nil, fmt.Errorf("%w: it is empty; use sqlite:PATH or postgres://…", ErrBadDSN)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := createFile(path); err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	f := &sqliteFile{path: path}
	if err := f.look(); err != nil {
		return nil, fmt.Errorf("open state %s: %w", dsn, err)
	}
	read, write := sql.OpenDB(sqliteReader{f}), sql.OpenDB(sqliteWriter{f})
	read.SetMaxIdleConns(maxConnections) // each has its cache of pages and its statements
	write.SetMaxOpenConns(1)
	return &Store{dialect: sqlite, name: dsn, file: f, read: read, write: write, turns: admit.NewTurns(1, mostWaiting), now: time.Now}, nil
}

// createFile creates the file of a state unless it exists.
func createFile(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// look compares what is at the path with what was there, and makes later calls use what is there now. It fails where there is
// nothing: what would be written to the open file would be lost.
func (f *sqliteFile) look() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("the file of the state is gone: %w", err)
	}
	log := f.writeAheadLog()
	switch {
	case f.seen == nil:
	case !os.SameFile(f.seen, now):
		f.opening.Add(1)
		if f.log != nil && log != nil && os.SameFile(f.log, log) {
			// Written for the file of before: SQLite would apply it to the one that is there now. It is kept, because that
			// file may be under another name.
			if err := os.Rename(f.logPath(), f.logPath()+".replaced"); err != nil {
				return fmt.Errorf("the file of the state was replaced, and the write-ahead log of the one before is in its way: %w", err)
			}
			log = nil
		}
	case now.Size() != f.seen.Size() || !now.ModTime().Equal(f.seen.ModTime()):
		f.opening.Add(1) // by a checkpoint, or by a copy over it, which open connections would not notice
	}
	f.seen, f.log = now, log
	return nil
}

func (f *sqliteFile) logPath() string { return f.path + "-wal" }

// writeAheadLog is what was written and is not in the file yet; nil: nothing.
func (f *sqliteFile) writeAheadLog() os.FileInfo {
	if info, err := os.Stat(f.logPath()); err == nil && info.Size() > 0 {
		return info
	}
	return nil
}

// sqliteConn is a connection to what was at the path when it was opened. database/sql closes it when that has changed.
type sqliteConn struct {
	*sqlite3.SQLiteConn
	file    *sqliteFile
	opening int64
}

// ResetSession is called before a connection is used again.
func (c *sqliteConn) ResetSession(context.Context) error {
	if !c.IsValid() {
		return driver.ErrBadConn
	}
	return nil
}

// IsValid is called before a connection is kept.
func (c *sqliteConn) IsValid() bool { return c.opening == c.file.opening.Load() }

func (f *sqliteFile) connect(options string) (*sqliteConn, error) {
	opening := f.opening.Load()
	uri := url.URL{Scheme: "file", Opaque: (&url.URL{Path: f.path}).EscapedPath(), RawQuery: options}
	c, err := (&sqlite3.SQLiteDriver{}).Open(uri.String())
	if err != nil {
		return nil, err
	}
	return &sqliteConn{c.(*sqlite3.SQLiteConn), f, opening}, nil
}

// sqliteWriter opens connections that write.
type sqliteWriter struct{ *sqliteFile }

func (w sqliteWriter) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

func (w sqliteWriter) Connect(context.Context) (driver.Conn, error) {
	return driverConn(w.connect("mode=rw&_journal_mode=WAL&_busy_timeout=5000&_txlock=immediate&_synchronous=FULL&_foreign_keys=on"))
}

// sqliteReader opens connections that only read.
type sqliteReader struct{ *sqliteFile }

func (r sqliteReader) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

// Connect opens the file beside other programs that write it, for which SQLite needs files next to it. Where these cannot be
// made, on a disk that is full or read-only, nobody writes, and all of the state is in the file: it is read alone, until it or
// what is next to it changes.
func (r sqliteReader) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := r.connectAnd(ctx, "mode=ro&_busy_timeout=5000")
	if err == nil || r.writeAheadLog() != nil || isBusy(err) {
		return driverConn(c, err)
	}
	alone, second := r.connectAnd(ctx, "mode=ro&immutable=1")
	if second != nil {
		return nil, errors.Join(err, second)
	}
	return alone, nil
}

// connectAnd connects and reads, which a connection alone does not.
func (r sqliteReader) connectAnd(ctx context.Context, options string) (*sqliteConn, error) {
	c, err := r.connect(options)
	if err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(ctx, "SELECT count(*) FROM sqlite_master", nil)
	if err == nil {
		err = errors.Join(rows.Next(make([]driver.Value, 1)), rows.Close())
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// driverConn makes a nil pointer a nil interface.
func driverConn(c *sqliteConn, err error) (driver.Conn, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}

func isBusy(err error) bool {
	var failed sqlite3.Error
	return errors.As(err, &failed) && (failed.Code == sqlite3.ErrBusy || failed.Code == sqlite3.ErrLocked)
}

// look makes the store use the file that is at its path now.
func (s *Store) look() error {
	if s.file == nil {
		return nil
	}
	before := s.file.opening.Load()
	if err := s.file.look(); err != nil {
		return err
	}
	if s.file.opening.Load() != before { // idle connections would keep their files open until they are used
		for _, db := range []*sql.DB{s.read, s.write} {
			db.SetMaxIdleConns(0)
			db.SetMaxIdleConns(maxConnections)
		}
	}
	return nil
}

// empty writes the write-ahead log to the file, if there is one, so that the file alone is a complete copy of the state while
// nobody changes it. Where it cannot, the log stays, and nothing is lost.
func (s *Store) empty(ctx context.Context) {
	if s.file == nil || s.file.writeAheadLog() == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, emptyWithin)
	defer cancel()
	_, _ = s.write.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
}

// emptyWithin is how long emptying the write-ahead log may wait for others.
const emptyWithin = 500 * time.Millisecond
