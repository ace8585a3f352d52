package main

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quartier/serve/state"
)

// A state of the first version is refused by every command, migrated once, and has its accounts then.
func TestStateIsMigrated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	dsn := "sqlite:" + path
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(`CREATE TABLE revision (id INTEGER PRIMARY KEY, n INTEGER NOT NULL);
		INSERT INTO revision VALUES (1, 1);
		CREATE TABLE client (client_id TEXT PRIMARY KEY, customer TEXT NOT NULL, salt BLOB NOT NULL, secret_hash BLOB NOT NULL, agreement TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT);
		INSERT INTO client VALUES ('qc_old', 'Acme', x'00', x'00', '{}', '2025-01-01T00:00:00Z', NULL);
		CREATE TABLE signing_key (n INTEGER PRIMARY KEY AUTOINCREMENT, kid TEXT NOT NULL UNIQUE, seed BLOB NOT NULL, created_at TEXT NOT NULL);`)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"account", "list"}, exitFailure, fmt.Sprintf("it is of version 1, this program needs version %d; run quartier state migrate",
			state.Version)},
		{[]string{"key", "rotate"}, exitFailure, "version 1"},
		{[]string{"state", "migrate"}, exitOK, `"from": 1`},
		{[]string{"state", "migrate"}, exitOK, fmt.Sprintf(`"from": %d`, state.Version)},
		{[]string{"account", "list"}, exitOK, "qc_old"},
	} {
		code, out, errs := quartier(append(step.args, "--state", dsn)...)
		if code != step.code || !strings.Contains(out+errs, step.says) {
			t.Errorf("%v: exit code %d, want %d and %q in\n%s%s", step.args, code, step.code, step.says, out, errs)
		}
	}
}
