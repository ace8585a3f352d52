package vector

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3" // a GeoPackage is an SQLite file

	"quartier/ingest/source"
	"quartier/internal/sqlrow"
	"quartier/internal/wellknown"
)

// geoPackage reads one layer of a GeoPackage.
type geoPackage struct {
	db     *sql.DB
	conn   *sql.Conn
	rows   *sql.Rows
	names  []string
	geom   int // index of the geometry column
	key    int // index of the primary key; -1: none
	row    int
	values []any
	most   int64 // rows
	limits source.Limits
}

// openGeoPackage opens the layer of the options, or the only one.
func (l *Layer) openGeoPackage(o Options) error {
	db, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: l.path}).EscapedPath()+"?mode=ro&immutable=1&_query_only=1&_trusted_schema=off")
	if err != nil {
		return err
	}
	g := &geoPackage{db: db, key: -1, limits: o.Limits}
	if err = g.connect(l.path); err == nil {
		err = g.open(l, o)
	}
	if err != nil {
		db.Close()
		return l.named(err)
	}
	l.FieldsKnown, l.reader = true, g
	return nil
}

// connect opens the one connection, on which no value may be larger than a feature. A table has no more rows than the file
// has bytes; the rows of a view may be without end.
func (g *geoPackage) connect(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	g.most = info.Size()
	if g.conn, err = g.db.Conn(background); err != nil {
		return fmt.Errorf("not a GeoPackage: %w", err)
	}
	return g.conn.Raw(func(c any) error {
		c.(*sqlite3.SQLiteConn).SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, int(min(g.limits.Feature(), 1<<30)))
		return nil
	})
}

// background is a context without an end, for which the driver starts no goroutine per row.
var background = context.Background()

func (g *geoPackage) open(l *Layer, o Options) error {
	table, column, srs, err := g.findLayer(o.Layer)
	if err != nil {
		return err
	}
	if l.CRS, err = g.reference(srs); err != nil {
		return err
	}
	primary, err := g.primaryKey(table)
	if err != nil {
		return err
	}
	order, err := g.order(table, primary)
	if err != nil {
		return err
	}
	if g.rows, err = g.conn.QueryContext(background, "SELECT * FROM "+sqlrow.Quote(table)+order); err != nil {
		return fmt.Errorf("layer %s: %w", table, err)
	}
	if g.names, err = g.rows.Columns(); err != nil {
		return err
	}
	g.geom, g.values = -1, make([]any, len(g.names))
	for i, name := range g.names {
		switch {
		case strings.EqualFold(name, column):
			g.geom = i
			continue
		case strings.EqualFold(name, primary):
			g.key = i
		}
		l.Fields = append(l.Fields, name)
	}
	if g.geom < 0 {
		return fmt.Errorf("layer %s has no column %s for its geometry", table, column)
	}
	return nil
}

// order is the ORDER BY of a layer. A view is read in its own order: sorting one without end would never return a row.
func (g *geoPackage) order(table, primary string) (string, error) {
	if primary != "" {
		return " ORDER BY " + sqlrow.Quote(primary), nil
	}
	var kind string
	err := g.conn.QueryRowContext(background, "SELECT type FROM sqlite_master WHERE lower(name) = lower(?)", table).Scan(&kind)
	if err != nil || kind == "view" {
		return "", err
	}
	return " ORDER BY rowid", nil
}

// findLayer returns the table of the requested layer, or of the only one.
func (g *geoPackage) findLayer(asked string) (table, column string, srs int64, err error) {
	rows, err := g.conn.QueryContext(background, `SELECT c.table_name, g.column_name, g.srs_id
		FROM gpkg_contents c JOIN gpkg_geometry_columns g ON lower(g.table_name) = lower(c.table_name)
		WHERE c.data_type = 'features' ORDER BY c.table_name`)
	if err != nil {
		return "", "", 0, fmt.Errorf("not a GeoPackage: %w", err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name, geometry string
		var id int64
		if err := rows.Scan(&name, &geometry, &id); err != nil {
			return "", "", 0, err
		}
		names = append(names, name)
		if asked == "" || name == asked {
			table, column, srs = name, geometry, id
		}
	}
	if err := rows.Err(); err != nil {
		return "", "", 0, err
	}
	switch {
	case len(names) == 0:
		return "", "", 0, errors.New("it has no layer of features")
	case asked == "" && len(names) > 1:
		return "", "", 0, fmt.Errorf("it has %d layers; set the option layer to one of %s", len(names), strings.Join(names, ", "))
	case table == "":
		return "", "", 0, fmt.Errorf("it has no layer %q, but %s", asked, strings.Join(names, ", "))
	}
	return table, column, srs, nil
}

// reference returns the definition of a reference system; "" for the ids that mean undefined.
func (g *geoPackage) reference(srs int64) (string, error) {
	if srs <= 0 {
		return "", nil
	}
	var organization, definition string
	var code int64
	err := g.conn.QueryRowContext(background,
		"SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?", srs).
		Scan(&organization, &code, &definition)
	if err != nil {
		return "", fmt.Errorf("reference system %d: %w", srs, err)
	}
	if strings.EqualFold(organization, "EPSG") || strings.EqualFold(organization, "ESRI") {
		return strings.ToUpper(organization) + ":" + strconv.FormatInt(code, 10), nil
	}
	return definition, nil
}

// primaryKey returns the name of a table's primary key; "" for a view.
func (g *geoPackage) primaryKey(table string) (string, error) {
	var name string
	err := g.conn.QueryRowContext(background, "SELECT name FROM pragma_table_info(?) WHERE pk = 1", table).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return name, err
}

func (g *geoPackage) next() (Feature, error) {
	if !g.rows.Next() {
		switch err := g.rows.Err(); {
		case err == nil:
		case strings.Contains(err.Error(), "string or blob too big"):
			return Feature{}, g.limits.FeatureTooLarge(fmt.Sprintf("a value of row %d", g.row+1))
		default:
			return Feature{}, bad("after row %d: %w", g.row, err)
		}
		return Feature{}, io.EOF
	}
	if g.row++; int64(g.row) > g.most {
		return Feature{}, source.TooLarge("the layer", g.most, "rows, the number of bytes of the file")
	}
	into := make([]any, len(g.values))
	for i := range g.values {
		into[i] = &g.values[i]
	}
	if err := g.rows.Scan(into...); err != nil {
		return Feature{}, bad("row %d: %w", g.row, err)
	}
	feature := Feature{Row: g.row, Attributes: make(map[string]string, len(g.names))}
	for i, name := range g.names {
		if i != g.geom {
			setText(feature.Attributes, name, columnText(g.values[i]))
		}
	}
	if g.key >= 0 {
		feature.ID = columnText(g.values[g.key])
	}
	switch blob := g.values[g.geom].(type) {
	case nil:
	case []byte:
		geometry, err := wellknown.GeoPackage(blob)
		if err != nil {
			feature.Fault = faultOf(err)
		}
		feature.Geometry = geometry
	default:
		feature.Fault = source.UnreadableGeometry.With("not a blob")
	}
	return feature, nil
}

// columnText converts an SQLite value to an attribute; blobs are skipped.
func columnText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return plainDecimal(strconv.FormatFloat(v, 'f', -1, 64))
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return strings.TrimSuffix(v.UTC().Format(time.RFC3339), "T00:00:00Z")
	}
	return ""
}

func (g *geoPackage) close() error { return errors.Join(g.rows.Close(), g.conn.Close(), g.db.Close()) }
