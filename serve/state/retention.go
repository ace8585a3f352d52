package state

import (
	"context"
	"database/sql"
	"time"
)

// What the state keeps, so that no customer fills it: edits and requests that come and go are as fast as its rate.
const (
	VersionsKept  = 8    // of a request, the newest, beside those that general updates had and the one that is published
	WithdrawnKept = 1000 // requests of a customer that were removed before they were published, those that were removed last
)

// forgetVersions deletes old versions of a request from the history.
func forgetVersions(ctx context.Context, tx *sql.Tx, r *Request) error {
	if r.Version <= VersionsKept {
		return nil
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM geography_request_history WHERE id = $1 AND version <= $2
		AND version NOT IN (SELECT version FROM general_update_request WHERE request_id = $1)
		AND version NOT IN (SELECT version FROM request_exclusion WHERE request_id = $1)
		AND version <> (SELECT coalesce(published_version, 0) FROM geography_request WHERE id = $1)`, r.ID, r.Version-VersionsKept)
	return err
}

// forgetWithdrawn deletes requests of a customer that were removed before they were published, but for the last ones and those
// that a general update had.
func forgetWithdrawn(ctx context.Context, tx *sql.Tx, customer string) error {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM (SELECT id FROM geography_request
			WHERE customer = $1 AND status = 'DEPRECATED' AND geog_id = '' ORDER BY updated_at DESC, id LIMIT 1000000 OFFSET $2) AS r
		WHERE NOT EXISTS (SELECT 1 FROM general_update_request u WHERE u.request_id = r.id) LIMIT 100`, customer, WithdrawnKept)
	ids, err := collect(rows, err, func(id *string) error { return rows.Scan(id) })
	if err != nil {
		return err
	}
	for _, id := range ids {
		for _, statement := range []string{
			`DELETE FROM request_event WHERE request_id = $1`,
			`DELETE FROM idempotency_key WHERE request_id = $1`,
			`DELETE FROM request_exclusion WHERE request_id = $1`,
			`DELETE FROM geography_request_history WHERE id = $1`,
			`DELETE FROM geography_request WHERE id = $1`,
		} {
			if _, err := tx.ExecContext(ctx, statement, id); err != nil {
				return err
			}
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE request_count SET n = n - $1 WHERE customer = $2`, len(ids), customer)
	return err
}

// forgetEvents deletes the events that are not shown any more, but for the last one of each customer, from which the next one
// has its number.
func forgetEvents(ctx context.Context, tx *sql.Tx, now time.Time) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM request_event WHERE at <= $1
		AND n < (SELECT max(e.n) FROM request_event e WHERE e.customer = request_event.customer)`, stamp(now.Add(-EventsFor)))
	return err
}
