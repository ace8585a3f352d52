package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"quartier/schemas"
)

// What a step of a general update can refuse.
var (
	ErrUpdateRuns = errors.New("a general update is running")
	ErrNoUpdate   = errors.New("no general update is running")
	ErrPublishing = errors.New("the general update may be published already")
)

// The states of a general update.
const (
	Running  = "running"
	Complete = "complete"
	Aborted  = "aborted"
)

// Update is a general update: the requests that were pending when it started are built and published together.
type Update struct {
	Number    int64  // from 1, one more with every update
	Status    string // Running, Complete or Aborted
	Holder    string // who started it
	StartedAt time.Time
	EndedAt   time.Time // zero while it runs
	Requests  string    // SHA-256 of its requests file; "" until that is written
	Private   string    // digest of the component private that is or may be published; "": none
}

// updateKey is what steps of general updates lock, so that one is taken at a time.
const updateKey = "general update"

const updateColumns = `number, status, holder, started_at, ended_at, coalesce(requests, ''), coalesce(publishing, '')`

// lastUpdate is the last general update; nil if there was none.
func lastUpdate(ctx context.Context, db queryer) (*Update, error) {
	var u Update
	err := db.QueryRowContext(ctx, `SELECT `+updateColumns+` FROM general_update ORDER BY number DESC LIMIT 1`).
		Scan(&u.Number, &u.Status, &u.Holder, (*moment)(&u.StartedAt), (*moment)(&u.EndedAt), &u.Requests, &u.Private)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &u, err
}

// runningUpdate is the general update that runs; ErrNoUpdate if none does.
func runningUpdate(ctx context.Context, db queryer) (*Update, error) {
	u, err := lastUpdate(ctx, db)
	switch {
	case err != nil:
		return nil, err
	case u == nil:
		return nil, fmt.Errorf("%w: there was none yet", ErrNoUpdate)
	case u.Status != Running:
		return u, fmt.Errorf("%w: the last one, %d, is %s", ErrNoUpdate, u.Number, u.Status)
	}
	return u, nil
}

// step runs do in a transaction that no other step of a general update overlaps.
func (s *Store) step(ctx context.Context, do func(*sql.Tx) error) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		if err := s.lock(ctx, tx, updateKey); err != nil {
			return err
		}
		if err := s.holdEvents(ctx, tx, ""); err != nil {
			return err
		}
		return do(tx)
	})
}

// StartUpdate starts a general update, and freezes what is pending for it and not excluded. ErrUpdateRuns names the holder of one that
// runs.
// Edits from now on wait for the next update.
func (s *Store) StartUpdate(ctx context.Context, holder string) (u *Update, err error) {
	err = s.step(ctx, func(tx *sql.Tx) error {
		last, err := lastUpdate(ctx, tx)
		if err != nil {
			return err
		}
		u = &Update{Number: 1, Status: Running, Holder: holder, StartedAt: s.after(time.Time{})}
		if last != nil {
			if last.Status == Running {
				return fmt.Errorf("%w: update %d, started by %s at %s", ErrUpdateRuns, last.Number, last.Holder, stamp(last.StartedAt))
			}
			u.Number, u.StartedAt = last.Number+1, s.after(last.EndedAt)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO general_update (number, status, holder, started_at) VALUES ($1, $2, $3, $4)`, u.Number,
			u.Status, u.Holder, stamp(u.StartedAt))
		if err != nil {
			return err
		}
		// The states first: an edit of a request that another transaction makes waits for this one then.
		if err := advance(ctx, tx, UpdateStarts, u.StartedAt, " AND NOT "+excluded); err != nil {
			return err
		}
		for status, action := range map[Status]string{PublicationProcessing: schemas.PublishRequest,
			DeprecationProcessing: schemas.DeprecateRequest} {
			_, err := tx.ExecContext(ctx, `INSERT INTO general_update_request (number, request_id, version, action)
				SELECT $1, id, version, '`+action+`' FROM geography_request WHERE status = '`+string(status)+`'`, u.Number)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return u, failure(err)
}

// advance applies a step of the general update at a time to the requests r that are in a state for it and fulfil a condition, ""
// for all.
func advance(ctx context.Context, tx *sql.Tx, on Event, at time.Time, condition string, args ...any) error {
	for _, t := range Transitions {
		if t.On != on {
			continue
		}
		if err := recordChanges(ctx, tx, t.From, t.To, at, condition, args...); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`UPDATE geography_request AS r SET status = '%s' WHERE r.status = '%s'%s`, t.To, t.From,
			condition), args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// FrozenRequests is the content of the requests file of the update that runs: what it changes, what is published and stays as
// it is, and what was deprecated before. It is the same as long as the update runs.
func (s *Store) FrozenRequests(ctx context.Context) (*schemas.Requests, error) {
	u, err := runningUpdate(ctx, s.read)
	if err != nil {
		return nil, failure(err)
	}
	out := &schemas.Requests{Schema: schemas.RequestsSchema, Update: u.Number, AsOf: u.StartedAt.Format(time.DateOnly)}
	rows, err := s.read.QueryContext(ctx, `SELECT r.id, r.customer, h.version,
			coalesce(u.action, CASE r.status WHEN '`+string(Deprecated)+`' THEN '`+schemas.DeprecateRequest+`' ELSE '`+schemas.KeepRequest+`' END),
			h.name_en, coalesce(h.name_fr, ''), h.type, h.boundaries, coalesce(r.geog_id, '')
		FROM geography_request r
		LEFT JOIN general_update_request u ON u.number = $1 AND u.request_id = r.id
		JOIN geography_request_history h ON h.id = r.id AND h.version = coalesce(u.version, r.published_version)
		ORDER BY r.id`, u.Number)
	if err != nil {
		return nil, failure(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r schemas.Request
		if err := rows.Scan(&r.ID, &r.Customer, &r.Version, &r.Action, &r.NameEN, &r.NameFR, &r.Type, &r.Boundaries, &r.GeogID); err != nil {
			return nil, failure(err)
		}
		out.Requests = append(out.Requests, r)
	}
	return out, failure(rows.Err())
}

// RecordFile records the SHA-256 of the requests file of the update that runs.
func (s *Store) RecordFile(ctx context.Context, number int64, digest string) error {
	return failure(s.step(ctx, func(tx *sql.Tx) error {
		u, err := runningUpdate(ctx, tx)
		if err != nil {
			return err
		}
		if u.Number != number {
			return fmt.Errorf("%w: %d ended, and %d is running now", ErrNoUpdate, number, u.Number)
		}
		_, err = tx.ExecContext(ctx, `UPDATE general_update SET requests = $1 WHERE number = $2`, digest, number)
		return err
	}))
}

// AbortUpdate ends the update that runs, and makes its requests pending again. Where a completion was interrupted it fails with
// ErrPublishing, unless the caller knows that nothing was published.
func (s *Store) AbortUpdate(ctx context.Context, unpublished bool) (u *Update, err error) {
	err = s.step(ctx, func(tx *sql.Tx) error {
		if u, err = runningUpdate(ctx, tx); err != nil {
			return err
		}
		if u.Private != "" && !unpublished {
			return fmt.Errorf("%w: its completion with the component private %.12s was interrupted", ErrPublishing, u.Private)
		}
		if err := s.endUpdate(ctx, tx, u, Aborted); err != nil {
			return err
		}
		return advance(ctx, tx, UpdateAborts, u.EndedAt, "")
	})
	return u, failure(err)
}

// endUpdate ends an update.
func (s *Store) endUpdate(ctx context.Context, tx *sql.Tx, u *Update, status string) error {
	u.Status, u.EndedAt = status, s.after(u.StartedAt)
	_, err := tx.ExecContext(ctx, `UPDATE general_update SET status = $1, ended_at = $2 WHERE number = $3`, u.Status,
		stamp(u.EndedAt), u.Number)
	return err
}
