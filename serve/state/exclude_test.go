package state_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"quartier/internal/drill/histories"
	"quartier/serve/state"
)

// A request that is excluded leaves the update that runs and is in none after it, until it is edited or included again; what is
// published of it stays.
func TestExcludedRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		a, b, c := create(t, store, acme, fields("A")).ID, create(t, store, acme, fields("B")).ID, create(t, store, acme, fields("C")).ID
		exclude := func(id string, wantUpdate int64) {
			t.Helper()
			switch u, err := store.ExcludeRequest(ctx, id, "it ends the build"); {
			case err != nil:
				t.Fatal(err)
			case u == nil && wantUpdate != 0, u != nil && u.Number != wantUpdate:
				t.Errorf("it left %+v, want update %d", u, wantUpdate)
			}
		}
		excluded := func(want ...string) {
			t.Helper()
			report, err := store.ReportUpdate(ctx)
			var got []string
			for _, e := range report.Excluded {
				got = append(got, e.NameEN+": "+e.Why)
			}
			if slices.Sort(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("excluded are %q, want %q: %v", got, want, err)
			}
		}
		update := func(want ...string) {
			t.Helper()
			start(t, store)
			if file := complete(t, store, nil); !slices.Equal(lines(file), want) {
				t.Errorf("the file has %q, want %q", lines(file), want)
			}
		}
		exclude(c, 0) // before an update
		start(t, store)
		_, old := histories.Frozen(t, store)
		exclude(b, 1) // while it runs
		shows(t, store, b, state.PublicationPending, "")
		if _, err := store.CompleteUpdate(ctx, old, "digest", published); !errors.Is(err, state.ErrOutcomes) {
			t.Errorf("outcomes of the file before: %v", err)
		}
		if file := complete(t, store, nil); !slices.Equal(lines(file), []string{"publish 1 A "}) {
			t.Errorf("%q", lines(file))
		}
		shows(t, store, a, state.Published, histories.GeogID(a, 1))
		excluded("B: it ends the build", "C: it ends the build")
		update("keep 1 A .1") // they are out of the next one, too
		if _, err := store.ExcludeRequest(ctx, a, "x"); !errors.Is(err, state.ErrConflict) {
			t.Errorf("nothing of A waits: %v", err)
		}
		if _, err := store.ExcludeRequest(ctx, strings.Repeat("0", 8), "x"); !errors.Is(err, state.ErrNoRequest) {
			t.Errorf("an unknown id: %v", err)
		}

		// An edit ends it, or including it again. What is published stays while an edit or a deprecation is excluded.
		edit(t, store, b, "B2")
		if err := store.IncludeRequest(ctx, c); err != nil {
			t.Error(err)
		}
		if err := store.IncludeRequest(ctx, c); !errors.Is(err, state.ErrNoRequest) {
			t.Errorf("included twice: %v", err)
		}
		excluded()
		edit(t, store, a, "A2")
		exclude(a, 0)
		update("keep 1 A .1", "publish 1 C ", "publish 2 B2 ")
		shows(t, store, a, state.PublicationPending, "")
		if _, err := store.ChangeRequest(ctx, acme, b, state.Removed, nil, nil); err != nil {
			t.Fatal(err)
		}
		start(t, store)
		exclude(b, 4)
		shows(t, store, b, state.DeprecationPending, histories.GeogID(b, 2))
		complete(t, store, nil)
		shows(t, store, b, state.DeprecationPending, histories.GeogID(b, 2))
		edit(t, store, a, "A3")
		update("keep 1 C .1", "keep 2 B2 .2", "publish 3 A3 .1")

		// Not while a completion was interrupted. An edit of a request that left an update is not excluded.
		edit(t, store, c, "C2")
		start(t, store)
		func() {
			defer func() { recover() }()
			_, outcomes := histories.Frozen(t, store)
			store.CompleteUpdate(ctx, outcomes, "digest", func() (bool, error) { panic("killed") })
		}()
		if _, err := store.ExcludeRequest(ctx, c, "x"); !errors.Is(err, state.ErrPublishing) {
			t.Errorf("while it may be published: %v", err)
		}
		if _, err := store.AbortUpdate(ctx, true); err != nil {
			t.Fatal(err)
		}
		start(t, store)
		edit(t, store, c, "C3")
		exclude(c, 7)
		excluded("B2: it ends the build")
		complete(t, store, nil)
		update("keep 2 B2 .2", "keep 3 A3 .3", "publish 3 C3 .1")
	})
}
