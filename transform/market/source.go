package market

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

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
	return db.batches(ctx, inParts, "", visit)
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
	changed := fmt.Sprintf(" FROM listing_changed WHERE generation > %d)", since)
	condition := " AND key_hash IN (SELECT key_hash" + changed
	return db.batches(ctx, func(ctx context.Context, db database, table string) ([]string, error) {
		return around(ctx, db, table, condition)
	}, condition+" AND (system, listing_key) IN (SELECT (system, listing_key)"+changed, visit)
}

// around is the part of a table in which the rows are for which a condition holds, which is found by few columns. Those of a
// day are in its files, which are the last ones, so that the others are not read.
func around(ctx context.Context, db database, table, condition string) ([]string, error) {
	var file, lastFile, row, lastRow sql.NullInt64
	err := db.QueryRowContext(ctx, `SELECT min(file_id), max(file_id), min("row"), max("row") FROM `+table+" WHERE counts"+condition).
		Scan(&file, &lastFile, &row, &lastRow)
	switch {
	case err != nil || !file.Valid:
		return nil, err
	case file.Int64 == lastFile.Int64:
		return []string{fmt.Sprintf(` AND file_id = %d AND "row" BETWEEN %d AND %d`, file.Int64, row.Int64, lastRow.Int64)}, nil
	}
	return []string{fmt.Sprintf(" AND file_id BETWEEN %d AND %d", file.Int64, lastFile.Int64)}, nil
}

// listingColumns and changeColumns are what is read of listings and of their changes.
var (
	listingColumns = strings.Join(slices.DeleteFunc(sqlrow.Names[staged.Listing](), func(name string) bool {
		return name == "source_id" || name == "file" || name == "row"
	}), ", ")
	changeColumns = "key_hash, " + sqlrow.List[staged.ListingChange]("")
)

// batches visits the listings for which a condition holds, with their changes.
func (db database) batches(ctx context.Context, parts partition, condition string, visit func(*batch) error) error {
	changes := newHistory()
	if err := query(ctx, db, parts, "change_record", changeColumns, condition, func(b *duck.Batch[staged.ChangeRecord]) error {
		defer b.Release()
		for i := range b.Rows {
			changes.add(&b.Rows[i])
		}
		return nil
	}); err != nil {
		return fmt.Errorf("changes of listings: %w", err)
	}
	if err := changes.sort(ctx); err != nil {
		return err
	}
	next := 0
	if err := query(ctx, db, parts, "listing_record", listingColumns, " AND status <> 11"+condition,
		func(b *duck.Batch[staged.Listing]) error {
			first := next
			next += len(b.Rows)
			return visit(&batch{first: first, listings: b.Rows, changes: changes.of, release: b.Release})
		}); err != nil {
		return fmt.Errorf("listings: %w", err)
	}
	return nil
}

// query reads the records of a table that count, and for which a condition holds, as the views listing and listing_change do.
func query[T any](ctx context.Context, db database, parts partition, table, columns, condition string,
	visit func(*duck.Batch[T]) error) error {
	list, err := parts(ctx, db, table)
	if err != nil {
		return err
	}
	for _, part := range list {
		err := duck.Batches(ctx, db.DB, "SELECT "+columns+" FROM "+table+" WHERE counts AND file_id IN (SELECT file_id FROM listing_file)"+part+
			condition, visit)
		if err != nil {
			return err
		}
	}
	return nil
}

// partition divides the rows of a table by conditions; each part is in memory as a whole.
type partition func(ctx context.Context, db database, table string) ([]string, error)

// partRows is about how many rows a part has.
const partRows = 1 << 18

// inParts divides a table by files, and large files by rows. The table is in this order, so that a part is read without the
// others.
func inParts(ctx context.Context, db database, table string) (parts []string, err error) {
	var from, last int32 // files of the next part
	rows := int64(0)     // of these
	flush := func() {
		if rows > 0 {
			parts = append(parts, fmt.Sprintf(" AND file_id BETWEEN %d AND %d", from, last))
		}
		rows = 0
	}
	var file int32
	var lo, hi, count int64
	err = sqlrow.Scan(ctx, db, `SELECT file_id, min("row"), max("row"), count(*) FROM `+table+" GROUP BY file_id ORDER BY file_id",
		[]any{&file, &lo, &hi, &count}, func() error {
			if count > partRows {
				flush()
				for step := (hi-lo)/(count/partRows+1) + 1; lo <= hi; lo += step {
					parts = append(parts, fmt.Sprintf(` AND file_id = %d AND "row" BETWEEN %d AND %d`, file, lo, min(lo+step-1, hi)))
				}
				return nil
			}
			if rows == 0 {
				from = file
			}
			last = file
			if rows += count; rows > partRows {
				flush()
			}
			return nil
		})
	flush()
	return parts, err
}
