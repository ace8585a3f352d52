package histories

import (
	"context"
	"database/sql"
	"sync"

	"quartier/serve/state"
)

// Fault is a planted fault of the state of a world: requests in place of the right ones. nil: none.
type Fault func(right Requests, db *sql.DB) Requests

func (f Fault) on(right Requests, db *sql.DB) Requests {
	if f == nil {
		return right
	}
	return f(right, db)
}

// Losing is a state that answers one of 20 changes and does not make it.
func Losing(right Requests, _ *sql.DB) Requests { return &losing{Requests: right} }

type losing struct {
	Requests
	mu sync.Mutex
	n  int
}

func (l *losing) ChangeRequest(ctx context.Context, by state.Caller, id string, event state.Event, edit func(*state.Fields),
	matches func(*state.Request) bool) (state.Request, error) {
	l.mu.Lock()
	l.n++
	lost := l.n%20 == 0 && edit != nil
	l.mu.Unlock()
	if !lost {
		return l.Requests.ChangeRequest(ctx, by, id, event, edit, matches)
	}
	r, err := l.Request(ctx, by.Customer, id)
	edit(&r.Fields)
	r.Version++
	return r, err
}

// Stale is a state of which reads answer the version that was read first.
func Stale(right Requests, _ *sql.DB) Requests { return &stale{Requests: right} }

type stale struct {
	Requests
	kept sync.Map
}

func (s *stale) Request(ctx context.Context, customer, id string) (state.Request, error) {
	r, err := s.Requests.Request(ctx, customer, id)
	first, _ := s.kept.LoadOrStore(id, r)
	return first.(state.Request), err
}

// Leaping is a state in which an edit publishes the request at once.
func Leaping(right Requests, db *sql.DB) Requests { return &leaping{right, db} }

type leaping struct {
	Requests
	db *sql.DB
}

func (l *leaping) ChangeRequest(ctx context.Context, by state.Caller, id string, event state.Event, edit func(*state.Fields),
	matches func(*state.Request) bool) (state.Request, error) {
	r, err := l.Requests.ChangeRequest(ctx, by, id, event, edit, matches)
	if err == nil && event == state.Edited {
		_, err = l.db.ExecContext(ctx, `UPDATE geography_request_history SET status = 'PUBLISHED' WHERE id = $1 AND version = $2`, id, r.Version)
	}
	return r, err
}
