package market

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
)

// source is where listings are read from: market.duckdb, or a test's.
type source interface {
	// version names the database and its last intake that changed something.
	version(ctx context.Context) (store string, generation int64, err error)
	// read visits all listings in batches.
	read(ctx context.Context, visit func(*batch) error) error
	// changed has the IDs of the listings that were added, changed or removed after a generation; false if that is not known.
	changed(ctx context.Context, since int64) (ids map[uint64]bool, known bool, err error)
	// readChanged visits those of them that there are.
	readChanged(ctx context.Context, since int64, visit func(*batch) error) error
}

type database struct{ *duck.DB }

func (db database) version(ctx context.Context) (store string, generation int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT store, (SELECT coalesce(max(generation), 0) FROM intake) FROM layout").Scan(&store, &generation)
	return store, generation, err
}

func (db database) read(ctx context.Context, visit func(*batch) error) error {
	return db.batches(ctx, "SELECT * FROM listing", "SELECT * FROM listing_change", visit)
}

func (db database) changed(ctx context.Context, since int64) (map[uint64]bool, bool, error) {
	var whole sql.NullBool
	if err := db.QueryRowContext(ctx, "SELECT bool_or(whole) FROM intake WHERE generation > ?", since).Scan(&whole); err != nil || whole.Bool {
		return nil, false, err
	}
	ids := map[uint64]bool{}
	var system, listing string
	err := sqlrow.Scan(ctx, db, fmt.Sprintf("SELECT DISTINCT system, listing_key FROM listing_changed WHERE generation > %d", since),
		[]any{&system, &listing}, func() error {
			ids[idOf(system, listing)] = true
			return nil
		})
	return ids, true, err
}

func (db database) readChanged(ctx context.Context, since int64, visit func(*batch) error) error {
	where := fmt.Sprintf(" WHERE (system, listing_key) IN (SELECT (system, listing_key) FROM listing_changed WHERE generation > %d)", since)
	return db.batches(ctx, "SELECT * FROM listing"+where, "SELECT * FROM listing_change"+where, visit)
}

// key is a listing of a system.
type key struct{ system, listing string }

// batches visits the listings of a query with their changes.
func (db database) batches(ctx context.Context, query, changeQuery string, visit func(*batch) error) error {
	changes := map[key][]staged.ListingChange{}
	for row, err := range sqlrow.Select[staged.ListingChange](ctx, db, changeQuery) {
		if err != nil {
			return fmt.Errorf("changes of listings: %w", err)
		}
		k := key{row.System, row.Key}
		changes[k] = append(changes[k], *row)
	}
	b, next := new(batch), 0
	for row, err := range sqlrow.Select[staged.Listing](ctx, db, query) {
		if err != nil {
			return fmt.Errorf("listings: %w", err)
		}
		b.listings, b.changes = append(b.listings, *row), append(b.changes, changes[key{row.System, row.Key}])
		if next++; len(b.listings) == batchSize {
			if err := visit(b); err != nil {
				return err
			}
			b = &batch{first: next}
		}
	}
	if len(b.listings) == 0 {
		return nil
	}
	return visit(b)
}
