package state_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"quartier/internal/testenv"
	"quartier/internal/testenv/inmemory"
	"quartier/serve/account"
	"quartier/serve/state"
)

var postgres testenv.Postgres

func TestMain(m *testing.M) {
	remove := inmemory.Use()
	code := m.Run()
	postgres.Stop()
	remove()
	os.Exit(code)
}

// onBoth runs a test on an empty database of each kind.
func onBoth(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+filepath.Join(t.TempDir(), "état & co", "state.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, postgres.Database(t)) })
}

func open(t *testing.T, dsn string) *state.Store {
	t.Helper()
	store, err := state.Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// raw opens a database without package state.
func raw(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	driver := "pgx"
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		driver, dsn = "sqlite3", path
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t testing.TB, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%.80s: %v", statement, err)
	}
}

// firstSchema is the schema of SQLite files made before versions were recorded.
const firstSchema = `
CREATE TABLE revision (id INTEGER PRIMARY KEY CHECK (id = 1), n INTEGER NOT NULL);
INSERT INTO revision (id, n) VALUES (1, 7);
CREATE TABLE client (client_id TEXT PRIMARY KEY, customer TEXT NOT NULL, salt BLOB NOT NULL, secret_hash BLOB NOT NULL, agreement TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT);
INSERT INTO client VALUES ('qc_old', 'Acme', x'0102', x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '{"products":["pois"],"scores":[],"regions":[],"custom_geographies":true,"rate":5}', '2025-01-01T00:00:00Z', NULL);
CREATE TABLE signing_key (n INTEGER PRIMARY KEY AUTOINCREMENT, kid TEXT NOT NULL UNIQUE, seed BLOB NOT NULL, created_at TEXT NOT NULL);
INSERT INTO signing_key (kid, seed, created_at) VALUES ('k1', x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '2025-01-01T00:00:00Z');`

// A file of the first schema is refused, keeps its accounts and keys when it is migrated, and works then.
func TestFirstSchemaIsMigrated(t *testing.T) {
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "state.db")
	execute(t, raw(t, dsn), firstSchema)
	_, err := state.Open(dsn)
	if !errors.Is(err, state.ErrVersion) || !strings.Contains(err.Error(),
		fmt.Sprintf("it is of version 1, this program needs version %d; run quartier state migrate", state.Version)) {
		t.Fatalf("opening version 1 gave %v", err)
	}
	if from, err := state.Migrate(dsn); err != nil || from != 1 {
		t.Fatalf("migrated from %d: %v", from, err)
	}
	store := open(t, dsn)
	all, err := store.Accounts(context.Background())
	if err != nil || len(all.Clients) != 1 || all.Clients[0].ID != "qc_old" || all.Clients[0].Agreement.Rate != 5 {
		t.Fatalf("%+v: %v", all, err)
	}
	if len(all.Keys) != 1 || all.Keys[0].ID != "k1" || all.Revision.Number != 7 {
		t.Errorf("%+v", all)
	}
	if _, err := store.CreateRequest(context.Background(), acme, fields("Old Town"), ""); err != nil {
		t.Error(err)
	}
}

// Every earlier version is refused, migrated with what it has, and has the same schema as a new store then.
func TestEveryVersionIsMigrated(t *testing.T) {
	onBoth(t, func(t *testing.T, fresh string) {
		open(t, fresh)
		want := schemaOf(t, fresh)
		for version := 1; version < state.Version; version++ {
			dsn := "sqlite:" + filepath.Join(t.TempDir(), "old.db")
			if strings.HasPrefix(fresh, "postgres") {
				dsn = postgres.Database(t)
			}
			if err := state.MigrateTo(dsn, version); err != nil {
				t.Fatal(err)
			}
			if _, err := state.Open(dsn); !errors.Is(err, state.ErrVersion) {
				t.Errorf("opening version %d gave %v", version, err)
			}
			if from, err := state.Migrate(dsn); err != nil || from != version {
				t.Fatalf("migrated from %d, want %d: %v", from, version, err)
			}
			if got := schemaOf(t, dsn); got != want {
				t.Errorf("from version %d:\n%s\nnew:\n%s", version, got, want)
			}
			if from, err := state.Migrate(dsn); err != nil || from != state.Version {
				t.Errorf("migrated again from %d: %v", from, err)
			}
		}
	})
}

// schemaOf lists the columns, their types and the constraints of a database.
func schemaOf(t *testing.T, dsn string) string {
	t.Helper()
	query := `SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name`
	if strings.HasPrefix(dsn, "postgres") {
		query = `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, collation_name) FROM information_schema.columns WHERE table_schema = 'public'
			UNION ALL SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
			UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
	}
	rows, err := raw(t, dsn).Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if len(lines) < 10 || rows.Err() != nil {
		t.Fatalf("%d lines: %v", len(lines), rows.Err())
	}
	return strings.Join(lines, "\n")
}

func TestNewerVersionIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		open(t, dsn).Close()
		execute(t, raw(t, dsn), fmt.Sprintf(`UPDATE state_version SET version = %d`, state.Version+1))
		for name, try := range map[string]func() error{
			"Open":    func() error { _, err := state.Open(dsn); return err },
			"Migrate": func() error { _, err := state.Migrate(dsn); return err },
		} {
			if err := try(); !errors.Is(err, state.ErrVersion) || !strings.Contains(err.Error(), "use a newer program") {
				t.Errorf("%s gave %v", name, err)
			}
		}
	})
}

// A migration that fails leaves the version before it.
func TestFailedMigrationLeavesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		if err := state.MigrateTo(dsn, 1); err != nil {
			t.Fatal(err)
		}
		db := raw(t, dsn)
		execute(t, db, `CREATE TABLE idempotency_key (other INTEGER)`) // in the way of the last table of version 2
		if _, err := state.Migrate(dsn); err == nil || !strings.Contains(err.Error(), "0002_custom_geographies.sql") {
			t.Errorf("migrating gave %v", err)
		}
		var n int
		if err := db.QueryRow(`SELECT version FROM state_version`).Scan(&n); err != nil || n != 1 {
			t.Errorf("version %d: %v", n, err)
		}
		if err := db.QueryRow(`SELECT count(*) FROM geography_request`).Scan(&n); err == nil {
			t.Error("a table of the failed migration is there")
		}
		execute(t, db, `DROP TABLE idempotency_key`)
		if _, err := state.Migrate(dsn); err != nil {
			t.Error(err)
		}
	})
}

// Two migrations that were made at the same time must not have one number.
func TestMigrationsAreNumbered(t *testing.T) {
	for i, name := range state.MigrationNames() {
		if want := fmt.Sprintf("migrations/%04d_", i+1); !strings.HasPrefix(name, want) {
			t.Errorf("%s, want %s…", name, want)
		}
	}
}

// Processes that open an empty state together create it once.
func TestOpenedTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				store, err := state.Open(dsn)
				if err != nil {
					t.Error(err)
					return
				}
				defer store.Close()
				if _, _, err := store.Create("Acme", account.Agreement{}); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		store := open(t, dsn)
		all, err := store.Accounts(context.Background())
		if err != nil || len(all.Keys) != 1 || len(all.Clients) != 8 {
			t.Errorf("%+v: %v", all, err)
		}
		if r, err := store.Revision(context.Background()); r.Number != 9 || r != all.Revision || err != nil {
			t.Errorf("revision %v after a key and 8 accounts: %v", r, err)
		}
	})
}

func TestBadDSN(t *testing.T) {
	for _, dsn := range []string{"", "sqlite:", "mysql://user:secret@host/db", "postgres://user:secret@host:notaport/db",
		"postgres://user:secret@host/db?sslmode=secret2"} {
		_, err := state.Open(dsn)
		if !errors.Is(err, state.ErrBadDSN) {
			t.Errorf("Open(%q) gave %v", dsn, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret@") {
			t.Errorf("the error contains the password of the DSN: %v", err)
		}
	}
	_, err := state.Open("postgres://user:secret@127.0.0.1:1/db")
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "127.0.0.1:1/db") {
		t.Errorf("no server there: %v", err)
	}
}
