package build

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"syscall"

	"github.com/mattn/go-sqlite3"
	"github.com/paulmach/orb"

	"quartier/build/released"
)

// collect runs a query and reads every row with scan.
func collect[T any](db *sql.DB, text string, scan func(*sql.Rows, *T) error) ([]T, error) {
	rows, err := db.Query(text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var item T
		if err := scan(rows, &item); err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}

// readHistory reads what geographies.sqlite says of its own ids and those before.
func readHistory(db *sql.DB, digest string) (history, error) {
	h := history{Digest: digest}
	var err error
	h.Current, err = collect(db, `SELECT geog_id, source_key, id_key, boundary_version, level, area_m2,
		west, south, east, north, geometry FROM geography ORDER BY geog_id`,
		func(rows *sql.Rows, o *outline) error {
			var blob []byte
			if err := rows.Scan(&o.ID, &o.Key, &o.IDKey, &o.Version, &o.Level, &o.AreaM2,
				&o.Bound.Min[0], &o.Bound.Min[1], &o.Bound.Max[0], &o.Bound.Max[1], &blob); err != nil {
				return err
			}
			o.Geometry = sha256.Sum256(blob)
			return nil
		})
	if err != nil {
		return h, fmt.Errorf("read geographies: %w", err)
	}
	h.Superseded, err = collect(db, `SELECT geog_id, source_key, id_key, boundary_version, level,
		coalesce(replaced_by, ''), superseded_in FROM geography_superseded ORDER BY geog_id`,
		func(rows *sql.Rows, t *tombstone) error {
			return rows.Scan(&t.ID, &t.Key, &t.IDKey, &t.Version, &t.Level, &t.ReplacedBy, &t.In)
		})
	if err != nil {
		return h, fmt.Errorf("read superseded geographies: %w", err)
	}
	h.Bridges, err = collect(db, `SELECT release, old_geog_id, new_geog_id, kind, share FROM geog_bridge
		ORDER BY release, old_geog_id, new_geog_id`,
		func(rows *sql.Rows, b *bridge) error {
			return rows.Scan(&b.Release, &b.Old, &b.New, &b.Kind, &b.Share)
		})
	if err != nil {
		return h, fmt.Errorf("read bridge of geographies: %w", err)
	}
	return h, nil
}

// readOutline reads the outline of a geography, current or superseded.
func readOutline(db *sql.DB, id string) (orb.MultiPolygon, error) {
	var blob []byte
	const text = `SELECT geometry FROM geography WHERE geog_id = ?1
		UNION ALL SELECT geometry FROM geography_superseded WHERE geog_id = ?1`
	if err := db.QueryRow(text, id).Scan(&blob); err != nil {
		return nil, fmt.Errorf("read outline of %s: %w", id, err)
	}
	m, err := released.ReadMultiPolygon(blob)
	if err != nil {
		return nil, fmt.Errorf("outline of %s: %w", id, err)
	}
	if err := checkOutline(m); err != nil {
		return nil, fmt.Errorf("outline of %s: %w", id, err)
	}
	return m, nil
}

// explain gives SQLite's error for a full disk the identity that callers look for, syscall.ENOSPC.
func explain(err error) error {
	if full, ok := errors.AsType[sqlite3.Error](err); ok && full.Code == sqlite3.ErrFull && !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	return err
}
