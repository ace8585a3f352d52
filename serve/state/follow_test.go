package state_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/serve/account"
	"quartier/serve/state"
)

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// backup copies the file of a state that nobody changes.
func backup(t *testing.T, path, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	mustDo(t, err)
	mustDo(t, os.WriteFile(to, data, 0o600))
}

// revoke revokes an account as another process does.
func revoke(t *testing.T, dsn, id string) {
	t.Helper()
	operator, err := state.Open(dsn)
	mustDo(t, err)
	mustDo(t, errors.Join(operator.Revoke(id), operator.Close()))
}

// restores are the ways in which an operator puts a backup in the place of a file.
var restores = map[string]func(t *testing.T, backup, path string){
	"moved over it": func(t *testing.T, backup, path string) { mustDo(t, os.Rename(backup, path)) },
	"moved in its place": func(t *testing.T, backup, path string) {
		mustDo(t, os.Rename(path, path+".old"))
		mustDo(t, os.Rename(backup, path))
	},
	"copied over it": func(t *testing.T, backup, path string) {
		data, err := os.ReadFile(backup)
		mustDo(t, err)
		mustDo(t, os.WriteFile(path, data, 0o600))
	},
}

// TestRestoredFileIsFollowed restores a backup of which the accounts differ, and revokes an account then. A server that has the
// state open sees both, and what its customers write afterwards is in the file that is there.
func TestRestoredFileIsFollowed(t *testing.T) {
	for name, restore := range restores {
		t.Run(name, func(t *testing.T) {
			ctx, path := context.Background(), filepath.Join(t.TempDir(), "state.db")
			dsn := "sqlite:" + path
			store := open(t, dsn)
			kept, _, err := store.Create("Acme", account.Agreement{})
			mustDo(t, err)
			live, err := account.Follow(ctx, store, slog.New(slog.NewTextHandler(io.Discard, nil)))
			mustDo(t, err)
			mustDo(t, live.Refresh(ctx)) // which also leaves no write-ahead log
			backup(t, path, path+".backup")
			lost, _, err := store.Create("Globex", account.Agreement{})
			mustDo(t, err)
			mustDo(t, live.Refresh(ctx))
			if live.Client(lost.ID) == nil {
				t.Fatal("an account is not known")
			}
			restore(t, path+".backup", path)
			mustDo(t, live.Refresh(ctx))
			if live.Client(lost.ID) != nil || live.Client(kept.ID) == nil {
				t.Error("the accounts are not those of the backup")
			}
			revoke(t, dsn, kept.ID)
			mustDo(t, live.Refresh(ctx))
			if live.Client(kept.ID) != nil {
				t.Error("a revocation after the restore is not seen")
			}
			r, err := store.CreateRequest(ctx, acme, fields("Glebe"), "")
			mustDo(t, err)
			other := open(t, dsn)
			if _, err := other.Request(ctx, "Acme", r.ID); err != nil {
				t.Errorf("what was written after the restore: %v", err)
			}
			intact(t, path)
		})
	}
}

// intact checks a file by SQLite itself.
func intact(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	mustDo(t, err)
	defer db.Close()
	var result string
	if err := db.QueryRow(`PRAGMA quick_check`).Scan(&result); err != nil || result != "ok" {
		t.Errorf("the file: %s %v", result, err)
	}
}

// TestForeignLogIsMovedAside restores a backup while the write-ahead log of the file before is there. It is not applied to the
// backup, and is kept.
func TestForeignLogIsMovedAside(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "state.db")
	store := open(t, "sqlite:"+path)
	_, err := store.Revision(ctx)
	mustDo(t, err)
	backup(t, path, path+".backup")
	for range 3 { // of which the log is not written to the file before somebody looks
		_, _, err = store.Create("Acme", account.Agreement{})
		mustDo(t, err)
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("no write-ahead log: %v", err)
	}
	mustDo(t, os.Rename(path+".backup", path))
	_, err = store.Revision(ctx)
	mustDo(t, err)
	if all := accountsOf(t, store); len(all.Clients) != 0 {
		t.Errorf("the backup has %d accounts", len(all.Clients))
	}
	if _, err := os.Stat(path + "-wal.replaced"); err != nil {
		t.Error(err)
	}
	intact(t, path)
}

func accountsOf(t *testing.T, store *state.Store) *account.Accounts {
	t.Helper()
	all, err := store.Accounts(context.Background())
	mustDo(t, err)
	return all
}

// TestFileThatKeepsChanging writes from many callers while the file changes all the time, as checkpoints change it: each change
// makes the connections of before useless, and no call fails for that.
func TestFileThatKeepsChanging(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	store := open(t, "sqlite:"+path)
	info, err := os.Stat(path)
	mustDo(t, err)
	var callers, changes sync.WaitGroup
	done := make(chan struct{})
	changes.Go(func() {
		for at := info.ModTime(); ; at = at.Add(time.Millisecond) {
			select {
			case <-done:
				return
			default:
				if err := os.Chtimes(path, at, at); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 16 {
		callers.Go(func() {
			for range 20 {
				if _, err := store.CreateRequest(context.Background(), acme, fields("a place"), ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	close(done)
	changes.Wait()
}

// TestRemovedFile keeps reading what it has open, and writes nothing that would be lost.
func TestRemovedFile(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "state.db")
	store := open(t, "sqlite:"+path)
	r := create(t, store, acme, fields("Glebe"))
	_, err := store.Request(ctx, "Acme", r.ID)
	mustDo(t, err)
	mustDo(t, os.Rename(path, path+".away"))
	if _, err := store.CreateRequest(ctx, acme, fields("Lost"), ""); !errors.Is(err, state.ErrFailed) {
		t.Errorf("writing gave %v", err)
	}
	if _, err := store.Revision(ctx); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("looking gave %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there again: %v", err)
	}
	if _, err := store.Request(ctx, "Acme", r.ID); err != nil {
		t.Errorf("reading gave %v", err)
	}
	mustDo(t, os.Rename(path+".away", path))
	create(t, store, acme, fields("Found"))
}

// TestDamagedRows has a row of every kind of damage; the others are read.
func TestDamagedRows(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		good, _, err := store.Create("Acme", account.Agreement{})
		mustDo(t, err)
		damages := []string{`agreement = '{"products":'`, `agreement = '[]'`, `agreement = ''`, `customer = ' '`, `secret_hash = salt || salt`}
		if strings.HasPrefix(dsn, "sqlite:") {
			damages = append(damages, `secret_hash = 7`, `agreement = x'ff'`)
		}
		for _, damage := range damages {
			c, _, err := store.Create("Damaged", account.Agreement{})
			mustDo(t, err)
			execute(t, raw(t, dsn), `UPDATE client SET `+damage+` WHERE client_id = '`+c.ID+`'`)
		}
		execute(t, raw(t, dsn), `INSERT INTO signing_key (kid, seed, created_at) SELECT 'short', substr(seed, 1, 7), created_at FROM signing_key`)
		all := accountsOf(t, store)
		if len(all.Clients) != 1 || all.Clients[0].ID != good.ID || len(all.Keys) != 1 || len(all.Damaged) != len(damages)+1 {
			t.Errorf("%d accounts, %d keys, %d of %d damages: %v", len(all.Clients), len(all.Keys), len(all.Damaged), len(damages)+1, all.Damaged)
		}
	})
}

// TestRevisionOfARestoredDatabase is another one than before, though its number is the same.
func TestRevisionOfARestoredDatabase(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		_, _, err := store.Create("Acme", account.Agreement{})
		mustDo(t, err)
		before, err := store.Revision(context.Background())
		mustDo(t, err)
		db := raw(t, dsn)
		execute(t, db, `DELETE FROM client`) // a backup of before that, and then another account
		execute(t, db, `UPDATE revision SET n = n - 1`)
		_, _, err = store.Create("Globex", account.Agreement{})
		mustDo(t, err)
		after, err := store.Revision(context.Background())
		if err != nil || after.Number != before.Number || after == before {
			t.Errorf("%v, before %v: %v", after, before, err)
		}
	})
}
