package state_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quartier/internal/drill/histories"
	"quartier/schemas"
	"quartier/serve/state"
)

func start(t testing.TB, store *state.Store) *state.Update {
	t.Helper()
	u, err := store.StartUpdate(context.Background(), "ann@host")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// complete completes the update that runs with outcomes that a test may change.
func complete(t testing.TB, store *state.Store, change func(*schemas.Outcome)) *schemas.Requests {
	t.Helper()
	requests, outcomes := histories.Frozen(t, store)
	for i := range outcomes.Outcomes {
		if change != nil {
			change(&outcomes.Outcomes[i])
		}
	}
	if _, err := store.CompleteUpdate(context.Background(), outcomes, "digest", published); err != nil {
		t.Fatal(err)
	}
	return requests
}

func published() (bool, error) { return true, nil }

func edit(t testing.TB, store *state.Store, id, name string) {
	t.Helper()
	if _, err := store.ChangeRequest(context.Background(), acme, id, state.Edited, func(f *state.Fields) { f.NameEN = name },
		nil); err != nil {
		t.Fatal(err)
	}
}

// shows checks state and geog_id of a request.
func shows(t testing.TB, store *state.Store, id string, status state.Status, geogID string) state.Request {
	t.Helper()
	r, err := store.Request(context.Background(), "Acme", id)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != status || r.GeogID != geogID || (r.PublishedAt == "") != (geogID == "") {
		t.Errorf("%s: %s with geog_id %q at %q, want %s with %q", r.NameEN, r.Status, r.GeogID, r.PublishedAt, status, geogID)
	}
	return r
}

// line is a request of a file as one line.
func line(r schemas.Request) string {
	return fmt.Sprintf("%s %d %s %s", r.Action, r.Version, r.NameEN, strings.TrimPrefix(r.GeogID, "g10_"+r.ID[:8]))
}

func lines(requests *schemas.Requests) (all []string) {
	for _, r := range requests.Requests {
		all = append(all, line(r))
	}
	slices.Sort(all)
	return all
}

// The life of three requests through four updates: published, edited while an update runs, deprecated, and kept.
func TestGeneralUpdates(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		a, b := create(t, store, acme, fields("A")).ID, create(t, store, acme, fields("B")).ID
		first := start(t, store)
		if first.Number != 1 || first.Holder != "ann@host" {
			t.Errorf("%+v", first)
		}
		edit(t, store, b, "B2")
		c := create(t, store, acme, fields("C")).ID
		shows(t, store, a, state.PublicationProcessing, "")
		shows(t, store, b, state.PublicationPending, "")
		if _, err := store.StartUpdate(ctx, "bob@host"); !errors.Is(err, state.ErrUpdateRuns) ||
			!strings.Contains(err.Error(), "update 1, started by ann@host at ") {
			t.Errorf("a second operator got %v", err)
		}
		file := complete(t, store, nil)
		if want := []string{"publish 1 A ", "publish 1 B "}; !slices.Equal(lines(file), want) || file.Update != 1 ||
			file.AsOf != first.StartedAt.Format(time.DateOnly) {
			t.Errorf("%+v: %q, want %q", file, lines(file), want)
		}
		published := shows(t, store, a, state.Published, histories.GeogID(a, 1))
		shows(t, store, b, state.PublicationPending, "") // its first version is published, its second waits
		if _, err := store.ChangeRequest(ctx, acme, a, state.Removed, nil, nil); err != nil {
			t.Error(err)
		}

		start(t, store)
		shows(t, store, a, state.DeprecationProcessing, histories.GeogID(a, 1))
		edit(t, store, c, "C2")
		file = complete(t, store, nil)
		if want := []string{"deprecate 2 A .1", "publish 1 C ", "publish 2 B2 .1"}; !slices.Equal(lines(file), want) {
			t.Errorf("%q, want %q", lines(file), want)
		}
		if r := shows(t, store, a, state.Deprecated, histories.GeogID(a, 1)); r.PublishedAt != published.PublishedAt {
			t.Errorf("deprecation changed published_at from %s to %s", published.PublishedAt, r.PublishedAt)
		}
		shows(t, store, b, state.Published, histories.GeogID(b, 2))
		edit(t, store, b, "B3")

		start(t, store)
		if _, err := store.AbortUpdate(ctx, false); err != nil {
			t.Error(err)
		}
		shows(t, store, b, state.PublicationPending, "")
		start(t, store)
		edit(t, store, b, "B4")
		if requests, _ := histories.Frozen(t, store); !slices.Equal(lines(requests),
			[]string{"deprecate 2 A .1", "publish 2 C2 .1", "publish 3 B3 .2"}) || requests.Update != 4 {
			t.Errorf("update %d: %q", requests.Update, lines(requests))
		}
		if _, err := store.AbortUpdate(ctx, false); err != nil {
			t.Error(err)
		}
		start(t, store)
		complete(t, store, nil)
		start(t, store)
		file = complete(t, store, nil)
		if want := []string{"deprecate 2 A .1", "keep 2 C2 .2", "keep 4 B4 .4"}; !slices.Equal(lines(file), want) {
			t.Errorf("%q, want %q", lines(file), want)
		}
		if _, err := store.AbortUpdate(ctx, false); !errors.Is(err, state.ErrNoUpdate) {
			t.Errorf("aborting a complete update gave %v", err)
		}
		checkEvents(t, store, []string{"1 publish A.1", "1 publish B.1", "2 deprecate A.1", "2 publish B.2", "2 publish C.1", "5 publish B.4",
			"5 publish C.2"}, map[string]string{a: "A", b: "B", c: "C"})
	})
}

func checkEvents(t *testing.T, store *state.Store, want []string, names map[string]string) {
	t.Helper()
	var got []string
	for after := int64(0); ; {
		events, err := store.Publications(context.Background(), after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.N <= after || e.Customer != "Acme" || e.At.IsZero() {
				t.Errorf("%+v after %d", e, after)
			}
			after = e.N
			got = append(got, fmt.Sprintf("%d %s %s%s", e.Update, e.Action, names[e.ID], strings.TrimPrefix(e.GeogID, "g10_"+e.ID[:8])))
		}
		if len(events) == 0 {
			break
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What cannot be built is pending again, with a reason for the operator until it is built or edited, and keeps what it was
// published with.
func TestUnbuildableRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		good, bad := create(t, store, acme, fields("Good")).ID, create(t, store, acme, fields("Bad")).ID
		fails := func(ids ...string) func(*schemas.Outcome) {
			return func(o *schemas.Outcome) {
				if slices.Contains(ids, o.ID) {
					o.GeogID, o.Problem = "", "no land in its boundaries"
				}
			}
		}
		problems := func(want ...string) {
			t.Helper()
			report, err := store.ReportUpdate(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range report.Problems {
				got = append(got, fmt.Sprintf("%d %s %s %s", p.Update, p.Action, p.NameEN, p.Problem))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("problems %q, want %q", got, want)
			}
		}
		problems()
		start(t, store)
		complete(t, store, fails(bad))
		shows(t, store, good, state.Published, histories.GeogID(good, 1))
		shows(t, store, bad, state.PublicationPending, "")
		problems("1 publish Bad no land in its boundaries")
		edit(t, store, bad, "Better")
		problems()
		start(t, store)
		complete(t, store, fails(good)) // kept, and unbuildable now
		shows(t, store, good, state.Published, histories.GeogID(good, 1))
		shows(t, store, bad, state.Published, histories.GeogID(bad, 2))
		problems("2 keep Good no land in its boundaries")
		if _, err := store.ChangeRequest(ctx, acme, good, state.Removed, nil, nil); err != nil {
			t.Error(err)
		}
		edit(t, store, bad, "Worse")
		start(t, store)
		complete(t, store, fails(good, bad))
		shows(t, store, good, state.DeprecationPending, histories.GeogID(good, 1))
		shows(t, store, bad, state.PublicationPending, "")
		problems("3 deprecate Good no land in its boundaries", "3 publish Worse no land in its boundaries")
		start(t, store)
		if file := complete(t, store, nil); !slices.Equal(lines(file), []string{"deprecate 2 Good .1", "publish 3 Worse .2"}) {
			t.Errorf("%q", lines(file))
		}
		shows(t, store, good, state.Deprecated, histories.GeogID(good, 1))
		shows(t, store, bad, state.Published, histories.GeogID(bad, 3))
		problems()
	})
}

// A completion that ends at any point is finished by the next one, and cannot be aborted by accident meanwhile.
func TestCompletionIsInterrupted(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		id := create(t, store, acme, fields("A")).ID
		start(t, store)
		_, outcomes := histories.Frozen(t, store)

		failed := errors.New("a gate")
		_, err := store.CompleteUpdate(ctx, outcomes, "one", func() (bool, error) { return false, failed })
		if !errors.Is(err, failed) {
			t.Errorf("a failed publication gave %v", err)
		}
		if _, err := store.AbortUpdate(ctx, false); err != nil {
			t.Errorf("aborting after it gave %v", err)
		}
		start(t, store)
		_, outcomes = histories.Frozen(t, store)
		for name, publish := range map[string]func() (bool, error){
			"killed before or after publishing": func() (bool, error) { panic("killed") },
			"published, and the sync failed":    func() (bool, error) { return true, failed },
		} {
			func() {
				defer func() { recover() }()
				if _, err := store.CompleteUpdate(ctx, outcomes, "two", publish); !errors.Is(err, failed) {
					t.Errorf("%s: %v", name, err)
				}
			}()
			shows(t, store, id, state.PublicationProcessing, "")
			if _, err := store.AbortUpdate(ctx, false); !errors.Is(err, state.ErrPublishing) {
				t.Errorf("%s: aborting gave %v", name, err)
			}
		}
		db := raw(t, dsn) // the transaction that writes back fails at its last statement
		execute(t, db, `ALTER TABLE publication_event RENAME TO hidden`)
		if _, err := store.CompleteUpdate(ctx, outcomes, "two", published); !errors.Is(err, state.ErrFailed) {
			t.Errorf("writing back gave %v", err)
		}
		shows(t, store, id, state.PublicationProcessing, "")
		execute(t, db, `ALTER TABLE hidden RENAME TO publication_event`)

		calls := 0
		for range 3 { // the second and third find it complete
			u, err := store.CompleteUpdate(ctx, outcomes, "two", func() (bool, error) { calls++; return true, nil })
			if err != nil || u.Status != state.Complete || u.Number != 2 {
				t.Errorf("%+v: %v", u, err)
			}
		}
		shows(t, store, id, state.Published, histories.GeogID(id, 1))
		if events, err := store.Publications(ctx, 0, 10); calls != 1 || len(events) != 1 || err != nil {
			t.Errorf("published %d times, %d events: %v", calls, len(events), err)
		}
		start(t, store)
		func() {
			defer func() { recover() }()
			store.CompleteUpdate(ctx, frozenOutcomes(t, store), "three", func() (bool, error) { panic("killed") })
		}()
		if _, err := store.AbortUpdate(ctx, true); err != nil {
			t.Errorf("an operator who knows better: %v", err)
		}
	})
}

func frozenOutcomes(t testing.TB, store *state.Store) *schemas.Outcomes {
	_, outcomes := histories.Frozen(t, store)
	return outcomes
}

// Outcomes of another update, of another file or of other requests change nothing.
func TestForeignOutcomesAreRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store, ctx := open(t, dsn), context.Background()
		create(t, store, acme, fields("A"))
		create(t, store, acme, fields("B"))
		if _, err := store.CompleteUpdate(ctx, &schemas.Outcomes{Update: 1}, "d", published); !errors.Is(err, state.ErrNoUpdate) {
			t.Errorf("without an update: %v", err)
		}
		start(t, store)
		for name, spoil := range map[string]func(*schemas.Outcomes){
			"another update":    func(o *schemas.Outcomes) { o.Update++ },
			"another file":      func(o *schemas.Outcomes) { o.Requests = strings.Repeat("0", 64) },
			"one missing":       func(o *schemas.Outcomes) { o.Outcomes = o.Outcomes[:1] },
			"one too many":      func(o *schemas.Outcomes) { o.Outcomes = append(o.Outcomes, o.Outcomes[1]) },
			"another order":     func(o *schemas.Outcomes) { slices.Reverse(o.Outcomes) },
			"another version":   func(o *schemas.Outcomes) { o.Outcomes[0].Version++ },
			"neither nor":       func(o *schemas.Outcomes) { o.Outcomes[0].GeogID = "" },
			"built and problem": func(o *schemas.Outcomes) { o.Outcomes[1].Problem = "no land" },
		} {
			_, outcomes := histories.Frozen(t, store)
			spoil(outcomes)
			_, err := store.CompleteUpdate(ctx, outcomes, "d", func() (bool, error) { t.Errorf("%s: published", name); return true, nil })
			if !errors.Is(err, state.ErrOutcomes) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := store.RecordFile(ctx, 7, "d"); !errors.Is(err, state.ErrNoUpdate) {
			t.Errorf("a file of another update: %v", err)
		}
		complete(t, store, nil)
	})
}

const stampFormat = "2006-01-02T15:04:05.000000Z"

// Numbers and times of updates grow where the clock is set back.
func TestClockThatGoesBack(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		store.SetClock(func() time.Time { return clock })
		id := create(t, store, acme, fields("A")).ID
		ended := ""
		for number := int64(1); number <= 3; number++ {
			u := start(t, store)
			if u.Number != number || u.StartedAt.Format(stampFormat) <= ended {
				t.Errorf("%+v after %s", u, ended)
			}
			clock = clock.Add(-48 * time.Hour)
			complete(t, store, nil)
			if r := shows(t, store, id, state.Published, histories.GeogID(id, u.Number)); r.PublishedAt <= u.StartedAt.Format(stampFormat) {
				t.Errorf("published at %s by an update of %s", r.PublishedAt, u.StartedAt)
			} else {
				ended = r.PublishedAt
			}
			edit(t, store, id, fmt.Sprint(u.Number))
		}
	})
}

// Requests of version 2 are in updates as they should: what was published keeps the version that was, and what was processed
// is pending, because version 2 had no updates.
func TestRequestsOfVersion2AreMigrated(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		if err := state.MigrateTo(dsn, 2); err != nil {
			t.Fatal(err)
		}
		db := raw(t, dsn)
		for i, s := range []struct {
			status    state.Status
			versions  int
			published string
		}{
			{state.PublicationPending, 1, ""}, {state.PublicationPending, 3, "2026-01-02T12:00:00.000000Z"}, {state.PublicationProcessing, 1, ""},
			{state.Published, 2, "2026-01-02T12:00:00.000000Z"}, {state.DeprecationPending, 3, "2026-01-02T12:00:00.000000Z"},
			{state.DeprecationProcessing, 3, "2026-01-02T12:00:00.000000Z"}, {state.Deprecated, 3, "2026-01-02T12:00:00.000000Z"},
		} {
			id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
			geog := "NULL, NULL"
			if s.published != "" {
				geog = fmt.Sprintf("'g10_%d', '%s'", i, s.published)
			}
			execute(t, db, fmt.Sprintf(`INSERT INTO geography_request (id, customer, version, name_en, folded_names, type, boundaries, status, created_at, updated_at, geog_id, published_at)
				VALUES ('%[1]s', 'Acme', %[2]d, 'R%[3]d.%[2]d', 'x', 'CITY', 'POLYGON', '%[4]s', '2026-01-01T00:00:00.000000Z', '2026-01-0%[2]dT00:00:00.000000Z', %[5]s)`, id, s.versions, i, s.status, geog))
			for v := 1; v <= s.versions; v++ {
				execute(t, db, fmt.Sprintf(`INSERT INTO geography_request_history (id, version, event, client_id, at, name_en, type, boundaries, status)
					VALUES ('%[1]s', %[2]d, 'PATCH', 'c', '2026-01-0%[2]dT00:00:00.000000Z', 'R%[3]d.%[2]d', 'CITY', 'POLYGON', 'PUBLICATION_PENDING')`, id, v, i))
			}
		}
		if _, err := state.Migrate(dsn); err != nil {
			t.Fatal(err)
		}
		store := open(t, dsn)
		if _, total, err := store.Requests(context.Background(), "Acme", state.RequestList{Page: 1, Size: 1}); total != 7 || err != nil {
			t.Errorf("%d requests: %v", total, err)
		}
		start(t, store)
		requests, _ := histories.Frozen(t, store)
		var got []string
		for _, r := range requests.Requests {
			got = append(got, fmt.Sprintf("%s %s %s", r.Action, r.NameEN, r.GeogID))
		}
		want := []string{"publish R0.1 ", "publish R1.3 g10_1", "publish R2.1 ", "keep R3.2 g10_3", "deprecate R4.3 g10_4",
			"deprecate R5.3 g10_5", "deprecate R6.2 g10_6"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if _, err := store.AbortUpdate(context.Background(), false); err != nil {
			t.Error(err)
		}
		shows(t, store, "00000004-0000-4000-8000-000000000000", state.DeprecationPending, "g10_4")
	})
}
