package export

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-sqlite3"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/schemas"
)

// driverName is a driver of SQLite with the functions that tables use: hilbert(geometry), its place on the curve, and
// geohash_cell(text), its outline as well-known binary.
const driverName = "sqlite3_export"

func init() {
	sql.Register(driverName, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		if err := c.RegisterFunc("hilbert", hilbert, true); err != nil {
			return err
		}
		return c.RegisterFunc("geohash_cell", geohashCell, true)
	}})
}

// hilbert is the place of the middle of a geometry on the Hilbert curve, halved to be in the range of SQLite.
func hilbert(geometry []byte) (int64, error) {
	of, err := released.Bound(geometry)
	return int64(geo.Hilbert(of.Center()) >> 1), err
}

func geohashCell(name string) ([]byte, error) {
	of, err := geo.GeohashCell(name)
	if err != nil {
		return nil, err
	}
	return wkb.Marshal(orb.Polygon{of.ToRing()})
}

// component is a folder of files with SQLite tables.
type component struct {
	folder string
	owner  string // of the rows that are taken; "": all are

	agreement *Agreement // nil: all rows are taken
	regions   *regions   // of the agreement; nil: all
}

// each calls visit with the rows of a table that have a value, if it is not nil, of each of its files.
func (c *component) each(ctx context.Context, t *Table, by string, value *string, visit func(driver.Rows) error) error {
	if !t.packed() {
		return c.query(ctx, t, t.query(c.condition(t, by, value)), visit)
	}
	rows, err := c.openAddresses(t, value)
	if err != nil {
		return err
	}
	defer rows.Close()
	return visit(rows)
}

// query calls visit with the rows of a query of each of the files of a table.
func (c *component) query(ctx context.Context, t *Table, query string, visit func(driver.Rows) error) error {
	files := []string{t.File}
	if t.Years {
		m, err := schemas.ReadMarketManifest(c.folder)
		if err != nil {
			return err
		}
		files = nil
		for _, year := range append(m.Years(), 0) {
			files = append(files, schemas.MarketYear(t.File, year))
		}
	}
	for _, file := range files {
		if err := c.eachOf(ctx, file, t, query, visit); err != nil {
			return err
		}
	}
	return nil
}

func (c *component) eachOf(ctx context.Context, file string, t *Table, query string, visit func(driver.Rows) error) error {
	dsn, err := released.DSN(filepath.Join(c.folder, file))
	if err != nil {
		return err
	}
	db, err := sql.Open(driverName, dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := c.attach(db, t); err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", file, err)
	}
	defer conn.Close()
	return conn.Raw(func(of any) error {
		if err := c.regions.register(of); err != nil {
			return err
		}
		var args []driver.NamedValue
		if c.owner != "" {
			args = []driver.NamedValue{{Name: "owner", Ordinal: 1, Value: c.owner}}
		}
		// without ctx, for which the driver would start a goroutine
		rows, err := of.(driver.QueryerContext).QueryContext(context.Background(), query, args)
		if err != nil {
			return err
		}
		defer rows.Close()
		return visit(rows)
	})
}

func (c *component) attach(db *sql.DB, t *Table) error {
	var names []string
	for name := range t.Attach {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := released.Attach(db, filepath.Join(c.folder, t.Attach[name]), name); err != nil {
			return err
		}
	}
	if c.owner != "" {
		return released.Attach(db, filepath.Join(c.folder, schemas.PrivateFile), "owned")
	}
	return nil
}

// condition is that rows are of the owner and have a value, if it is not nil, as that of SQL.
func (c *component) condition(t *Table, by string, value *string) string {
	all := c.agreement.condition(t)
	if c.owner != "" {
		all = append(all, t.Owned+" IN (SELECT geog_id FROM owned.custom_geography WHERE owner = :owner)")
	}
	if value != nil {
		all = append(all, "CAST(coalesce("+by+", '') AS TEXT) = '"+strings.ReplaceAll(*value, "'", "''")+"'")
	}
	return strings.Join(all, " AND ")
}

// values are the different values of an expression over the rows of a table, "" for NULL.
func (c *component) values(ctx context.Context, t *Table, by string) (list []string, err error) {
	if t.packed() {
		rows, err := c.openAddresses(t, nil)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		return slices.DeleteFunc(slices.Clone(rows.table.Regions()), func(state string) bool { return !rows.wanted(state) }), nil
	}
	condition := c.condition(t, "", nil)
	if condition == "" {
		condition = "true"
	}
	query := "SELECT DISTINCT CAST(coalesce(" + by + ", '') AS TEXT) FROM " + t.From + " WHERE " + condition
	err = c.query(ctx, t, query, func(rows driver.Rows) error {
		value := make([]driver.Value, 1)
		for rows.Next(value) == nil {
			text, _ := value[0].(string)
			list = append(list, text)
		}
		return nil
	})
	return list, err
}
