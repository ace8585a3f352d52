package market

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the plain driver: there is no geometry

	"quartier/build/released"
	pack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/internal/sqlrow"
	"quartier/schemas/bundle"
	"quartier/schemas/market"
)

// Rows of market_cell: those of an interval are consecutive, by geography, then type of property.
const (
	typeRows     = 16
	intervalRows = typeRows << 24
)

// firstRow is interval.first_row of interval n, which for a closed one is the same on every day: months and quarters are in
// the order of time, those that move with the day come last.
func firstRow(n int, i market.Interval) int64 {
	year, month, _ := i.First.Date()
	number := int64(2 * (12*year + int(month)))
	switch {
	case !i.Closed:
		number = 1<<16 + int64(n)
	case strings.Contains(i.Code, "Q"):
		number++
	}
	return number * intervalRows
}

// pageSize is that of market.sqlite in bytes.
const pageSize = 8192

// createDatabase makes the SQLite file of a volume without the rows of market_cell, and returns the root page of that table. It
// fails where there is a file.
func (c *component) createDatabase(ctx context.Context, path string, v *volume) (root uint32, err error) {
	empty, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, err
	}
	db, err := sql.Open("sqlite3", path)
	if err = errors.Join(err, empty.Close()); err != nil {
		return 0, err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, statement := range []string{
		fmt.Sprintf("PRAGMA page_size = %d", pageSize), "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
		v.tables(), bundle.MarketRows, bundle.MarketCellDDL(),
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return 0, fmt.Errorf("create %s: %w", path, err)
		}
	}
	tx, err := db.Begin()
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if v.year == 0 {
		err = c.insertComponent(ctx, tx)
	}
	if err = cmp.Or(err, c.insertNames(tx, v)); err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	return rootOf(ctx, db)
}

// tables is the DDL of what only the intervals that move have beside them.
func (v *volume) tables() string {
	if v.year > 0 {
		return ""
	}
	return bundle.Provenance + bundle.Market
}

// rootOf is the root page of market_cell.
func rootOf(ctx context.Context, db *sql.DB) (root uint32, err error) {
	err = db.QueryRowContext(ctx, "SELECT rootpage FROM sqlite_schema WHERE name = 'market_cell'").Scan(&root)
	return root, err
}

// insertComponent inserts what is known of the component.
func (c *component) insertComponent(ctx context.Context, tx *sql.Tx) error {
	err := sqlrow.Insert(ctx, tx, "release", c.provenance.Release)
	if err == nil {
		err = sqlrow.Insert(ctx, tx, "source", c.provenance.Sources...)
	}
	if err == nil {
		err = sqlrow.Insert(ctx, tx, "issue", c.provenance.Issues...)
	}
	exec := func(statement string, args ...any) {
		if err == nil {
			_, err = tx.Exec(statement, args...)
		}
	}
	exec("INSERT INTO component VALUES (?, ?, ?)", c.places, c.Day.String(), c.summary.Listings)
	for _, state := range c.summary.States {
		exec("INSERT INTO state VALUES (?)", state)
	}
	return err
}

// insertNames inserts what the rows of a volume are about.
func (c *component) insertNames(tx *sql.Tx, v *volume) (err error) {
	exec := func(statement string, args ...any) {
		if err == nil {
			_, err = tx.Exec(statement, args...)
		}
	}
	for position, n := range v.intervals {
		i := c.intervals[n]
		exec("INSERT INTO interval VALUES (?, ?, ?, ?, ?)", position, i.Code, i.First.String(), i.Last.String(), firstRow(n, i))
	}
	for n, name := range market.TypeNames() {
		exec("INSERT INTO property_type VALUES (?, ?)", n, name)
	}
	for i, zone := range c.zones {
		exec("INSERT INTO geography VALUES (?, ?, ?)", i, c.table.ID(i), sql.NullString{String: zone, Valid: zone != ""})
	}
	return err
}

// setRecord sets a record to a row of market_cell.
func setRecord(r *sqlitepages.Record, values *market.Values) {
	r.Reset()
	r.Null() // the number of the row
	for m, v := range values {
		switch m := market.Metric(m); {
		case v == market.Absent:
			r.Null()
		case m == market.Assessment:
			r.Text(pack.Assessments[v])
		case m.Decimals() > 0:
			r.Float(float64(v) / math.Pow10(m.Decimals()))
		default:
			r.Int(v)
		}
	}
}

// read is what market.sqlite has beside its rows.
type read struct {
	day        market.Day
	states     []string
	ids, zones []string // of the geographies
}

func readHeader(ctx context.Context, db *sql.DB) (r read, err error) {
	days, err := released.Values[string](ctx, db, "SELECT as_of FROM component")
	if err == nil && len(days) != 1 {
		err = fmt.Errorf("%d rows in component, want 1", len(days))
	}
	if err == nil {
		r.day, err = market.ParseDay(days[0])
	}
	if err == nil {
		r.states, err = released.Values[string](ctx, db, "SELECT code FROM state ORDER BY code")
	}
	return r, err
}

// readGeographies reads the geographies of a file.
func (r *read) readGeographies(ctx context.Context, db *sql.DB) (err error) {
	r.zones, err = released.Values[string](ctx, db, "SELECT coalesce(time_zone, '') FROM geography ORDER BY position")
	if err == nil {
		r.ids, err = released.Values[string](ctx, db, "SELECT geog_id FROM geography ORDER BY position")
	}
	var last sql.NullInt64
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT max(position) - count(*) + 1 FROM geography").Scan(&last)
	}
	if err == nil && last.Int64 != 0 {
		err = errors.New("positions of geographies are not 0, 1, 2 …")
	}
	return err
}

// checkNames checks what a row of market_cell of a volume is about.
func checkNames(ctx context.Context, db *sql.DB, v *volume, intervals []market.Interval) error {
	var want []string
	for position, n := range v.intervals {
		i := intervals[n]
		want = append(want, fmt.Sprintf("%d %s %s %s %d", position, i.Code, i.First, i.Last, firstRow(n, i)))
	}
	for n, name := range market.TypeNames() {
		want = append(want, fmt.Sprintf("%d %s", n, name))
	}
	got, err := released.Values[string](ctx, db,
		`SELECT concat_ws(' ', position, code, first_day, last_day, first_row) FROM interval ORDER BY position`)
	if err != nil {
		return err
	}
	types, err := released.Values[string](ctx, db, "SELECT concat_ws(' ', position, type) FROM property_type ORDER BY position")
	if err != nil {
		return err
	}
	if got = append(got, types...); slices.Equal(got, want) {
		return nil
	}
	for n, text := range got {
		if n >= len(want) || want[n] != text {
			return fmt.Errorf("interval or type of property %q is none of the file", text)
		}
	}
	return errors.New("an interval or type of property is missing")
}
