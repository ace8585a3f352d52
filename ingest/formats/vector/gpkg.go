package vector

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quartier/ingest/source"

	_ "github.com/mattn/go-sqlite3" // a GeoPackage is an SQLite file
	"github.com/paulmach/orb"
)

// geoPackage reads one layer of a GeoPackage.
type geoPackage struct {
	db     *sql.DB
	rows   *sql.Rows
	names  []string
	geom   int // index of the geometry column
	key    int // index of the primary key; -1: none
	row    int
	values []any
}

// openGeoPackage opens the layer of the options, or the only one.
func (l *Layer) openGeoPackage(o Options) error {
	db, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: l.path}).EscapedPath()+"?mode=ro&immutable=1&_query_only=1&_trusted_schema=off")
	if err != nil {
		return err
	}
	g := &geoPackage{db: db, key: -1}
	if err := g.open(l, o); err != nil {
		db.Close()
		return l.named(err)
	}
	l.FieldsKnown, l.reader = true, g
	return nil
}

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
	order := "rowid"
	if primary != "" {
		order = quote(primary)
	}
	if g.rows, err = g.db.Query("SELECT * FROM " + quote(table) + " ORDER BY " + order); err != nil {
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

// findLayer returns the table of the requested layer, or of the only one.
func (g *geoPackage) findLayer(asked string) (table, column string, srs int64, err error) {
	rows, err := g.db.Query(`SELECT c.table_name, g.column_name, g.srs_id
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
	err := g.db.QueryRow("SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?", srs).
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
	err := g.db.QueryRow("SELECT name FROM pragma_table_info(?) WHERE pk = 1", table).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return name, err
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (g *geoPackage) next() (Feature, error) {
	if !g.rows.Next() {
		if err := g.rows.Err(); err != nil {
			return Feature{}, bad("after row %d: %w", g.row, err)
		}
		return Feature{}, io.EOF
	}
	g.row++
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
		geometry, err := decodeGPKG(blob)
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

// decodeGPKG decodes a GeoPackage geometry: a header with an optional envelope, then well-known binary. An empty geometry
// is nil.
func decodeGPKG(blob []byte) (orb.Geometry, error) {
	if len(blob) < 8 || string(blob[:2]) != "GP" {
		return nil, source.UnreadableGeometry.With("no GeoPackage header")
	}
	flags := blob[3]
	if flags&0x20 != 0 {
		return nil, source.UnsupportedGeometryType.With("GeoPackage extension")
	}
	envelopes := []int{0, 32, 48, 48, 64}
	kind := int(flags >> 1 & 7)
	if kind >= len(envelopes) || len(blob) < 8+envelopes[kind] {
		return nil, errTruncated
	}
	if flags&0x10 != 0 {
		return nil, nil
	}
	return decodeWKB(blob[8+envelopes[kind]:])
}

func (g *geoPackage) close() error { return errors.Join(g.rows.Close(), g.db.Close()) }
