package market

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the plain driver: there is no geometry

	"quartier/build/released"
	pack "quartier/internal/pack/market"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/market"
)

// keyColumns are the columns of market_stat before the metrics.
const keyColumns = 4

// database writes market.sqlite.
type database struct {
	db     *sql.DB
	tx     *sql.Tx
	insert *sql.Stmt
	row    []any
	rows   int64
}

// createDatabase makes the file with its tables. It is not synced before it is finished.
func createDatabase(ctx context.Context, path string) (d *database, err error) {
	d = &database{row: make([]any, keyColumns+int(market.MetricCount))}
	if d.db, err = sql.Open("sqlite3", path); err != nil {
		return nil, err
	}
	d.db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA page_size = 16384", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA cache_size = -65536",
		schemas.BundleProvenance, schemas.BundleMarket, schemas.MarketStatDDL(),
	} {
		if _, err := d.db.ExecContext(ctx, statement); err != nil {
			d.close()
			return nil, fmt.Errorf("create %s: %w", path, err)
		}
	}
	d.tx, err = d.db.Begin()
	if err == nil {
		d.insert, err = d.tx.Prepare("INSERT INTO market_stat VALUES (" + strings.TrimSuffix(strings.Repeat("?, ", len(d.row)), ", ") + ")")
	}
	if err != nil {
		d.close()
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return d, nil
}

func (d *database) close() error {
	if d.tx != nil {
		d.tx.Rollback()
	}
	return d.db.Close()
}

// add adds the cells of a geography.
func (d *database) add(id string, cells []market.Cell, intervals []market.Interval) error {
	for i := range cells {
		c := &cells[i]
		d.rows++
		d.row[0], d.row[1], d.row[2], d.row[3] = d.rows, id, c.Type.String(), intervals[c.Interval].Code
		for m, v := range c.Values {
			d.row[keyColumns+m] = stored(market.Metric(m), v)
		}
		if _, err := d.insert.Exec(d.row...); err != nil {
			return fmt.Errorf("insert into market_stat: %w", err)
		}
	}
	return nil
}

// stored is the value of a metric in market.sqlite.
func stored(m market.Metric, v int64) any {
	switch {
	case v == market.Absent:
		return nil
	case m == market.Assessment:
		return pack.Assessments[v]
	case m.Decimals() > 0:
		return float64(v) / math.Pow10(m.Decimals())
	}
	return v
}

// finish writes the other tables and the index, and closes the file.
func (d *database) finish(ctx context.Context, c *component) error {
	err := sqlrow.Insert(ctx, d.tx, "release", c.provenance.Release)
	if err == nil {
		err = sqlrow.Insert(ctx, d.tx, "source", c.provenance.Sources...)
	}
	if err == nil {
		err = sqlrow.Insert(ctx, d.tx, "issue", c.provenance.Issues...)
	}
	exec := func(statement string, args ...any) {
		if err == nil {
			_, err = d.tx.Exec(statement, args...)
		}
	}
	exec("INSERT INTO component VALUES (?, ?, ?)", c.places.Digest, c.day.String(), c.summary.Listings)
	for _, state := range c.summary.States {
		exec("INSERT INTO state VALUES (?)", state)
	}
	for n, i := range c.intervals {
		exec("INSERT INTO interval VALUES (?, ?, ?, ?)", n, i.Code, i.First.String(), i.Last.String())
	}
	for i, zone := range c.zones {
		exec("INSERT INTO geography VALUES (?, ?, ?)", i, c.table.ID(i), sql.NullString{String: zone, Valid: zone != ""})
	}
	if err == nil {
		err = d.tx.Commit()
	}
	if err == nil {
		_, err = d.db.ExecContext(ctx, "CREATE UNIQUE INDEX market_stat_key ON market_stat (geog_id, type, code)")
	}
	if cerr := d.close(); err == nil {
		err = cerr
	}
	return err
}

// read is the content of market.sqlite from which the pack is made.
type read struct {
	day    market.Day
	states []string
	zones  []string
	ids    map[string]uint32 // position of a geography by its id
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
	if err != nil {
		return r, err
	}
	r.ids = map[string]uint32{}
	err = released.Each(ctx, db, "SELECT position, geog_id, time_zone FROM geography ORDER BY position", nil, func(rows *sql.Rows) error {
		var position int
		var id string
		var zone sql.NullString
		if err := rows.Scan(&position, &id, &zone); err != nil {
			return err
		}
		if _, twice := r.ids[id]; twice || position != len(r.zones) {
			return fmt.Errorf("geography %s at %d: duplicate, or positions are not 0, 1, 2 …", id, position)
		}
		r.ids[id] = uint32(position)
		r.zones = append(r.zones, zone.String)
		return nil
	})
	return r, err
}

// readStatistics passes the statistics of each geography to emit.
func readStatistics(ctx context.Context, db *sql.DB, r *read, emit func(*market.Statistics) error) error {
	intervals := map[string]uint8{}
	for n, i := range market.Intervals(r.day) {
		intervals[i.Code] = uint8(n)
	}
	values, targets := make([]any, keyColumns+int(market.MetricCount)), make([]any, keyColumns+int(market.MetricCount))
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
	err := released.Each(ctx, db, "SELECT * FROM market_stat ORDER BY row", nil, func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		id, _ := values[1].(string)
		position, known := r.ids[id]
		if !known {
			return fmt.Errorf("market_stat: no geography %q", id)
		}
		if position != s.Geography {
			if err := flush(); err != nil {
				return err
			}
			s.Geography, s.Cells = position, s.Cells[:0]
		}
		c, err := cellOf(values, intervals)
		if err != nil {
			return fmt.Errorf("market_stat of %s: %w", id, err)
		}
		s.Cells = append(s.Cells, c)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// cellOf is a row of market_stat as a cell.
func cellOf(values []any, intervals map[string]uint8) (c market.Cell, err error) {
	kind, _ := values[2].(string)
	code, _ := values[3].(string)
	of, known := market.TypeNamed(kind)
	interval, kept := intervals[code]
	if !known || !kept {
		return c, fmt.Errorf("type %q, interval %q", kind, code)
	}
	c.Type, c.Interval = of, interval
	for m := range market.MetricCount {
		switch v := values[keyColumns+int(m)].(type) {
		case nil:
			c.Values[m] = market.Absent
		case int64:
			c.Values[m] = v
		case float64:
			c.Values[m] = int64(math.Round(v * math.Pow10(m.Decimals())))
		case string:
			if c.Values[m] = int64(slices.Index(pack.Assessments[:], v)); c.Values[m] < 0 || m != market.Assessment {
				return c, fmt.Errorf("%s is %q", m, v)
			}
		default:
			return c, fmt.Errorf("%s is of type %T", m, v)
		}
	}
	return c, nil
}
