package state

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// migrations has a file of SQL for each version, numbered from 1 without gaps: NNNN_name.sql leads from version NNNN-1 to
// NNNN. A file is not changed after it was released; a change of the schema is a new file.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Version is the version of the state that this program reads and writes.
var Version = len(migrationNames())

// migrationNames lists the files in the order of their numbers.
func migrationNames() []string {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		panic(err)
	}
	return names
}

// Migrate brings the state at dsn to Version, or creates it, and returns the version that it had, 0 if it was created. Servers
// and commands of the old version that run meanwhile keep running, but do not start again.
func Migrate(dsn string) (from int, err error) {
	s, err := connect(dsn)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	from, err = s.version(context.Background(), s.read)
	if err == nil && from > Version {
		err = versionError(from)
	}
	if err == nil {
		err = s.migrate(Version)
	}
	if err != nil {
		return from, fmt.Errorf("migrate state %s: %w", s.name, err)
	}
	return from, nil
}

// migrate applies the missing migrations up to a version, each in a transaction of its own, to an empty state all in one.
func (s *Store) migrate(to int) error {
	for done := false; !done; {
		err := s.transact(context.Background(), func(tx *sql.Tx) error {
			if s.dialect.exclusive != "" {
				if _, err := tx.Exec(s.dialect.exclusive); err != nil {
					return err
				}
			}
			from, err := s.version(context.Background(), tx)
			if done = err != nil || from >= to; done {
				return err
			}
			last := from + 1
			if from == 0 {
				last = to // so that nobody sees half of a new state
			}
			for version := from + 1; version <= last; version++ {
				if err := s.apply(tx, version); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// apply applies the migration to a version and records it.
func (s *Store) apply(tx *sql.Tx, version int) error {
	name := migrationNames()[version-1]
	text, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(s.dialect.words.Replace(string(text))); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := tx.Exec(s.dialect.words.Replace(
		`CREATE TABLE IF NOT EXISTS state_version (id {integer} PRIMARY KEY CHECK (id = 1), version {integer} NOT NULL)`)); err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO state_version (id, version) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET version = excluded.version`,
		version)
	return err
}

// queryer is a database or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// version is that of the state, 0 if it is empty. The table of clients is looked for first: who looks while another process
// creates the state sees it with the version, or not at all.
func (s *Store) version(ctx context.Context, db queryer) (version int, err error) {
	for _, table := range []string{"client", "state_version"} {
		var n int
		if err := db.QueryRowContext(ctx, s.dialect.tables, table).Scan(&n); err != nil {
			return 0, err
		}
		if n == 0 {
			return version, nil
		}
		version = 1 // made before versions were recorded
	}
	err = db.QueryRowContext(ctx, `SELECT version FROM state_version WHERE id = 1`).Scan(&version)
	return version, err
}

func versionError(found int) error {
	if found > Version {
		return fmt.Errorf("%w: it is of version %d, this program needs version %d; use a newer program", ErrVersion, found, Version)
	}
	return fmt.Errorf("%w: it is of version %d, this program needs version %d; run quartier state migrate", ErrVersion, found, Version)
}
