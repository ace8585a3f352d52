package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"quartier/schemas"
)

// ErrOutcomes is returned for outcomes that are not of the update that runs, or not of all its requests.
var ErrOutcomes = errors.New("the outcomes are not those of the general update")

// CompleteUpdate publishes what was built for the update that runs and writes back what became of its requests: first the
// intention is recorded, then publish is called, and then everything is written in one transaction. If it is killed in between,
// it can be called again; publish must allow that. private is the digest of the component private. publish also reports whether
// servers may have the component although it failed.
//
// Of an update that is complete already with these requests it does nothing.
func (s *Store) CompleteUpdate(ctx context.Context, outcomes *schemas.Outcomes, private string,
	publish func() (published bool, err error)) (*Update, error) {
	changes, u, err := s.changesOf(ctx, outcomes)
	if err != nil || u.Status == Complete {
		return u, failure(err)
	}
	if err := s.intend(ctx, u.Number, private); err != nil {
		return nil, failure(err)
	}
	ctx = context.WithoutCancel(ctx) // what is published is written back
	if published, err := publish(); err != nil {
		if !published {
			err = errors.Join(err, s.intend(ctx, u.Number, ""))
		}
		return nil, err
	}
	err = s.step(ctx, func(tx *sql.Tx) error {
		if u, err = runningUpdate(ctx, tx); err != nil {
			return err
		}
		if u.Number != outcomes.Update || u.Private != private {
			return fmt.Errorf("%w: update %d is being completed with another component private, %.12s", ErrUpdateRuns, u.Number, u.Private)
		}
		return s.writeBack(ctx, tx, u, changes)
	})
	return u, failure(err)
}

// intend records which component private is going to be published with an update that runs, "" for none.
func (s *Store) intend(ctx context.Context, number int64, private string) error {
	return s.step(ctx, func(tx *sql.Tx) error {
		u, err := runningUpdate(ctx, tx)
		if err == nil && u.Number != number {
			err = fmt.Errorf("%w: %d ended meanwhile", ErrNoUpdate, number)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE general_update SET publishing = $1 WHERE number = $2`, orNull(private), number)
		return err
	})
}

// change is what an update makes of a request, unless that stays as it is.
type change struct {
	schemas.Outcome
	action string
}

// changesOf compares outcomes with the requests of the update that runs, and returns those that change something. Outcomes of
// the last update, if that is complete, have no changes.
func (s *Store) changesOf(ctx context.Context, outcomes *schemas.Outcomes) ([]change, *Update, error) {
	u, err := runningUpdate(ctx, s.read)
	if u != nil && u.Status == Complete && u.Number == outcomes.Update && u.Requests == outcomes.Requests {
		return nil, u, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if outcomes.Update != u.Number || outcomes.Requests != u.Requests {
		return nil, nil, fmt.Errorf("%w: they are of update %d and requests with SHA-256 %.12s, update %d with %.12s is running",
			ErrOutcomes, outcomes.Update, outcomes.Requests, u.Number, u.Requests)
	}
	rows, err := s.read.QueryContext(ctx, `SELECT r.id, coalesce(u.version, r.published_version), coalesce(u.action, ''), coalesce(r.geog_id, '')
		FROM geography_request r LEFT JOIN general_update_request u ON u.number = $1 AND u.request_id = r.id
		WHERE u.version IS NOT NULL OR r.published_version IS NOT NULL ORDER BY r.id`, u.Number)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	var changes []change
	n := 0
	for ; rows.Next(); n++ {
		c := change{}
		var id, last string
		var version int64
		if err := rows.Scan(&id, &version, &c.action, &last); err != nil {
			return nil, nil, err
		}
		if n >= len(outcomes.Outcomes) {
			continue
		}
		if c.Outcome = outcomes.Outcomes[n]; c.ID != id || c.Version != version || (c.GeogID == "") == (c.Problem == "") {
			return nil, nil, fmt.Errorf("%w: outcome %d is %+v, and the request %s version %d", ErrOutcomes, n+1, c.Outcome, id, version)
		}
		if c.action == "" && c.GeogID == last {
			continue // published, and stays as it is
		}
		if c.action == "" {
			c.action = schemas.KeepRequest
		}
		changes = append(changes, c)
	}
	if n != len(outcomes.Outcomes) {
		return nil, nil, fmt.Errorf("%w: they are %d, and the requests %d", ErrOutcomes, len(outcomes.Outcomes), n)
	}
	return changes, u, rows.Err()
}

// writeBack ends an update with what became of its requests.
func (s *Store) writeBack(ctx context.Context, tx *sql.Tx, u *Update, changes []change) error {
	record, err := tx.PrepareContext(ctx, `INSERT INTO general_update_request (number, request_id, version, action, geog_id, problem, problem_code) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (number, request_id) DO UPDATE SET geog_id = excluded.geog_id, problem = excluded.problem, problem_code = excluded.problem_code`)
	if err != nil {
		return err
	}
	defer record.Close()
	for _, c := range changes {
		if _, err := record.ExecContext(ctx, u.Number, c.ID, c.Version, c.action, orNull(c.GeogID), orNull(c.Problem),
			orNull(c.Code)); err != nil {
			return err
		}
	}
	if err := s.endUpdate(ctx, tx, u, Complete); err != nil {
		return err
	}
	// A request that was edited meanwhile is pending, and keeps for the next update what it is published with.
	_, err = tx.ExecContext(ctx, `UPDATE geography_request SET geog_id = u.geog_id, published_version = u.version,
			published_at = CASE u.action WHEN '`+schemas.DeprecateRequest+`' THEN geography_request.published_at ELSE $1 END
		FROM general_update_request u WHERE u.number = $2 AND u.request_id = geography_request.id AND u.geog_id IS NOT NULL`, stamp(u.EndedAt), u.Number)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE geography_request SET problem = u.problem, problem_code = CASE WHEN u.problem IS NOT NULL THEN coalesce(u.problem_code, '`+schemas.CannotBeBuilt+`') END,
			problem_since = CASE WHEN u.problem IS NOT NULL THEN coalesce(problem_since, $1) END
		FROM general_update_request u WHERE u.number = $2 AND u.request_id = geography_request.id AND u.version = geography_request.version`, stamp(u.EndedAt), u.Number)
	if err != nil {
		return err
	}
	const built = ` AND r.id IN (SELECT request_id FROM general_update_request WHERE number = $1 AND geog_id IS %s NULL)`
	if err := advance(ctx, tx, UpdateCompletes, u.EndedAt, fmt.Sprintf(built, "NOT"), u.Number); err != nil {
		return err
	}
	if err := advance(ctx, tx, BuildFails, u.EndedAt, fmt.Sprintf(built, ""), u.Number); err != nil {
		return err
	}
	if err := forgetEvents(ctx, tx, u.EndedAt); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO publication_event (number, request_id, customer, version, action, geog_id, at)
		SELECT u.number, u.request_id, r.customer, u.version, u.action, u.geog_id, $1
		FROM general_update_request u JOIN geography_request r ON r.id = u.request_id
		WHERE u.number = $2 AND u.geog_id IS NOT NULL ORDER BY u.request_id`, stamp(u.EndedAt), u.Number)
	return err
}
