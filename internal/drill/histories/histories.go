// Package histories lets callers and operators change custom geographies at once, and compares what a state says of them with the
// table of transitions and with what it answered.
package histories

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"quartier/internal/drill"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/state"
)

// In a world of some requests callers and operators act at once.
const (
	RequestsOfWorld = 100
	callersOfWorld  = 4
	stepsOfRequest  = 6
)

var caller = state.Caller{Customer: "Acme", ClientID: "qc_acme"}

// Done is what was done in worlds.
type Done struct{ Worlds, Versions, Updates, Refused int }

// Requests are the requests for custom geographies of a state.
type Requests interface {
	CreateRequest(ctx context.Context, by state.Caller, fields state.Fields, key string) (state.Request, error)
	ChangeRequest(ctx context.Context, by state.Caller, id string, event state.Event, edit func(*state.Fields),
		matches func(*state.Request) bool) (state.Request, error)
	Request(ctx context.Context, customer, id string) (state.Request, error)
}

// Run runs worlds on the database of a DSN, which it empties after each. Callers edit and remove requests while two operators run
// general updates that are aborted, killed, and do not build everything. Afterwards every change that was answered is in the
// history, every step of it is in the table of transitions, no read is older than what was answered before it, and what updates had
// and published is what it should.
func Run(r *drill.Run, dsn string, fault Fault) (done Done) {
	for ; done.Worlds == 0 || r.More(done.Worlds); done.Worlds++ {
		w := &world{Run: r, seed: r.Random.Uint64(), changes: map[string]map[int64]string{}, published: map[string]schemas.Outcome{}}
		var err error
		w.store, err = state.Open(dsn)
		r.Must(err)
		w.db, err = opened(dsn)
		r.Must(err)
		w.requests = fault.on(w.store, w.db)
		w.run()
		r.Must(errors.Join(w.store.Close(), emptied(w.db, dsn)))
		if r.Failed() {
			r.Fatalf("world %d", done.Worlds)
		}
		done.Versions, done.Updates, done.Refused = done.Versions+w.versions, done.Updates+w.updates, done.Refused+w.refused
	}
	if done.Updates == 0 || done.Refused == 0 {
		r.Errorf("%d updates, and %d were refused", done.Updates, done.Refused)
	}
	return done
}

func opened(dsn string) (*sql.DB, error) {
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		return sql.Open("sqlite3", path)
	}
	return sql.Open("pgx", dsn)
}

// emptied closes a database and removes what is in it.
func emptied(db *sql.DB, dsn string) error {
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		return errors.Join(db.Close(), os.Remove(path))
	}
	_, err := db.Exec(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	return errors.Join(err, db.Close())
}

// world is what callers and operators were answered.
type world struct {
	*drill.Run
	seed     uint64
	store    *state.Store
	requests Requests // of the store, with a planted fault
	db       *sql.DB

	mu      sync.Mutex
	ids     []string
	changes map[string]map[int64]string // the English name by request and version
	seen    []version                   // what was read, and what updates had

	running   sync.Mutex                 // of the operator whose update runs, for what follows
	published map[string]schemas.Outcome // the last publication of a request
	events    int                        // that they should have left
	updates   int
	refused   int // starts while another update ran; guarded by mu
	versions  int
}

// version is a version of a request with its English name.
type version struct {
	id   string
	n    int64
	name string
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
	for i := range RequestsOfWorld / callersOfWorld * stepsOfRequest {
		if i%stepsOfRequest == 0 {
			fields := state.Fields{NameEN: fmt.Sprint("new ", random.Uint64()), Type: "COMMUNITY", Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))"}
			r, err := w.requests.CreateRequest(ctx, caller, fields, "")
			w.answered(r, err)
			continue
		}
		w.mu.Lock()
		id := drill.Pick(random, w.ids)
		w.mu.Unlock()
		event, name := state.Edited, fmt.Sprint("edit ", random.Uint64())
		edit := func(f *state.Fields) { f.NameEN = name }
		if random.IntN(4) == 0 {
			event, edit = state.Removed, nil
		}
		var matches func(*state.Request) bool
		if random.IntN(2) == 0 {
			known := w.read(id)
			matches = func(r *state.Request) bool { return r.Version == known.Version }
		}
		r, err := w.requests.ChangeRequest(ctx, caller, id, event, edit, matches)
		if !errors.Is(err, state.ErrConflict) && !errors.Is(err, state.ErrChanged) {
			w.answered(r, err)
		}
	}
}

// read reads a request: it is not older than what was answered before.
func (w *world) read(id string) state.Request {
	w.mu.Lock()
	least := int64(0)
	for n := range w.changes[id] {
		least = max(least, n)
	}
	w.mu.Unlock()
	r, err := w.requests.Request(context.Background(), caller.Customer, id)
	if err != nil || r.Version < least {
		w.Errorf("%s is read as version %d, after version %d was answered: %v", id, r.Version, least, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, version{id, r.Version, r.NameEN})
	return r
}

// answered records a change that was answered: no version is given twice.
func (w *world) answered(r state.Request, err error) {
	if err != nil {
		w.Error(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changes[r.ID] == nil {
		w.changes[r.ID] = map[int64]string{}
		w.ids = append(w.ids, r.ID)
	}
	if other, twice := w.changes[r.ID][r.Version]; twice {
		w.Errorf("version %d of %s was answered as %q and as %q", r.Version, r.ID, other, r.NameEN)
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
	testenv.Eventually(w, "an operator is refused", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.refused > 0 || w.Failed()
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
			w.Error(err)
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
	requests, outcomes := Frozen(w, w.store)
	w.checkFile(requests, before)
	chance := func(n int) bool { return random != nil && random.IntN(n) == 0 }
	if chance(4) {
		if _, err := w.store.AbortUpdate(ctx, false); err != nil {
			w.Error(err)
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
	for i, o := range outcomes.Outcomes {
		if action := requests.Requests[i].Action; o.Problem == "" &&
			(action == schemas.PublishRequest || w.published[o.ID].Version != o.Version) {
			w.published[o.ID] = o
			w.events++
		}
	}
	if _, err := w.store.CompleteUpdate(ctx, outcomes, "digest", func() (bool, error) { return true, nil }); err != nil {
		w.Error(err)
	}
}

// checkFile checks that a requests file has all requests that were there before its update, and those that it keeps as they are
// published.
func (w *world) checkFile(requests *schemas.Requests, before []string) {
	has := map[string]bool{}
	for _, r := range requests.Requests {
		has[r.ID] = true
		if last := w.published[r.ID]; r.GeogID != last.GeogID || r.Action == schemas.KeepRequest && r.Version != last.Version {
			w.Errorf("update %d has %+v, published as %+v", requests.Update, r, last)
		}
		w.mu.Lock()
		w.seen = append(w.seen, version{r.ID, r.Version, r.NameEN})
		w.mu.Unlock()
	}
	for _, id := range before {
		if !has[id] && !w.takenBack(id) {
			w.Errorf("update %d lacks %s", requests.Update, id)
		}
	}
}

// takenBack reports whether a request was removed before it was published.
func (w *world) takenBack(id string) bool {
	r, err := w.store.Request(context.Background(), caller.Customer, id)
	return err == nil && r.Status == state.Deprecated && r.GeogID == "" && w.published[id].GeogID == ""
}
