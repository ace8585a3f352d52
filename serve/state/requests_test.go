package state_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quartier/serve/state"
)

var (
	acme   = state.Caller{Customer: "Acme", ClientID: "qc_acme"}
	globex = state.Caller{Customer: "Globex", ClientID: "qc_globex"}
)

func fields(name string) state.Fields {
	return state.Fields{NameEN: name, Type: "COMMUNITY", Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))"}
}

func create(t testing.TB, store *state.Store, by state.Caller, f state.Fields) state.Request {
	t.Helper()
	r, err := store.CreateRequest(context.Background(), by, f, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func names(page []state.Request) (all []string) {
	for _, r := range page {
		all = append(all, r.NameEN)
	}
	return all
}

func TestRequestIsKept(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		f := state.Fields{NameEN: "Old Town", NameFR: "Vieille-Ville", Type: "SECTOR", Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))"}
		made := create(t, store, acme, f)
		got, err := open(t, dsn).Request(ctx, "Acme", made.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made, got); diff != "" {
			t.Error(diff)
		}
		if got.Status != state.PublicationPending || got.Version != 1 || got.Fields != f {
			t.Errorf("got %+v", got)
		}
		for _, id := range []string{"", "x", strings.ToUpper(made.ID), made.ID + " ", made.ID + "\x00", "\xff",
			"00000000-0000-4000-8000-000000000000"} {
			if _, err := store.Request(ctx, "Acme", id); !errors.Is(err, state.ErrNoRequest) {
				t.Errorf("id %q gave %v", id, err)
			}
		}
		for name, err := range map[string]error{
			"read":   second(store.Request(ctx, "Globex", made.ID)),
			"edit":   second(store.ChangeRequest(ctx, globex, made.ID, state.Edited, nil, nil)),
			"remove": second(store.ChangeRequest(ctx, globex, made.ID, state.Removed, nil, nil)),
		} {
			if !errors.Is(err, state.ErrNoRequest) {
				t.Errorf("another customer's %s gave %v", name, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestEditsAreRecorded(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		clock := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
		store.SetClock(func() time.Time { return clock })
		made := create(t, store, acme, fields("One"))
		clock = clock.Add(-time.Hour) // a clock that is set back
		other := state.Caller{Customer: "Acme", ClientID: "qc_other"}
		edited, err := store.ChangeRequest(ctx, other, made.ID, state.Edited, func(f *state.Fields) { f.NameEN, f.NameFR = "Two", "Deux" }, nil)
		if err != nil || !edited.UpdatedAt.After(made.UpdatedAt) || edited.Version != 2 {
			t.Fatalf("edited %+v: %v", edited, err)
		}
		_, err = store.ChangeRequest(ctx, acme, made.ID, state.Edited, nil, func(r *state.Request) bool { return r.Version == 1 })
		if !errors.Is(err, state.ErrChanged) {
			t.Errorf("an edit of the old version gave %v", err)
		}
		rows, err := raw(t,
			dsn).
			Query(`SELECT concat(version, ' ', event, ' ', client_id, ' ', name_en, ' ', coalesce(name_fr, '-')) FROM geography_request_history ` +
				`ORDER BY version`)
		if strings.HasPrefix(dsn, "sqlite") {
			rows, err = raw(t,
				dsn).Query(`SELECT version || ' ' || event || ' ' || client_id || ' ' || name_en || ' ' || coalesce(name_fr, '-') FROM ` +
				`geography_request_history ORDER BY version`)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			got = append(got, line)
		}
		if want := []string{"1 POST qc_acme One -", "2 PATCH qc_other Two Deux"}; !slices.Equal(got, want) {
			t.Errorf("history %q, want %q", got, want)
		}
	})
}

func TestListsAndSearches(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		for i, f := range []state.Fields{
			{NameEN: "Glebe"}, {NameEN: "Island", NameFR: "Île-Perrot"}, {NameEN: "100% Town"}, {NameEN: "1000 Town"},
			{NameEN: `Under_score \ Hill`}, {NameEN: "STRASSE"},
		} {
			store.SetClock(func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 1000*i, time.UTC) })
			f.Type, f.Boundaries = "CITY", "POLYGON"
			create(t, store, acme, f)
		}
		create(t, store, globex, fields("Glebe of another customer"))
		for _, tt := range []struct {
			list  state.RequestList
			want  []string
			total int
		}{
			{state.RequestList{Page: 1, Size: 2}, []string{"STRASSE", `Under_score \ Hill`}, 6},
			{state.RequestList{Page: 3, Size: 2}, []string{"Island", "Glebe"}, 6},
			{state.RequestList{Page: 4, Size: 2}, nil, 6},
			{state.RequestList{Page: 1<<31 - 1, Size: 100}, nil, 6},
			{state.RequestList{Page: 1, Size: 20, Search: "GLÈB"}, []string{"Glebe"}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: "ile-p"}, []string{"Island"}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: "straße"}, []string{"STRASSE"}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: "100%"}, []string{"100% Town"}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: "%"}, []string{"100% Town"}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: "_"}, []string{`Under_score \ Hill`}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: `\`}, []string{`Under_score \ Hill`}, 1},
			{state.RequestList{Page: 1, Size: 20, Search: "islandile"}, nil, 0},
			{state.RequestList{Page: 1, Size: 20, Search: "' OR 1=1 --"}, nil, 0},
		} {
			page, total, err := store.Requests(ctx, "Acme", tt.list)
			if err != nil || total != tt.total || !slices.Equal(names(page), tt.want) {
				t.Errorf("%+v: %q of %d, want %q of %d: %v", tt.list, names(page), total, tt.want, tt.total, err)
			}
			for _, r := range page {
				if r.Boundaries != "" {
					t.Error("boundaries in a list")
				}
			}
		}
	})
}

// Of requests changed at the same time the ids decide, so that pages neither repeat nor omit one.
func TestPagesOfOneMoment(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		now := time.Now()
		store.SetClock(func() time.Time { return now })
		var want, got []string
		for range 25 {
			want = append(want, create(t, store, acme, fields("Same")).ID)
		}
		for page := 1; page <= 3; page++ {
			part, _, err := store.Requests(context.Background(), "Acme", state.RequestList{Page: page, Size: 10})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range part {
				got = append(got, r.ID)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// Deep pages, which are read in another way, continue those before; their total is that of the requests.
func TestDeepPages(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		var values, want []string
		for i := range 1230 {
			id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i)
			values = append(values,
				fmt.Sprintf(`('%s', 'Acme', 1, 'N%d', 'n%[2]d', 'CITY', 'POLYGON', 'PUBLICATION_PENDING', 'x', '2026-01-01T00:00:00.%06[3]dZ')`, id, i,
					1230-i/3))
			want = append(want, id)
		}
		db := raw(t, dsn)
		execute(t, db,
			`INSERT INTO geography_request (id, customer, version, name_en, folded_names, type, boundaries, status, created_at, updated_at) VALUES `+
				strings.Join(values, ", "))
		execute(t, db, `INSERT INTO request_count (customer, n) VALUES ('Acme', 1230)`)
		for _, search := range []string{"", "n"} {
			var got []string
			for page := 1; page <= 13; page++ {
				part, total, err := store.Requests(context.Background(), "Acme", state.RequestList{Page: page, Size: 100, Search: search})
				if err != nil || total != 1230 {
					t.Fatalf("page %d: %d requests: %v", page, total, err)
				}
				for _, r := range part {
					got = append(got, r.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("search %q: %d requests, want %d in their order", search, len(got), len(want))
			}
		}
	})
}

func TestIdempotencyKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		clock := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
		store.SetClock(func() time.Time { return clock })
		first, err := store.CreateRequest(ctx, acme, fields("One"), "k")
		if err != nil {
			t.Fatal(err)
		}
		clock = clock.Add(24*time.Hour - time.Microsecond)
		if again, err := store.CreateRequest(ctx, acme, fields("One"), "k"); err != nil || again.ID != first.ID {
			t.Errorf("the same body gave %s, want %s: %v", again.ID, first.ID, err)
		}
		if _, err := store.CreateRequest(ctx, acme, fields("Two"), "k"); !errors.Is(err, state.ErrKeyReused) {
			t.Errorf("another body gave %v", err)
		}
		if other, err := store.CreateRequest(ctx, globex, fields("One"), "k"); err != nil || other.ID == first.ID {
			t.Errorf("another customer's key gave %s: %v", other.ID, err)
		}
		clock = clock.Add(time.Microsecond)
		if later, err := store.CreateRequest(ctx, acme, fields("Two"), "k"); err != nil || later.ID == first.ID {
			t.Errorf("after 24 hours the key gave %s: %v", later.ID, err)
		}
	})
}

// Many callers at once: a key makes one request, and every edit with a precondition is made or refused, none is lost.
func TestConcurrentChanges(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		const workers, edits = 8, 10
		ids := make([]string, workers)
		var wait sync.WaitGroup
		for i := range workers {
			wait.Go(func() {
				r, err := store.CreateRequest(ctx, acme, fields("Glebe"), "one key")
				if err != nil {
					t.Error(err)
				}
				ids[i] = r.ID
			})
		}
		wait.Wait()
		if slices.Sort(ids); len(slices.Compact(ids)) != 1 {
			t.Fatalf("one key made requests %q", ids)
		}
		if _, total, err := store.Requests(ctx, "Acme", state.RequestList{Page: 1, Size: 1}); total != 1 || err != nil {
			t.Fatalf("%d requests: %v", total, err)
		}
		for i := range workers {
			wait.Go(func() {
				for n := range edits {
					appendTo(t, store, ids[0], fmt.Sprintf(" %d.%d", i, n))
				}
			})
		}
		wait.Wait()
		r, err := store.Request(ctx, "Acme", ids[0])
		if err != nil || len(strings.Fields(r.NameEN)) != 1+workers*edits || r.Version != 1+workers*edits {
			t.Errorf("version %d, name %q: %v", r.Version, r.NameEN, err)
		}
	})
}

// appendTo appends to the name of a request, reading it again as long as others changed it meanwhile.
func appendTo(t *testing.T, store *state.Store, id, text string) {
	for {
		r, err := store.Request(context.Background(), "Acme", id)
		if err != nil {
			t.Error(err)
			return
		}
		edit := func(f *state.Fields) { f.NameEN = r.NameEN + text }
		_, err = store.ChangeRequest(context.Background(), acme, id, state.Edited, edit,
			func(now *state.Request) bool { return now.Version == r.Version })
		if err == nil {
			return
		}
		if !errors.Is(err, state.ErrChanged) {
			t.Error(err)
			return
		}
	}
}

// The database refuses states that are not in the table, and published ones without an id.
func TestStatesAreChecked(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		create(t, open(t, dsn), acme, fields("Glebe"))
		db := raw(t, dsn)
		for _, s := range state.Statuses {
			_, err := db.Exec(fmt.Sprintf(`UPDATE geography_request SET status = '%s'`, s.Status))
			if (err != nil) != s.Published {
				t.Errorf("%s without geog_id: %v", s.Status, err)
			}
			execute(t, db, fmt.Sprintf(`UPDATE geography_request SET geog_id = 'g10_x', published_at = 'now', status = '%s'`, s.Status))
			execute(t, db, `UPDATE geography_request SET geog_id = NULL, published_at = NULL, status = 'PUBLICATION_PENDING'`)
		}
		if _, err := db.Exec(`UPDATE geography_request SET status = 'LOST'`); err == nil {
			t.Error("an unknown state is stored")
		}
	})
}

// Every state can be reached, and only a deprecated request has no way on.
func TestEveryStateIsReached(t *testing.T) {
	reached := map[state.Status]bool{}
	leaves := map[state.Status]bool{}
	for _, tr := range state.Transitions {
		reached[tr.To], leaves[tr.From] = true, true
	}
	for _, s := range state.Statuses {
		if !reached[s.Status] || leaves[s.Status] == (s.Status == state.Deprecated) {
			t.Errorf("%s: reached %v, left %v", s.Status, reached[s.Status], leaves[s.Status])
		}
	}
}

// A call that waits for a lock of another process gives up, and the next one succeeds.
func TestLockedStateFails(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		r := create(t, store, acme, fields("Glebe"))
		tx, err := raw(t, dsn).Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if _, err := tx.Exec(`UPDATE geography_request SET type = 'CITY'`); err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		if _, err := store.ChangeRequest(short, acme, r.ID, state.Edited, nil, nil); !errors.Is(err, state.ErrFailed) {
			t.Errorf("an edit of a locked request gave %v", err)
		}
		if _, err := store.Request(ctx, "Acme", r.ID); err != nil {
			t.Errorf("reading meanwhile gave %v", err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		if _, err := store.ChangeRequest(ctx, acme, r.ID, state.Edited, nil, nil); err != nil {
			t.Errorf("afterwards an edit gave %v", err)
		}
	})
}
