package state_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"quartier/serve/state"
)

// A name of 200 characters may have many more without its ligatures: it is stored and found by its first ones.
func TestLongNamesAreFound(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		f := state.Fields{NameEN: strings.Repeat("ﷺ", 200), NameFR: strings.Repeat("각", 199) + "ô", Type: "CITY", Boundaries: "POLYGON"}
		create(t, store, acme, f)
		for search, want := range map[string]int{"صلى": 1, strings.Repeat("각", 80): 1, "ô": 0} {
			page, total, err := store.Requests(context.Background(), "Acme", state.RequestList{Page: 1, Size: 20, Search: search})
			if err != nil || total != want || len(page) != want || want == 1 && page[0].NameEN != f.NameEN {
				t.Errorf("%.20s: %d of %d: %v", search, len(page), total, err)
			}
		}
	})
}

// Folded names of version 3 may be longer than an index entry.
func TestLongNamesOfVersion3AreMigrated(t *testing.T) {
	onBoth(t, func(t *testing.T, fresh string) {
		dsn := fresh
		if err := state.MigrateTo(dsn, 3); err != nil {
			t.Fatal(err)
		}
		execute(t, raw(t, dsn), manyRequests(1, strings.Repeat("ب", 3000)))
		if _, err := state.Migrate(dsn); err != nil {
			t.Fatal(err)
		}
		page, total, err := open(t, dsn).Requests(context.Background(), "Acme",
			state.RequestList{Page: 1, Size: 20, Search: strings.Repeat("ب", 400)})
		if err != nil || total != 1 || len(page) != 1 {
			t.Errorf("%d of %d: %v", len(page), total, err)
		}
	})
}

// Searches of SQLite read the index alone.
func TestSearchReadsTheIndex(t *testing.T) {
	dsn := "sqlite:" + t.TempDir() + "/state.db"
	open(t, dsn)
	for _, query := range []string{
		`SELECT count(*) FROM geography_request WHERE customer = 'a' AND instr(folded_names, 'b') > 0`,
		`SELECT id FROM geography_request WHERE customer = 'a' AND instr(folded_names, 'b') > 0 ORDER BY updated_at DESC, id LIMIT 20 OFFSET 0`,
	} {
		var id, parent, unused int
		var plan string
		if err := raw(t, dsn).QueryRow("EXPLAIN QUERY PLAN "+query).Scan(&id, &parent, &unused, &plan); err != nil ||
			plan != "SEARCH geography_request USING COVERING INDEX geography_request_search (customer=?)" {
			t.Errorf("%s: %q, %v", query, plan, err)
		}
	}
}

// manyRequests inserts requests of Acme with names that end in their number, and boundaries of 1 kB.
func manyRequests(n int, name string) string {
	var values []string
	for i := range n {
		values = append(values,
			fmt.Sprintf(`('%08x-0000-4000-8000-%012[1]d', 'Acme', 1, 'N', '%s %[1]d', 'CITY', '%[3]s', 'PUBLICATION_PENDING', 'x', `+
				`'2026-01-01T00:00:00.%06[4]dZ')`, i, name, strings.Repeat("1.2345 6.789, ", 70), i*7919%1000000))
	}
	return `INSERT INTO geography_request (id, customer, version, name_en, folded_names, type, boundaries, status, created_at, updated_at) ` +
		`VALUES ` + strings.Join(values, ", ")
}

// BenchmarkSearch searches 100,000 requests of a customer.
func BenchmarkSearch(b *testing.B) {
	for _, kind := range []string{"sqlite", "postgres"} {
		b.Run(kind, func(b *testing.B) {
			dsn := "sqlite:" + b.TempDir() + "/state.db"
			if kind == "postgres" {
				dsn = postgres.Database(b)
			}
			store, err := state.Open(dsn)
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			db := raw(b, dsn)
			for part := range 100 {
				text := manyRequests(1000, "old mill")
				text = strings.ReplaceAll(text, "-0000-4000-", fmt.Sprintf("-%04x-4000-", part))
				execute(b, db, text)
			}
			if kind == "postgres" {
				execute(b, db, "VACUUM ANALYZE geography_request")

			}
			for _, search := range []string{"old mill 99", "none"} {
				b.Run(search, func(b *testing.B) {
					for b.Loop() {
						if _, _, err := store.Requests(context.Background(), "Acme", state.RequestList{Page: 1, Size: 20, Search: search}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
