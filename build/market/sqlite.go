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

// read is the content of market.sqlite from which the pack is made.
type read struct {
	day    market.Day
	states []string
	zones  []string
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

// readStatistics passes the statistics of each geography to emit.
func readStatistics(ctx context.Context, db *sql.DB, r *read, emit func(*market.Statistics) error) error {
	intervals := map[int64]uint8{}
	for n, i := range market.Intervals(r.day) {
		intervals[firstRow(n, i)/intervalRows] = uint8(n)
	}
	values, targets := make([]any, 1+int(market.MetricCount)), make([]any, 1+int(market.MetricCount))
	for i := range values {
		targets[i] = &values[i]
	}
	var s market.Statistics
	flush := func() error {
		if len(s.Cells) == 0 {
			return nil
		}
		return emit(&s)
	}
	// The order is that of the pack, in which the joins are made.
	err := released.Each(ctx, db, `SELECT market_cell.* FROM geography CROSS JOIN property_type CROSS JOIN interval CROSS JOIN market_cell
		WHERE row = first_row + 16 * geography.position + property_type.position
		ORDER BY geography.position, property_type.position, interval.position`, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		row, _ := values[0].(int64)
		interval, known := intervals[row/intervalRows]
		geography := uint32(row % intervalRows / typeRows)
		if !known || row%typeRows >= int64(market.TypeCount) {
			return fmt.Errorf("market_cell: row %d", row)
		}
		if geography != s.Geography {
			if err := flush(); err != nil {
				return err
			}
			s.Geography, s.Cells = geography, s.Cells[:0]
		}
		c := market.Cell{Type: market.PropertyType(row % typeRows), Interval: interval}
		if err := setValues(&c.Values, values[1:]); err != nil {
			return fmt.Errorf("market_cell: row %d: %w", row, err)
		}
		s.Cells = append(s.Cells, c)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// setValues sets the metrics of a row of market_cell.
func setValues(to *market.Values, row []any) error {
	for m := range market.MetricCount {
		switch v := row[m].(type) {
		case nil:
			to[m] = market.Absent
		case int64:
			to[m] = v
		case float64:
			to[m] = int64(math.Round(v * math.Pow10(m.Decimals())))
		case string:
			if to[m] = int64(slices.Index(pack.Assessments[:], v)); to[m] < 0 || m != market.Assessment {
				return fmt.Errorf("%s is %q", m, v)
			}
		default:
			return fmt.Errorf("%s is of type %T", m, v)
		}
	}
	return nil
}
