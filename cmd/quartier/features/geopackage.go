package features

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	_ "github.com/mattn/go-sqlite3" // a GeoPackage is an SQLite file

	"quartier/internal/arrowfile"
	"quartier/internal/sqlrow"
)

// geoPackage reads a layer of a GeoPackage.
type geoPackage struct {
	db      *sql.DB
	rows    *sql.Rows
	schema  *arrow.Schema
	values  []any
	geom    int // index of the column of geometries
	total   int64
	read    int64
	path    string
	options arrowfile.ReadOptions
}

func open(path, mode string) (*sql.DB, error) {
	return sql.Open("sqlite3", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+mode+"&_trusted_schema=off")
}

// OpenGeoPackage opens a layer; without a name the only one.
func OpenGeoPackage(ctx context.Context, path, layer string, o arrowfile.ReadOptions) (arrowfile.Reader, error) {
	db, err := open(path, "mode=ro&immutable=1&_query_only=1")
	if err != nil {
		return nil, err
	}
	g := &geoPackage{db: db, path: path, options: o}
	if err := g.begin(ctx, layer); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w: %w", path, arrowfile.ErrRead, err)
	}
	return g, nil
}

// begin finds the layer, its columns and reference system, and begins to read.
func (g *geoPackage) begin(ctx context.Context, layer string) error {
	rows, err := g.db.QueryContext(ctx, `SELECT g.table_name, g.column_name, coalesce(upper(r.organization) || ':' ||
		r.organization_coordsys_id, '') FROM gpkg_contents c JOIN gpkg_geometry_columns g ON lower(g.table_name) = lower(c.table_name)
		LEFT JOIN gpkg_spatial_ref_sys r ON r.srs_id = g.srs_id WHERE c.data_type = 'features' ORDER BY 1`)
	if err != nil {
		return fmt.Errorf("it is no GeoPackage: %w", err)
	}
	defer rows.Close()
	var names []string
	var table, geometry, crs string
	for rows.Next() {
		var of [3]string
		if err := rows.Scan(&of[0], &of[1], &of[2]); err != nil {
			return err
		}
		if names = append(names, of[0]); layer == "" || layer == of[0] {
			table, geometry, crs = of[0], of[1], of[2]
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(names) > 1 && layer == "" || table == "" {
		return fmt.Errorf("layer %q is not one of its layers; name one by --layer: %s", layer, strings.Join(names, ", "))
	}
	if crs == "EPSG:4326" || strings.HasPrefix(crs, "NONE:") {
		crs = ""
	}
	if err := g.db.QueryRowContext(ctx, "SELECT count(*) FROM "+sqlrow.Quote(table)).Scan(&g.total); err != nil {
		return err
	}
	return g.columns(ctx, table, geometry, crs)
}

// columns finds the columns and begins to read the rows, in the order of the table.
func (g *geoPackage) columns(ctx context.Context, table, geometry, crs string) (err error) {
	if g.rows, err = g.db.QueryContext(context.WithoutCancel(ctx), "SELECT * FROM "+sqlrow.Quote(table)); err != nil {
		return err
	}
	types, err := g.rows.ColumnTypes()
	if err != nil {
		return err
	}
	g.geom = slices.IndexFunc(types, func(t *sql.ColumnType) bool { return strings.EqualFold(t.Name(), geometry) })
	if g.geom < 0 {
		return fmt.Errorf("layer %s has no column %s", table, geometry)
	}
	var fields []arrow.Field
	for i, t := range types {
		if i != g.geom {
			fields = append(fields, arrow.Field{Name: t.Name(), Type: columnType(t.DatabaseTypeName()), Nullable: true})
		}
	}
	g.values = make([]any, len(types))
	g.schema, err = schemaOf(fields, crs)
	return err
}

// columnType is the type of a column by its declaration (GeoPackage 1.3, table 1).
func columnType(declared string) arrow.DataType {
	name, _, _ := strings.Cut(strings.ToUpper(declared), "(")
	switch name {
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER":
		return arrow.PrimitiveTypes.Int64
	case "FLOAT", "DOUBLE", "REAL":
		return arrow.PrimitiveTypes.Float64
	case "BLOB":
		return arrow.BinaryTypes.Binary
	}
	return arrow.BinaryTypes.String
}

func (g *geoPackage) Schema() *arrow.Schema { return g.schema }
func (g *geoPackage) Rows() int64           { return g.total }
func (g *geoPackage) Share() float64        { return float64(g.read) / float64(max(g.total, 1)) }
func (g *geoPackage) Close() error          { return errors.Join(g.rows.Close(), g.db.Close()) }

// Next implements arrowfile.Reader.
func (g *geoPackage) Next() (arrow.Record, error) {
	b := newBatch(g.schema)
	defer b.builder.Release()
	into := make([]any, len(g.values))
	for i := range g.values {
		into[i] = &g.values[i]
	}
	for b.rows < g.options.Rows && b.bytes < g.options.Bytes && g.rows.Next() {
		err := g.rows.Scan(into...)
		if err == nil {
			err = g.take(b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: row %d: %w", g.path, arrowfile.ErrRead, g.read+1, err)
		}
		g.read++
	}
	if err := g.rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w: after row %d: %w", g.path, arrowfile.ErrRead, g.read, err)
	}
	if b.rows == 0 {
		return nil, io.EOF
	}
	return b.builder.NewRecord(), nil
}

// take appends a row.
func (g *geoPackage) take(b *batch) error {
	at := 0
	for i, value := range g.values {
		if i == g.geom {
			continue
		}
		f := g.schema.Field(at)
		if err := b.put(at, converted(value, f.Type)); err != nil {
			return fmt.Errorf("column %s: %w", f.Name, err)
		}
		at++
	}
	blob, _ := g.values[g.geom].([]byte)
	b.rows++
	return b.put(at, withoutHeader(blob))
}

// converted is a value of SQLite as its column has it: days and times are texts.
func converted(value any, to arrow.DataType) any {
	switch v := value.(type) {
	case time.Time:
		return strings.TrimSuffix(v.UTC().Format("2006-01-02T15:04:05.999Z07:00"), "T00:00:00Z")
	case []byte:
		if to.ID() == arrow.STRING {
			return string(v)
		}
	case int64:
		if to.ID() == arrow.STRING {
			return fmt.Sprint(v)
		}
	case float64:
		if to.ID() == arrow.STRING {
			return fmt.Sprint(v)
		}
	}
	return value
}

// withoutHeader is the well-known binary of a geometry of a GeoPackage; nil if it is none or empty.
func withoutHeader(blob []byte) []byte {
	if len(blob) < 8 || string(blob[:2]) != "GP" {
		return nil
	}
	flags := blob[3]
	envelope := []int{0, 32, 48, 48, 64}
	kind := int(flags >> 1 & 7)
	if kind >= len(envelope) || flags&0x30 != 0 || len(blob) < 8+envelope[kind] {
		return nil
	}
	return blob[8+envelope[kind]:]
}

// ddl are the tables of a GeoPackage 1.3 (https://www.geopackage.org/spec130/).
const ddl = `PRAGMA application_id = 0x47504B47; PRAGMA user_version = 10300; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined cartesian', -1, 'NONE', -1, 'undefined', NULL),
  ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL), ('WGS 84', 4326, 'EPSG', 4326,
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],' ||
  'UNIT["degree",0.0174532925199433]]', NULL);
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT,
  last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, PRIMARY KEY (table_name, column_name));`

// layerName is that of what is written.
const layerName = "enriched"

// WriteGeoPackage writes the rows of a file as a GeoPackage of one layer, at a path where there is no file. geometry is the
// column of geometries in well-known binary, which are degrees of WGS 84. The metadata are the description of the layer, its
// last change the given date.
func WriteGeoPackage(ctx context.Context, path string, in arrowfile.Reader, geometry, changed string,
	metadata map[string]string) (err error) {
	db, err := open(path, "mode=rwc")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	about, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, ddl); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?, ?, NULL, NULL, NULL, NULL, 4326)`, layerName,
		layerName, string(about), changed+"T00:00:00.000Z"); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO gpkg_geometry_columns VALUES (?, ?, 'GEOMETRY', 4326, 2, 2)`, layerName,
		geometry); err != nil {
		return err
	}
	insert, err := createLayer(ctx, db, in.Schema(), geometry)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	statement, err := tx.PrepareContext(ctx, insert)
	if err != nil {
		return err
	}
	if err := eachRecord(ctx, in, func(r arrow.Record) error { return insertRows(ctx, statement, r, geometry) }); err != nil {
		return err
	}
	return tx.Commit()
}

// createLayer creates the table of the layer and returns the statement for a row. Its key is the first name that no column has.
func createLayer(ctx context.Context, db *sql.DB, schema *arrow.Schema, geometry string) (insert string, err error) {
	taken := map[string]bool{}
	for _, f := range schema.Fields() {
		if name := strings.ToLower(f.Name); taken[name] {
			return "", fmt.Errorf("two columns are called %s but for the case of letters, which a GeoPackage takes for one", f.Name)
		} else {
			taken[name] = true
		}
	}
	names := []string{"fid", "ogc_fid", "quartier_fid", "quartier_fid_2"}
	names = slices.DeleteFunc(names, func(n string) bool { return taken[n] })
	if len(names) == 0 {
		return "", errors.New("the columns have all names that the key of a layer could have")
	}
	key := names[0]
	columns, marks := []string{sqlrow.Quote(key) + " INTEGER PRIMARY KEY AUTOINCREMENT"}, []string{}
	var list []string
	for _, f := range schema.Fields() {
		if f.Name == arrowfile.Covering && geometry != "" {
			continue
		}
		kind := declaredType(f.Type)
		if f.Name == geometry {
			kind = "GEOMETRY"
		}
		columns, list, marks = append(columns, sqlrow.Quote(f.Name)+" "+kind), append(list, sqlrow.Quote(f.Name)), append(marks, "?")
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE "+layerName+" ("+strings.Join(columns, ", ")+")"); err != nil {
		return "", err
	}
	return "INSERT INTO " + layerName + " (" + strings.Join(list, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")", nil
}

func declaredType(t arrow.DataType) string {
	switch t.ID() {
	case arrow.BOOL:
		return "BOOLEAN"
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32:
		return "INTEGER"
	case arrow.FLOAT32, arrow.FLOAT64, arrow.DECIMAL128:
		return "REAL"
	case arrow.BINARY, arrow.LARGE_BINARY:
		return "BLOB"
	}
	return "TEXT"
}

// insertRows inserts the rows of a record.
func insertRows(ctx context.Context, statement *sql.Stmt, r arrow.Record, geometry string) error {
	for row := range int(r.NumRows()) {
		var values []any
		for i, f := range r.Schema().Fields() {
			if f.Name == arrowfile.Covering && geometry != "" {
				continue
			}
			column := r.Column(i)
			switch c := column.(type) {
			case *array.Boolean:
				values = append(values, column.IsValid(row) && c.Value(row))
			case *array.Binary:
				data := c.Value(row)
				if f.Name == geometry {
					data = append(binary.LittleEndian.AppendUint32([]byte{'G', 'P', 0, 1}, 4326), data...)
				}
				values = append(values, data)
			case *array.Float64:
				values = append(values, c.Value(row))
			case *array.Int64:
				values = append(values, c.Value(row))
			default:
				values = append(values, column.ValueStr(row))
			}
			if column.IsNull(row) {
				values[len(values)-1] = nil
			}
		}
		if _, err := statement.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return nil
}
