package state

import (
	"context"
	"database/sql"
	"time"
)

// MigrateTo brings the state at dsn to an earlier version.
func MigrateTo(dsn string, version int) error {
	s, err := connect(dsn)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.migrate(version)
}

// SetClock replaces the clock.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// Advance applies a step of the general update to a request.
func (s *Store) Advance(id string, on Event, geogID string) error {
	return s.transact(context.Background(), func(tx *sql.Tx) error {
		var from Status
		if err := tx.QueryRow(`SELECT status FROM geography_request WHERE id = $1`, id).Scan(&from); err != nil {
			return err
		}
		to, err := next(from, on)
		if err != nil {
			return err
		}
		if to == Published {
			_, err = tx.Exec(`UPDATE geography_request SET geog_id = $1, published_at = $2, status = $3 WHERE id = $4`, geogID, s.timestamp(), to, id)
			return err
		}
		_, err = tx.Exec(`UPDATE geography_request SET status = $1 WHERE id = $2`, to, id)
		return err
	})
}
