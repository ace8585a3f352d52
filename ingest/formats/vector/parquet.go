package vector

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/internal/sqlrow"
	"quartier/internal/wellknown"
	"quartier/schemas/reason"
)

// parquetPage is the number of features of one query.
const parquetPage = batchFeatures

// parquet reads GeoParquet, and Parquet with columns of coordinates.
type parquet struct {
	table    *geoparquet.Table
	copied   *geoparquet.Copy // nil until the second page
	geometry string           // column; "" where coordinates are columns
	lng, lat string           // these
	limits   source.Limits
	page     int
	pending  []Feature
	row      int
	ended    bool // no page is left
}

// openParquet opens a file, or the .parquet files of a folder in order.
func (l *Layer) openParquet(ctx context.Context, files []string, o Options) error {
	table, err := geoparquet.Open(ctx, files, o.Limits, geoparquet.Memory)
	if err != nil {
		return cmp.Or(ctx.Err(), l.named(err))
	}
	p := &parquet{table: table, limits: o.Limits}
	if c := o.Columns; c != nil {
		p.lng, p.lat = c.Lng, c.Lat
	}
	if err = p.open(ctx, l); err != nil {
		table.Close()
		return cmp.Or(ctx.Err(), l.named(err))
	}
	l.FieldsKnown, l.reader = true, p
	return nil
}

func (p *parquet) open(ctx context.Context, l *Layer) error {
	g, err := p.table.Geometry(ctx)
	if err != nil {
		return err
	}
	if !p.table.IsWKB(g.Column) && slices.Contains(p.table.Names, p.lng) && slices.Contains(p.table.Names, p.lat) {
		g.Column = ""
	} else if !p.table.IsWKB(g.Column) {
		return fmt.Errorf("it has no column %s with geometries in WKB; there are: %s", g.Column, strings.Join(p.table.Names, ", "))
	}
	p.geometry = g.Column
	if l.CRS = g.CRS; g.CRS == "OGC:CRS84" {
		l.CRS = spatialite.WGS84
	}
	for _, name := range p.table.Names {
		if name != g.Column && p.table.Columns[name] != "BLOB" {
			l.Fields = append(l.Fields, name)
		}
	}
	return nil
}

// read reads the next page: the first one from the files, so that a look at their first features costs little, the others
// from a copy of the rows in the order of the files.
func (p *parquet) read() (err error) {
	if p.ended {
		return io.EOF
	}
	var n int
	if p.page == 0 {
		n, err = p.table.First(background, p.columns(), parquetPage, p.feature)
	} else {
		if p.copied == nil {
			if p.copied, err = p.table.Copy(background, "SELECT * EXCLUDE (filename, file_row_number) FROM "+p.table.From, parquetPage); err != nil {
				return err
			}
		}
		n, err = p.copied.Page(background, p.columns(), p.page, p.feature)
	}
	p.page++
	p.ended = n < parquetPage
	if err == nil && n == 0 {
		return io.EOF
	}
	return err
}

// columns are the geometry, its size in bytes and the attributes as JSON.
func (p *parquet) columns() string {
	var fields []string
	for _, name := range p.table.Names {
		if name != p.geometry && p.table.Columns[name] != "BLOB" {
			fields = append(fields, geoparquet.Quote(name)+": "+sqlrow.Quote(name))
		}
	}
	attributes := "'{}'"
	if len(fields) > 0 {
		attributes = "CAST(to_json({" + strings.Join(fields, ", ") + "}) AS VARCHAR)"
	}
	geometry := "NULL::BLOB"
	if p.geometry != "" {
		geometry = sqlrow.Quote(p.geometry)
	}
	return fmt.Sprintf("if(octet_length(%[1]s) > %[2]d, NULL, %[1]s), coalesce(octet_length(%[1]s), 0), %[3]s",
		geometry, p.limits.Feature(), attributes)
}

// feature adds a row to those pending.
func (p *parquet) feature(rows *sql.Rows) error {
	var blob, attributes []byte
	var size int64
	if err := rows.Scan(&blob, &size, &attributes); err != nil {
		return err
	}
	p.row++
	if most := p.limits.Feature(); size > most || int64(len(attributes)) > most {
		return p.limits.FeatureTooLarge(fmt.Sprintf("row %d", p.row))
	}
	f := Feature{Row: p.row, Attributes: map[string]string{}}
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(attributes, &properties); err != nil {
		return fmt.Errorf("row %d: %w", p.row, err)
	}
	for name, value := range properties {
		setText(f.Attributes, name, jsonText(value))
	}
	f.ID = f.Attributes["id"]
	if len(blob) > 0 {
		g, err := wellknown.Read(blob)
		if err != nil {
			f.Fault = faultOf(err)
		}
		f.Geometry = g
	}
	if p.geometry == "" {
		f.Geometry, f.Fault = pointOf(f.Attributes[p.lng], f.Attributes[p.lat])
	}
	p.pending = append(p.pending, f)
	return nil
}

// pointOf is the point of two columns; nil where one is empty.
func pointOf(lng, lat string) (orb.Geometry, reason.Reason) {
	var p orb.Point
	for i, text := range []string{lng, lat} {
		number, ok := table.ParseNumber([]byte(text), '.')
		if text == "" {
			return nil, reason.Reason{}
		} else if !ok {
			return nil, source.CoordinateFault(text)
		}
		p[i] = number
	}
	return p, reason.Reason{}
}

// count returns the number of rows by the metadata; 0 where it cannot be read.
func (p *parquet) count(ctx context.Context) (n int64) {
	if p.table.DB.QueryRowContext(ctx, "SELECT count(*) FROM "+p.table.From).Scan(&n) != nil {
		return 0
	}
	return n
}

func (p *parquet) next() (Feature, error) {
	if len(p.pending) == 0 {
		if err := p.read(); err != nil {
			return Feature{}, err
		}
	}
	f := p.pending[0]
	p.pending = p.pending[1:]
	return f, nil
}

func (p *parquet) close() error { return p.table.Close() }
