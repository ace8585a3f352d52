package state_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"quartier/serve/state"
)

// A request keeps its newest versions, those that updates had and the one that is published, and updates go on.
func TestOldVersionsAreForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		id := create(t, store, acme, fields("1")).ID
		create(t, store, acme, fields("other"))
		edits := func(from, to int) {
			for v := from; v <= to; v++ {
				edit(t, store, id, fmt.Sprint(v))
			}
		}
		start(t, store)
		if _, err := store.AbortUpdate(ctx, false); err != nil { // it had version 1
			t.Fatal(err)
		}
		edits(2, 3)
		start(t, store)
		complete(t, store, nil) // publishes version 3
		edits(4, 40)
		rows, err := raw(t, dsn).Query(fmt.Sprintf(`SELECT version FROM geography_request_history WHERE id = '%s' ORDER BY version`, id))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var kept []int
		for rows.Next() {
			var v int
			mustDo(t, rows.Scan(&v))
			kept = append(kept, v)
		}
		if want := []int{1, 3, 33, 34, 35, 36, 37, 38, 39, 40}; !slices.Equal(kept, want) || len(want)-2 != state.VersionsKept {
			t.Errorf("the history has versions %v, want %v", kept, want)
		}
		start(t, store)
		want := []string{"keep 1 other .1", "publish 40 40 .3"}
		if file := complete(t, store, nil); !slices.Equal(lines(file), want) {
			t.Errorf("the file has %q, want %q", lines(file), want)
		}
	})
}

// Requests that were removed before they were published are forgotten but for the last ones, with all that is about them, unless
// an update had them. Numbers of events go on.
func TestWithdrawnRequestsAreForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		remove := func(id string) {
			t.Helper()
			if _, err := store.ChangeRequest(ctx, acme, id, state.Removed, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		had := create(t, store, acme, fields("in an update")).ID
		start(t, store)
		if _, err := store.AbortUpdate(ctx, false); err != nil {
			t.Fatal(err)
		}
		remove(had)
		var ids []string
		for i := range state.WithdrawnKept + 3 {
			r, err := store.CreateRequest(ctx, acme, fields(fmt.Sprint(i)), fmt.Sprint("key ", i))
			mustDo(t, err)
			remove(r.ID)
			ids = append(ids, r.ID)
		}
		for i, id := range append([]string{had}, ids...) {
			_, err := store.Request(ctx, acme.Customer, id)
			if gone := errors.Is(err, state.ErrNoRequest); gone != (i >= 1 && i <= 3) {
				t.Errorf("request %d: %v", i, err)
			}
		}
		var rows, counted int
		mustDo(t, raw(t, dsn).QueryRow(`SELECT count(*), (SELECT n FROM request_count) FROM geography_request`).Scan(&rows, &counted))
		if want := state.WithdrawnKept + 1; rows != want || counted != want {
			t.Errorf("%d requests, counted as %d, want %d", rows, counted, want)
		}
		events, err := store.Events(ctx, acme.Customer, 0, 1<<20)
		if n := len(events); err != nil || n == 0 || events[n-1].N != int64(2*len(ids)+4) || n != 2*state.WithdrawnKept+4 {
			t.Errorf("%d events, the last of %+v, %v", len(events), events[len(events)-1], err)
		}
	})
}

// Events that are too old to be shown are deleted when an update completes, but for the last one.
func TestOldEventsAreForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		store.SetClock(func() time.Time { return now })
		create(t, store, acme, fields("A"))
		start(t, store)
		complete(t, store, nil)
		now = now.Add(state.EventsFor + time.Hour)
		start(t, store)
		complete(t, store, nil)
		var left int
		mustDo(t, raw(t, dsn).QueryRow(`SELECT count(*) FROM request_event`).Scan(&left))
		if left != 1 {
			t.Errorf("%d events are kept, want the last one", left)
		}
		create(t, store, acme, fields("B"))
		if events, err := store.Events(ctx, acme.Customer, 0, 10); err != nil || len(events) != 1 || events[0].N != 4 {
			t.Errorf("%+v, %v", events, err)
		}
	})
}
