package serve_test

import (
	"database/sql"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/serve/servetest"
)

// storeFaults are ways in which a store is away, and how it comes back.
var storeFaults = map[string]func(t *testing.T) (dsn string, fail func(), restore func()){
	"SQLite is locked": func(t *testing.T) (string, func(), func()) {
		path := t.TempDir() + "/state.sqlite"
		db, err := sql.Open("sqlite3", path)
		must(t, err)
		db.SetMaxOpenConns(1)
		t.Cleanup(func() { db.Close() })
		run := func(statement string) func() {
			return func() { _, err := db.Exec(statement); must(t, err) }
		}
		return "sqlite:" + path, run("BEGIN EXCLUSIVE"), run("ROLLBACK")
	},
	"SQLite is removed": func(t *testing.T) (string, func(), func()) {
		path := t.TempDir() + "/state.sqlite"
		return "sqlite:" + path, func() { must(t, os.Rename(path, path+".away")) }, func() { must(t, os.Rename(path+".away", path)) }
	},
	"PostgreSQL is refused": func(t *testing.T) (string, func(), func()) {
		dsn, proxy := proxied(t)
		return dsn, proxy.Refuse, func() { proxy.Restore(t) }
	},
	"PostgreSQL is slow": func(t *testing.T) (string, func(), func()) {
		dsn, proxy := proxied(t)
		return dsn, func() { proxy.Slow(7 * time.Second) }, func() { proxy.Cut(); proxy.Restore(t) }
	},
}

// proxied is an empty database behind a proxy.
func proxied(t *testing.T) (string, *testenv.Proxy) {
	dsn := postgres.Database(t)
	before, after, _ := strings.Cut(dsn, "@")
	address, rest, _ := strings.Cut(after, "/")
	proxy := testenv.NewProxy(t, address)
	return before + "@" + proxy.Addr + "/" + rest, proxy
}

const aRequest = `{"name_en":"Glebe","type":"NEIGHBOURHOOD","boundaries":"POLYGON((-72.81 45.19,-72.79 45.19,-72.79 45.21,-72.81 45.21,-72.81 45.19))"}`

// TestStoresAway takes the store away in every way: what is read from the release is answered as before, what would be written
// fails with the contract's shape and soon, the age of the accounts grows, and all is as before when the store is back.
func TestStoresAway(t *testing.T) {
	for name, prepare := range storeFaults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn, fail, restore := prepare(t)
			a := newAPIOn(t, dsn, servetest.Release{})
			write := func() answer {
				return a.call("full", http.MethodPost, "/v3/geographies/custom", aRequest, "Content-Type: application/json")
			}
			if got := write(); got.status/100 != 2 {
				t.Fatalf("before: %d %s", got.status, got.body)
			}
			right := a.get("full", "/v3/enhanced-pois?"+north)
			fail()
			begun := time.Now()
			got := write()
			if got.status != 503 || got.body != `{"message":"Service Unavailable"}` || got.header.Get("Retry-After") == "" {
				t.Errorf("a write: %d %s %v", got.status, got.body, got.header)
			}
			if spent := time.Since(begun); spent > 2*time.Minute {
				t.Errorf("a write is answered after %v", spent)
			}
			for range 3 {
				if got := a.get("full", "/v3/enhanced-pois?"+north); got.status != 200 || got.body != right.body {
					t.Errorf("reading: %d %.200s", got.status, got.body)
				}
			}
			if got := a.get("", "/readyz"); got.status != 200 || !strings.Contains(got.body, `"accounts":{"status":"`) {
				t.Errorf("readyz: %d %s", got.status, got.body)
			}
			restore()
			testenv.Eventually(t, "a write succeeds again", func() bool { return write().status/100 == 2 })
			if body := a.get("", "/metrics").body; !strings.Contains(body, "\nquartier_state_age_seconds ") || !strings.Contains(body, "\nquartier_state_stale 0\n") {
				t.Errorf("metrics: %s", body)
			}
		})
	}
}
