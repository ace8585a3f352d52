package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// EventsFor is how long changes of state are shown.
const EventsFor = 90 * 24 * time.Hour

// StateChange is a change of the state of a request.
type StateChange struct {
	N      int64 // of the customer's changes, from 1: the order in which they were made
	ID     string
	Status Status // after the change
	GeogID string // with which the request is published then; "": it is not
	At     string // RFC 3339, UTC
}

// Events are the changes of a customer's requests in the last EventsFor after number n, in their order, at most limit.
func (s *Store) Events(ctx context.Context, customer string, n int64, limit int) (all []StateChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	rows, err := s.rows(ctx, `SELECT n, request_id, status, coalesce(geog_id, ''), at FROM request_event
		WHERE customer = $1 AND n > $2 AND at > $3 ORDER BY n LIMIT $4`, customer, n, stamp(s.now().UTC().Add(-EventsFor)), limit)
	all, err = collect(rows, err, func(c *StateChange) error { return rows.Scan(&c.N, &c.ID, &c.Status, &c.GeogID, &c.At) })
	return all, failure(err)
}

// holdEvents makes transactions that change requests of a customer wait for each other, so that events are committed in the order
// of their numbers; "": of all customers. Nothing else is locked before it but keys.
func (s *Store) holdEvents(ctx context.Context, tx *sql.Tx, customer string) error {
	if s.dialect.lockRow == "" {
		return nil
	}
	if customer == "" {
		_, err := tx.ExecContext(ctx, `LOCK TABLE request_count IN EXCLUSIVE MODE`) // also where a first request is being added
		return err
	}
	var n int
	err := tx.QueryRowContext(ctx, `SELECT n FROM request_count WHERE customer = $1`+s.dialect.lockRow, customer).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it has no request yet
	}
	return err
}

// recordChanges adds an event for each request in a state, that fulfils a condition, before it gets another one.
func recordChanges(ctx context.Context, tx *sql.Tx, from, to Status, at time.Time, condition string, args ...any) error {
	geogID := `NULL`
	if to.shows() {
		geogID = `nullif(r.geog_id, '')`
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO request_event (customer, n, request_id, status, geog_id, at)
		SELECT r.customer, coalesce((SELECT max(e.n) FROM request_event e WHERE e.customer = r.customer), 0) + row_number() OVER (PARTITION BY r.customer ORDER BY r.id),
			r.id, '%s', %s, '%s' FROM geography_request r WHERE r.status = '%s'%s`, to, geogID, stamp(at), from, condition), args...)
	return err
}
