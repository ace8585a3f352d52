// Package state stores what is not part of a release: accounts and signing keys, and requests for custom geographies, in a
// SQLite file or in PostgreSQL.
//
// Input: a DSN, sqlite:PATH (or a plain path) or postgres://USER:PASSWORD@HOST/DATABASE. Output: a Store, with the same
// behaviour on both, which several processes can use concurrently. Its schema has a version; migrations/ has one file for each.
package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"time"

	"quartier/serve/admit"
)

// Errors that callers distinguish.
var (
	ErrBadDSN  = errors.New("invalid state DSN")
	ErrVersion = errors.New("the state has another version")
)

// Store is an open state of version Version.
type Store struct {
	dialect     *dialect
	name        string       // of the database, without a password
	file        *sqliteFile  // nil: PostgreSQL
	read, write *sql.DB      // write is for transactions; of PostgreSQL they are one
	turns       *admit.Turns // of callers that write
	now         func() time.Time
	statements  sync.Map // by text: the statements of calls that read, which are a few
}

// Open opens the state at dsn, and creates it if it is empty. A state of another version is ErrVersion.
func Open(dsn string) (*Store, error) {
	s, err := connect(dsn)
	if err != nil {
		return nil, err
	}
	if err := s.prepare(context.Background()); err != nil {
		s.Close()
		return nil, fmt.Errorf("open state %s: %w", s.name, err)
	}
	return s, nil
}

// Close closes the store.
func (s *Store) Close() error {
	if s.read == s.write {
		return s.read.Close()
	}
	s.empty(context.Background())
	return errors.Join(s.read.Close(), s.write.Close())
}

// prepare creates the tables of an empty state, and the first signing key.
func (s *Store) prepare(ctx context.Context) error {
	version, err := s.version(ctx, s.read)
	if err == nil && version == 0 {
		if err = s.migrate(Version); err == nil {
			version, err = s.version(ctx, s.read) // another process may have created it
		}
	}
	if err != nil {
		return err
	}
	if version != Version {
		return versionError(version)
	}
	return s.firstKey(ctx)
}

// ErrCrowded is returned where a customer has too many writes waiting.
var ErrCrowded = errors.New("the customer has as many changes waiting to be written as it may have")

// mostWaiting is how many calls of a customer may wait to be written.
const mostWaiting = 32

// transactFor is transact for a customer: a database takes a few writes at a time, and customers take turns.
func (s *Store) transactFor(ctx context.Context, by Caller, do func(*sql.Tx) error) error {
	err := s.turns.Enter(ctx, by.Customer)
	if errors.Is(err, admit.ErrTurns) {
		return ErrCrowded
	}
	if err != nil {
		return err
	}
	defer s.turns.Leave()
	return s.transact(ctx, func(tx *sql.Tx) error {
		if by.Work == nil || !s.Embedded() {
			return do(tx)
		}
		if err := by.Work(); err != nil {
			return err
		}
		defer by.Rest() // to commit is to wait for a disk
		return do(tx)
	})
}

// Waiting is the number of changes that wait for their turn.
func (s *Store) Waiting() int { return s.turns.Waiting() }

// Embedded reports whether the state is in this process: to read it takes a processor, and little else.
func (s *Store) Embedded() bool { return s.file != nil }

// transact runs do in a write transaction.
func (s *Store) transact(ctx context.Context, do func(*sql.Tx) error) error {
	if err := s.look(); err != nil {
		return err
	}
	tx, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// begin begins a write transaction. A call that waited for a connection may be given one that is of no use any more, because
// SQLite's file has changed since or PostgreSQL ended it. database/sql tries three, which are not enough where many wait.
func (s *Store) begin(ctx context.Context) (tx *sql.Tx, err error) {
	for range maxUseless {
		if tx, err = s.write.BeginTx(ctx, nil); !errors.Is(err, driver.ErrBadConn) {
			break
		}
	}
	return tx, err
}

// maxUseless is how often a transaction is begun again, each time with another connection.
const maxUseless = 100

// lock makes transactions that lock the same key wait for each other.
func (s *Store) lock(ctx context.Context, tx *sql.Tx, key string) error {
	if s.dialect.lockKey == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, s.dialect.lockKey, key)
	return err
}

// statement is a prepared statement that reads. SQLite takes about as long to prepare one as to find a row.
func (s *Store) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if known, ok := s.statements.Load(text); ok {
		return known.(*sql.Stmt), nil
	}
	made, err := s.read.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	known, loaded := s.statements.LoadOrStore(text, made)
	if loaded {
		made.Close()
	}
	return known.(*sql.Stmt), nil
}

// rows runs a statement that reads, of which there are few texts.
func (s *Store) rows(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	statement, err := s.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return statement.QueryContext(ctx, args...)
}

// collect has an element for each row of a query, which scan reads; rows and err are what the query returned.
func collect[T any](rows *sql.Rows, err error, scan func(*T) error) (all []T, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := scan(&v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// moment is a time that is scanned from its text; NULL is the zero time.
type moment time.Time

// Scan implements sql.Scanner.
func (m *moment) Scan(value any) error {
	var text sql.NullString
	if err := text.Scan(value); err != nil || !text.Valid {
		return err
	}
	at, err := time.Parse(timeFormat, text.String)
	*m = moment(at)
	return err
}

// prepared is a database whose statements are prepared.
type prepared struct{ *Store }

func (s *Store) reader() queryer { return prepared{s} }

// QueryRowContext runs a statement that reads one row.
func (s prepared) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	statement, err := s.statement(ctx, text)
	if err != nil {
		return s.read.QueryRowContext(ctx, text, args...) // which has the error
	}
	return statement.QueryRowContext(ctx, args...)
}
