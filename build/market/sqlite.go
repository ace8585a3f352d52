package market

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the plain driver: there is no geometry

	"quartier/build/released"
	pack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/internal/sqlrow"
	"quartier/schemas"
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

// createDatabase makes market.sqlite without the rows of market_cell, and returns the root page of that table.
func (c *component) createDatabase(ctx context.Context, path string) (root uint32, err error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return 0, err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, statement := range []string{
		fmt.Sprintf("PRAGMA page_size = %d", pageSize), "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
		schemas.BundleProvenance, schemas.BundleMarket, schemas.MarketCellDDL(),
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
	if err := c.insertTables(ctx, tx); err != nil {
		return 0, fmt.Errorf("write %s: %w", path, err)
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	return rootOf(ctx, db)
}

// rootOf is the root page of market_cell.
func rootOf(ctx context.Context, db *sql.DB) (root uint32, err error) {
	err = db.QueryRowContext(ctx, "SELECT rootpage FROM sqlite_schema WHERE name = 'market_cell'").Scan(&root)
	return root, err
}

// insertTables inserts the rows of all tables but market_cell.
func (c *component) insertTables(ctx context.Context, tx *sql.Tx) error {
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
	for n, i := range c.intervals {
		exec("INSERT INTO interval VALUES (?, ?, ?, ?, ?)", n, i.Code, i.First.String(), i.Last.String(), firstRow(n, i))
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
	if err == nil {
		r.zones, err = released.Values[string](ctx, db, "SELECT coalesce(time_zone, '') FROM geography ORDER BY position")
	}
	if err == nil {
		r.ids, err = released.Values[string](ctx, db, "SELECT geog_id FROM geography ORDER BY position")
	}
	if err != nil {
		return r, err
	}
	return r, checkNames(ctx, db, r.day)
}

// checkNames checks what a row of market_cell is about.
func checkNames(ctx context.Context, db *sql.DB, day market.Day) error {
	var want []string
	for n, i := range market.Intervals(day) {
		want = append(want, fmt.Sprintf("%d %s %s %s %d", n, i.Code, i.First, i.Last, firstRow(n, i)))
	}
	for n, name := range market.TypeNames() {
		want = append(want, fmt.Sprintf("%d %s", n, name))
	}
	got, err := released.Values[string](ctx, db, `SELECT concat_ws(' ', position, code, first_day, last_day, first_row) FROM interval ORDER BY position`)
	if err != nil {
		return err
	}
	types, err := released.Values[string](ctx, db, "SELECT concat_ws(' ', position, type) FROM property_type ORDER BY position")
	if err != nil {
		return err
	}
	for n, text := range slices.Concat(got, types) {
		if n >= len(want) || want[n] != text {
			return fmt.Errorf("interval or type of property %q is none of %s", text, day)
		}
	}
	var last sql.NullInt64
	if err := db.QueryRowContext(ctx, "SELECT max(position) - count(*) + 1 FROM geography").Scan(&last); err == nil && last.Int64 != 0 {
		return errors.New("positions of geographies are not 0, 1, 2 …")
	}
	return err
}
