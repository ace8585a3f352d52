package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Exclusion is a request that an operator took out of general updates.
type Exclusion struct {
	ID       string
	Customer string
	Version  int64 // that goes into no update; one that is edited is another version
	NameEN   string
	Why      string
	At       time.Time
}

// excluded is fulfilled by requests r in the version that is excluded.
const excluded = `EXISTS (SELECT 1 FROM request_exclusion x WHERE x.request_id = r.id AND x.version = r.version)`

// ExcludeRequest takes a request out of the general update that runs and of those that follow, until it is edited or included
// again. What is published of it stays. It returns the update that it left, whose requests file has to be written again; nil if it
// was in none. It fails with ErrConflict where nothing of the request waits, and with ErrPublishing as AbortUpdate.
func (s *Store) ExcludeRequest(ctx context.Context, id, why string) (left *Update, err error) {
	err = s.step(ctx, func(tx *sql.Tx) error {
		u, err := lastUpdate(ctx, tx)
		if err != nil {
			return err
		}
		version := int64(0)
		if u != nil && u.Status == Running {
			version, err = frozenVersion(ctx, tx, u, id)
		}
		if version > 0 {
			left = u
			err = s.leaveUpdate(ctx, tx, u, id)
		} else if err == nil {
			version, err = s.waitingVersion(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO request_exclusion (request_id, version, why, at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (request_id) DO UPDATE SET version = excluded.version, why = excluded.why, at = excluded.at`, id, version, why, stamp(s.after(time.Time{})))
		return err
	})
	return left, failure(err)
}

// frozenVersion is the version of a request that an update has; 0 if it has none.
func frozenVersion(ctx context.Context, tx *sql.Tx, u *Update, id string) (version int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT version FROM general_update_request WHERE number = $1 AND request_id = $2`, u.Number,
		id).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

// leaveUpdate takes a request out of the update that runs: it waits again, and the file that was written has it still.
func (s *Store) leaveUpdate(ctx context.Context, tx *sql.Tx, u *Update, id string) error {
	if u.Private != "" {
		return fmt.Errorf("%w: its completion with the component private %.12s was interrupted", ErrPublishing, u.Private)
	}
	if err := advance(ctx, tx, BuildFails, s.after(time.Time{}), ` AND r.id = $1`, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM general_update_request WHERE number = $1 AND request_id = $2`, u.Number, id); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE general_update SET requests = NULL WHERE number = $1`, u.Number)
	return err
}

// waitingVersion is the version of a request that waits for an update.
func (s *Store) waitingVersion(ctx context.Context, tx *sql.Tx, id string) (version int64, err error) {
	var status Status
	err = tx.QueryRowContext(ctx, `SELECT version, status FROM geography_request WHERE id = $1`+s.dialect.lockRow, id).Scan(&version, &status)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, ErrNoRequest
	case err == nil && status != PublicationPending && status != DeprecationPending:
		return 0, fmt.Errorf("%w: it is %s, and waits for no update", ErrConflict, status)
	}
	return version, err
}

// IncludeRequest ends an exclusion: the request is part of the next general update that starts. ErrNoRequest if it is not excluded.
func (s *Store) IncludeRequest(ctx context.Context, id string) error {
	return failure(s.step(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM request_exclusion WHERE request_id = $1`, id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return fmt.Errorf("%w: %s is not excluded", ErrNoRequest, id)
	}))
}

// exclusions are the requests that are excluded in the version that they have.
func (s *Store) exclusions(ctx context.Context) (all []Exclusion, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT r.id, r.customer, e.version, r.name_en, e.why, e.at
		FROM request_exclusion e JOIN geography_request r ON r.id = e.request_id AND r.version = e.version ORDER BY r.id`)
	return collect(rows, err, func(e *Exclusion) error {
		return rows.Scan(&e.ID, &e.Customer, &e.Version, &e.NameEN, &e.Why, (*moment)(&e.At))
	})
}
