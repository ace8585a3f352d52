package histories

import (
	"context"
	"slices"

	"quartier/serve/state"
)

// check compares the state with what was answered.
func (w *world) check() {
	ctx := context.Background()
	for _, v := range w.seen {
		if name := w.changes[v.id][v.n]; name != v.name {
			w.Errorf("version %d of %s was read as %q, it is %q", v.n, v.id, v.name, name)
		}
	}
	back := 0
	for _, id := range w.ids {
		r, last := w.read(id), w.published[id]
		if w.takenBack(id) {
			back++
			continue
		}
		if r.Version != int64(len(w.changes[id])) || r.NameEN != w.changes[id][r.Version] ||
			last.Version != r.Version && (r.Status != state.Deprecated || last.Version > r.Version) || r.GeogID != last.GeogID ||
			r.Status != state.Published && r.Status != state.Deprecated {
			w.Errorf("%+v after %d changes, published as %+v", r, len(w.changes[id]), last)
		}
	}
	events, err := w.store.Publications(ctx, 0, 1<<20)
	if err != nil || len(events) != w.events || w.events < len(w.ids)-back {
		w.Errorf("%d publications, want %d: %v", len(events), w.events, err)
	}
	w.checkEvents()
	w.checkHistory()
	w.Logf("world %d: %d requests, %d versions, %d updates complete, %d starts refused", w.seed, len(w.ids), w.versions, w.updates, w.refused)
}

// checkEvents checks that each event of a request is of a state to which one of the table leads from that of the event before, and
// the last one of its state.
func (w *world) checkEvents() {
	events, err := w.store.Events(context.Background(), caller.Customer, 0, 1<<20)
	if err != nil {
		w.Fatal(err)
	}
	last := map[string]state.Status{}
	for i, e := range events {
		if from := last[e.ID]; e.N != int64(i+1) || !leads(from, e.Status) {
			w.Errorf("event %d of the customer has the number %d and leads %s from %q to %s", i+1, e.N, e.ID, from, e.Status)
		}
		last[e.ID] = e.Status
	}
	for _, id := range w.ids {
		if r := w.read(id); r.Status != last[id] {
			w.Errorf("%s is %s, its last event %q", id, r.Status, last[id])
		}
	}
}

func leads(from, to state.Status) bool {
	return slices.ContainsFunc(state.Transitions, func(tr state.Transition) bool { return tr.From == from && tr.To == to && from != to })
}

// checkHistory checks that every version that is kept is in the history, once and with an event that is possible in a state to
// which updates can lead from that of the version before.
func (w *world) checkHistory() {
	rows, err := w.db.Query(`SELECT id, version, event, status, name_en FROM geography_request_history ORDER BY id, version`)
	w.Must(err)
	defer rows.Close()
	var lastID string
	var last state.Status
	next := int64(1)
	for ; rows.Next(); w.versions++ {
		var v version
		var event state.Event
		var status state.Status
		w.Must(rows.Scan(&v.id, &v.n, &event, &status, &v.name))
		if v.id != lastID {
			lastID, last, next = v.id, "", 1
		}
		forgotten := int64(len(w.changes[v.id])) - state.VersionsKept // and those before
		if v.n != next && v.n > max(next, forgotten+1) || w.changes[v.id][v.n] != v.name {
			w.Errorf("%s: version %d %q, want %d %q", v.id, v.n, v.name, next, w.changes[v.id][v.n])
		}
		reached := updated(last)
		if v.n == next && !slices.ContainsFunc(state.Transitions, func(tr state.Transition) bool {
			return tr.On == event && tr.To == status && slices.Contains(reached, tr.From)
		}) {
			w.Errorf("%s: %s leads from %q to %s", v.id, event, last, status)
		}
		last, next = status, v.n+1
	}
	w.Must(rows.Err())
	want := 0
	for _, versions := range w.changes {
		want += min(len(versions), state.VersionsKept)
	}
	if w.versions < want || want < RequestsOfWorld*2 {
		w.Errorf("%d versions, at least %d are kept", w.versions, want)
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
