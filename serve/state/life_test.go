package state_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/drill/histories"
	"quartier/schemas"
	"quartier/serve/state"
)

// model is what a request should be, by the table of transitions alone.
type model struct {
	status  state.Status
	fields  state.Fields
	version int64
	frozen  *model         // what the update that runs builds; nil: not part of what it changes
	shown   *model         // what is published; nil: nothing
	noted   []state.Status // its states in their order
	problem string         // why it could not be built, since it was edited last
	geogID  string         // with which it was published
}

// expect is the state after an event by a search in the table; "" if the event is refused.
func expect(from state.Status, on state.Event, isNew bool) state.Status {
	for _, t := range state.Transitions {
		if t.From == from && t.On == on && (isNew || !t.New) {
			return t.To
		}
	}
	return ""
}

// TestLifeOfRequests applies random calls and general updates to requests of two customers, and compares every request, list
// and requests file with a model in memory.
func TestLifeOfRequests(t *testing.T) {
	onBoth(t, func(t *testing.T, dsn string) {
		store := open(t, dsn)
		run := 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			store.AbortUpdate(context.Background(), true) // of the run before
			l := &life{store: store, known: []map[string]*model{{}, {}}, callers: []state.Caller{
				{Customer: fmt.Sprintf("A%d", run), ClientID: "a"}, {Customer: fmt.Sprintf("B%d", run), ClientID: "b"}}}
			rt.Repeat(map[string]func(*rapid.T){
				"create": func(rt *rapid.T) {
					who := rapid.IntRange(0, 1).Draw(rt, "customer")
					f := fields(rapid.StringMatching(`[A-Zé%_ ]{1,8}`).Draw(rt, "name"))
					r := create(t, store, l.callers[who], f)
					l.known[who][r.ID] = &model{status: expect("", state.Created, true), fields: f, version: 1}
				},
				"edit": func(rt *rapid.T) {
					name := rapid.StringMatching(`[A-Z]{1,3}`).Draw(rt, "name")
					l.change(rt, state.Edited, func(f *state.Fields) { f.NameFR = name })
				},
				"remove":   func(rt *rapid.T) { l.change(rt, state.Removed, nil) },
				"start":    l.start,
				"complete": l.complete,
				"abort":    l.abort,
				"":         l.check,
			})
		})
	})
}

// life is a store and the model of some of its requests.
type life struct {
	store   *state.Store
	callers []state.Caller
	known   []map[string]*model // by customer and id
	running bool
}

func (l *life) all() map[string]*model {
	all := map[string]*model{}
	for _, known := range l.known {
		for id, m := range known {
			all[id] = m
		}
	}
	return all
}

// change applies an event of the API to one of the requests, and checks that the other customer cannot.
func (l *life) change(rt *rapid.T, on state.Event, edit func(*state.Fields)) {
	who := rapid.IntRange(0, 1).Draw(rt, "customer")
	var ids []string
	for id := range l.known[who] {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		rt.Skip("no request yet")
	}
	slices.Sort(ids)
	id, ctx := rapid.SampledFrom(ids).Draw(rt, "request"), context.Background()
	m := l.known[who][id]
	if _, err := l.store.ChangeRequest(ctx, l.callers[1-who], id, on, edit, nil); !errors.Is(err, state.ErrNoRequest) {
		rt.Fatalf("another customer's %s gave %v", on, err)
	}
	to, before := expect(m.status, on, m.shown == nil), m.fields
	_, err := l.store.ChangeRequest(ctx, l.callers[who], id, on, edit, nil)
	if to == "" {
		if !errors.Is(err, state.ErrConflict) {
			rt.Fatalf("%s in %s gave %v", on, m.status, err)
		}
		return
	}
	if err != nil {
		rt.Fatal(err)
	}
	if edit != nil {
		if edit(&m.fields); m.fields == before {
			return // nothing changed
		}
	}
	m.status, m.problem = to, ""
	m.version++
}

func (l *life) start(rt *rapid.T) {
	_, err := l.store.StartUpdate(context.Background(), "a test")
	if l.running {
		if !errors.Is(err, state.ErrUpdateRuns) {
			rt.Fatalf("a second update gave %v", err)
		}
		return
	}
	if err != nil {
		rt.Fatal(err)
	}
	l.running = true
	for _, m := range l.all() {
		m.frozen = nil
		if to := expect(m.status, state.UpdateStarts, false); to != "" {
			m.status = to
			frozen := *m
			m.frozen = &frozen
		}
	}
}

func (l *life) abort(rt *rapid.T) {
	_, err := l.store.AbortUpdate(context.Background(), false)
	if !l.running {
		if !errors.Is(err, state.ErrNoUpdate) {
			rt.Fatalf("aborting nothing gave %v", err)
		}
		return
	}
	if err != nil {
		rt.Fatal(err)
	}
	l.running = false
	for _, m := range l.all() {
		if to := expect(m.status, state.UpdateAborts, false); to != "" {
			m.status = to
		}
	}
}

// complete ends the update with outcomes of which some are problems.
func (l *life) complete(rt *rapid.T) {
	if !l.running {
		rt.Skip("no update runs")
	}
	requests, outcomes := histories.Frozen(rt, l.store)
	all, seen, part := l.all(), 0, 0
	for _, m := range all {
		if m.frozen != nil || m.shown != nil {
			part++
		}
	}
	for i, r := range requests.Requests {
		m := all[r.ID]
		if m == nil {
			continue // of an earlier run
		}
		seen++
		m.sameAsFile(rt, r)
		if rapid.IntRange(0, 4).Draw(rt, "outcome") == 0 {
			outcomes.Outcomes[i].GeogID, outcomes.Outcomes[i].Problem, outcomes.Outcomes[i].Code = "", "no land", "no_land"
		}
		m.apply(outcomes.Outcomes[i])
	}
	for _, m := range all {
		m.frozen = nil
	}
	if seen != part {
		rt.Fatalf("the file has %d requests, the model %d", seen, part)
	}
	if _, err := l.store.CompleteUpdate(context.Background(), outcomes, "digest", func() (bool, error) { return true, nil }); err != nil {
		rt.Fatal(err)
	}
	l.running = false
}

// sameAsFile checks a request in a requests file.
func (m *model) sameAsFile(t rapid.TB, r schemas.Request) {
	want, action := m.shown, schemas.KeepRequest
	switch {
	case m.frozen != nil && m.frozen.status == state.PublicationProcessing:
		want, action = m.frozen, schemas.PublishRequest
	case m.frozen != nil:
		want, action = m.frozen, schemas.DeprecateRequest
	case m.status == state.Deprecated:
		action = schemas.DeprecateRequest
	}
	if want == nil || r.Version != want.version || r.Action != action || r.NameEN != want.fields.NameEN || r.NameFR != want.fields.NameFR ||
		r.GeogID != m.geogID {
		t.Fatalf("the file has %+v, want %s of %+v with %q", r, action, want, m.geogID)
	}
}

// apply is the end of an update with an outcome.
func (m *model) apply(o schemas.Outcome) {
	on := state.UpdateCompletes
	if o.Problem != "" {
		if on = state.BuildFails; m.frozen != nil && m.frozen.version == m.version {
			m.problem = o.Problem
		}
	} else {
		m.geogID, m.problem = o.GeogID, ""
		if m.frozen != nil {
			m.shown = m.frozen
		}
	}
	if to := expect(m.status, on, false); to != "" && m.frozen != nil {
		m.status = to
	}
}

// check compares all requests and the events with the model.
func (l *life) check(rt *rapid.T) {
	for who, caller := range l.callers {
		noted := map[string][]state.Status{}
		events, err := l.store.Events(context.Background(), caller.Customer, 0, 1<<20)
		for i, e := range events {
			if noted[e.ID] = append(noted[e.ID], e.Status); e.N != int64(i+1) {
				rt.Fatalf("event %d has the number %d", i+1, e.N)
			}
		}
		for id, m := range l.known[who] {
			if m.noted = append(m.noted, m.status); len(m.noted) > 1 && m.noted[len(m.noted)-2] == m.status {
				m.noted = m.noted[:len(m.noted)-1]
			}
			if err != nil || !slices.Equal(noted[id], m.noted) {
				rt.Fatalf("the events of %s are %v, want %v: %v", id, noted[id], m.noted, err)
			}
		}
		page, total, err := l.store.Requests(context.Background(), caller.Customer, state.RequestList{Page: 1, Size: 100})
		if err != nil || total != len(l.known[who]) || len(page) != total {
			rt.Fatalf("%d of %d requests, want %d: %v", len(page), total, len(l.known[who]), err)
		}
		for _, r := range page {
			l.known[who][r.ID].check(rt, r)
		}
	}
}

func (m *model) check(t *rapid.T, r state.Request) {
	want := m.geogID
	for _, s := range state.Statuses {
		if s.Status == m.status && !s.Published {
			want = ""
		}
	}
	problem := m.problem
	if m.status != state.PublicationPending && m.status != state.DeprecationPending {
		problem = ""
	}
	if r.Problem.Message != problem || (r.Problem.Since == "") != (problem == "") ||
		r.Earlier.GeogID != "" && (want != "" || r.Earlier.GeogID != m.geogID) || r.GeogID+r.Earlier.GeogID != m.geogID {
		t.Fatalf("got %+v, want the problem %q and %q published", r, problem, m.geogID)
	}
	if r.Status != m.status || r.Version != m.version || r.NameEN != m.fields.NameEN || r.NameFR != m.fields.NameFR || r.GeogID != want ||
		(r.PublishedAt == "") != (want == "") {
		t.Fatalf("got %+v, want %+v with geog_id %q", r, m, want)
	}
}
