package state_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/state"
)

var histories = flag.Int("histories", 500, "requests whose life TestConcurrentHistories follows on each store; 170,000 make a million steps")

// In a world of some requests callers and operators act at once.
const (
	requestsOfWorld = 100
	callersOfWorld  = 4
	stepsOfRequest  = 6
)

// TestConcurrentHistories lets callers edit and remove requests while two operators run general updates that are aborted,
// killed, and do not build everything. Afterwards every change that was answered is in the history, every step of it is in the
// table of transitions, and what updates had and published is what it should.
func TestConcurrentHistories(t *testing.T) {
	for name, dsn := range map[string]func(*testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "state.db") },
		"postgres": func(t *testing.T) string { return postgres.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			updates, refused := 0, 0
			for seed := range (*histories + requestsOfWorld - 1) / requestsOfWorld {
				w := &world{t: t, dsn: dsn(t), seed: uint64(seed), changes: map[string]map[int64]string{}, published: map[string]schemas.Outcome{}}
				w.store = open(t, w.dsn)
				w.run()
				w.store.Close()
				if t.Failed() {
					t.Fatalf("world %d", seed)
				}
				updates, refused = updates+w.updates, refused+w.refused
			}
			if updates == 0 || refused == 0 {
				t.Errorf("%d updates, and %d were refused", updates, refused)
			}
		})
	}
}

// world is what callers and operators were answered.
type world struct {
	t     *testing.T
	dsn   string
	seed  uint64
	store *state.Store

	mu      sync.Mutex
	ids     []string
	changes map[string]map[int64]string // the English name by request and version

	running   sync.Mutex                 // of the operator whose update runs, for what follows
	published map[string]schemas.Outcome // the last publication of a request
	built     []schemas.Request          // all that updates had
	events    int                        // that they should have left
	updates   int
	refused   int // starts while another update ran; guarded by mu
}

func (w *world) run() {
	var callers, operators sync.WaitGroup
	done := make(chan struct{})
	for i := range callersOfWorld {
		callers.Go(func() { w.call(rand.New(rand.NewPCG(w.seed, uint64(i)))) })
	}
	for i := range 2 {
		operators.Go(func() { w.operate(rand.New(rand.NewPCG(w.seed, uint64(100+i))), done) })
	}
	callers.Wait()
	w.meet()
	close(done)
	operators.Wait()
	for range 2 { // what was edited while the last update ran, and what is left
		w.update(nil)
	}
	w.check()
}

// call makes requests and changes any of them.
func (w *world) call(random *rand.Rand) {
	ctx := context.Background()
	for i := range requestsOfWorld / callersOfWorld * stepsOfRequest {
		if i%stepsOfRequest == 0 {
			r, err := w.store.CreateRequest(ctx, acme, fields(fmt.Sprint("new ", random.Uint64())), "")
			w.answered(r, err)
			continue
		}
		w.mu.Lock()
		id := w.ids[random.IntN(len(w.ids))]
		w.mu.Unlock()
		event, name := state.Edited, fmt.Sprint("edit ", random.Uint64())
		edit := func(f *state.Fields) { f.NameEN = name }
		if random.IntN(4) == 0 {
			event, edit = state.Removed, nil
		}
		var matches func(*state.Request) bool
		if random.IntN(2) == 0 {
			known, err := w.store.Request(ctx, "Acme", id)
			if err != nil {
				w.t.Error(err)
			}
			matches = func(r *state.Request) bool { return r.Version == known.Version }
		}
		r, err := w.store.ChangeRequest(ctx, acme, id, event, edit, matches)
		if !errors.Is(err, state.ErrConflict) && !errors.Is(err, state.ErrChanged) {
			w.answered(r, err)
		}
	}
}

// answered records a change that was answered: no version is given twice.
func (w *world) answered(r state.Request, err error) {
	if err != nil {
		w.t.Error(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changes[r.ID] == nil {
		w.changes[r.ID] = map[int64]string{}
		w.ids = append(w.ids, r.ID)
	}
	if other, twice := w.changes[r.ID][r.Version]; twice {
		w.t.Errorf("version %d of %s is %q and %q", r.Version, r.ID, other, r.NameEN)
	}
	w.changes[r.ID][r.Version] = r.NameEN
}

func (w *world) operate(random *rand.Rand, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
			w.update(random)
		}
	}
}

// meet waits until an operator was refused because the update of the other one runs.
func (w *world) meet() {
	testenv.Eventually(w.t, "an operator is refused", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.refused > 0 || w.t.Failed()
	})
}

// update runs a general update; with random it may end in any way, without it builds everything.
func (w *world) update(random *rand.Rand) {
	w.mu.Lock()
	before := slices.Clone(w.ids)
	w.mu.Unlock()
	ctx := context.Background()
	if _, err := w.store.StartUpdate(ctx, "an operator"); err != nil {
		if !errors.Is(err, state.ErrUpdateRuns) {
			w.t.Error(err)
		}
		w.mu.Lock()
		w.refused++
		w.mu.Unlock()
		return
	}
	w.running.Lock()
	defer w.running.Unlock()
	if random != nil {
		w.meet()
	}
	requests, outcomes := frozen(w.t, w.store)
	w.checkFile(requests, before)
	chance := func(n int) bool { return random != nil && random.IntN(n) == 0 }
	if chance(4) {
		if _, err := w.store.AbortUpdate(ctx, false); err != nil {
			w.t.Error(err)
		}
		return
	}
	for i := range outcomes.Outcomes {
		if chance(6) {
			outcomes.Outcomes[i].GeogID, outcomes.Outcomes[i].Problem = "", "no land"
		}
	}
	if chance(2) {
		func() {
			defer func() { recover() }()
			w.store.CompleteUpdate(ctx, outcomes, "digest", func() (bool, error) { panic("killed") })
		}()
	}
	w.updates++
	w.built = append(w.built, requests.Requests...)
	for i, o := range outcomes.Outcomes {
		if action := requests.Requests[i].Action; o.Problem == "" && (action == schemas.PublishRequest || w.published[o.ID].Version != o.Version) {
			w.published[o.ID] = o
			w.events++
		}
	}
	if _, err := w.store.CompleteUpdate(ctx, outcomes, "digest", published); err != nil {
		w.t.Error(err)
	}
}

// checkFile checks that a requests file has all requests that were there before its update, and those that it keeps as they are
// published.
func (w *world) checkFile(requests *schemas.Requests, before []string) {
	has := map[string]bool{}
	for _, r := range requests.Requests {
		has[r.ID] = true
		if last := w.published[r.ID]; r.GeogID != last.GeogID || r.Action == schemas.KeepRequest && r.Version != last.Version {
			w.t.Errorf("update %d has %+v, published as %+v", requests.Update, r, last)
		}
	}
	for _, id := range before {
		if !has[id] && !w.takenBack(id) {
			w.t.Errorf("update %d lacks %s", requests.Update, id)
		}
	}
}

// takenBack reports whether a request was removed before it was published.
func (w *world) takenBack(id string) bool {
	r, err := w.store.Request(context.Background(), "Acme", id)
	return err == nil && r.Status == state.Deprecated && r.GeogID == "" && w.published[id].GeogID == ""
}

// check compares the store with what was answered.
func (w *world) check() {
	t := w.t
	for _, r := range w.built {
		if name := w.changes[r.ID][r.Version]; name != r.NameEN {
			t.Errorf("an update had version %d of %s as %q, it is %q", r.Version, r.ID, r.NameEN, name)
		}
	}
	back := 0
	for _, id := range w.ids {
		r, err := w.store.Request(context.Background(), "Acme", id)
		last := w.published[id]
		if w.takenBack(id) {
			back++
			continue
		}
		if err != nil || r.Version != int64(len(w.changes[id])) || r.NameEN != w.changes[id][r.Version] || last.Version != r.Version && (r.Status != state.Deprecated || last.Version > r.Version) || r.GeogID != last.GeogID ||
			r.Status != state.Published && r.Status != state.Deprecated {
			t.Errorf("%+v after %d changes, published as %+v: %v", r, len(w.changes[id]), last, err)
		}
	}
	events, err := w.store.Publications(context.Background(), 0, 1<<20)
	if err != nil || len(events) != w.events || w.events < len(w.ids)-back {
		t.Errorf("%d events, want %d: %v", len(events), w.events, err)
	}
	w.checkHistory()
	t.Logf("world %d: %d requests, %d built, %d updates complete, %d starts refused", w.seed, len(w.ids), len(w.built), w.updates, w.refused)
}

// checkHistory checks that every version is in the history, once and with an event that is possible in a state to which
// updates can lead from that of the version before.
func (w *world) checkHistory() {
	rows, err := raw(w.t, w.dsn).Query(`SELECT id, version, event, status, name_en FROM geography_request_history ORDER BY id, version`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	var lastID string
	var last state.Status
	total, next := 0, int64(1)
	for ; rows.Next(); total++ {
		var id, name string
		var version int64
		var event state.Event
		var status state.Status
		if err := rows.Scan(&id, &version, &event, &status, &name); err != nil {
			w.t.Fatal(err)
		}
		if id != lastID {
			lastID, last, next = id, "", 1
		}
		if version != next || w.changes[id][version] != name {
			w.t.Errorf("%s: version %d %q, want %d %q", id, version, name, next, w.changes[id][version])
		}
		if !slices.ContainsFunc(updated(last), func(from state.Status) bool { return expect(from, event, true) == status }) {
			w.t.Errorf("%s: %s leads from %s to %s", id, event, last, status)
		}
		last, next = status, version+1
	}
	want := 0
	for _, versions := range w.changes {
		want += len(versions)
	}
	if total != want || total < requestsOfWorld*2 {
		w.t.Errorf("%d versions, %d were answered", total, want)
	}
}

// updated are the states to which steps of updates can lead from one.
func updated(from state.Status) []state.Status {
	reached := []state.Status{from}
	for i := 0; i < len(reached); i++ {
		for _, tr := range state.Transitions {
			api := tr.On == state.Created || tr.On == state.Edited || tr.On == state.Removed
			if tr.From == reached[i] && !api && !slices.Contains(reached, tr.To) {
				reached = append(reached, tr.To)
			}
		}
	}
	return reached
}
