package vector

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/schemas/reason"
)

var tableExtensions = []string{".csv", ".tsv", ".txt", ".xlsx", ".csv.gz"}

// Columns name the columns of delimited text in which geometries are: WKT, LatLng, or Lng and Lat. WKT and LatLng may be the
// last column without quotes, although they have commas in them.
type Columns struct {
	WKT      string                   // well-known text
	LatLng   string                   // latitude, then longitude: 45.42,-75.69 or (45.42, -75.69)
	Lng, Lat string                   // longitude and latitude, or x and y in the units of the option crs
	Numbers  map[string]table.Meaning // columns of numbers, for Feature.Number; those that the file does not have are left out
	Decimal  string                   // their decimal mark; "": found in each column
	Wanted   []string                 // other columns that the kind reads: lines before the header are those before one with all of these
	Nulls    []string                 // values of columns that mean missing, beside empty ones
	Bare     bool                     // a table without columns of geometries is read too; no row has one
}

// textTable reads delimited text.
type textTable struct {
	table   *table.Table
	columns Columns
	row     int
	marks   map[string]byte // decimal marks of Numbers
}

// openTable reads the header. Without the option crs coordinates are WGS 84 longitude and latitude.
func (l *Layer) openTable(ctx context.Context, o Options) error {
	c := *o.Columns
	geometry := source.Lists(c.WKT, c.LatLng, c.Lng, c.Lat)
	if len(geometry) == 0 && !c.Bare {
		return l.Bad("it is a table; set the option wkt, lat_lng, or lng and lat")
	}
	wanted := c.Wanted
	for _, names := range geometry {
		wanted = append(wanted, names[0])
	}
	t, err := table.Open(l.path, table.Dialect{Encoding: o.Encoding, Header: wanted, Sheet: o.Layer})
	if err != nil {
		return err
	}
	text := &textTable{table: t, columns: c}
	l.reader, l.Fields, l.FieldsKnown, l.CRS = text, t.Columns, true, spatialite.WGS84
	if err = l.CheckFields(geometry...); err == nil {
		err = text.findNumbers(ctx)
	}
	if err != nil {
		t.Close()
	}
	return err
}

// findNumbers finds how coordinates and the columns of numbers are written.
func (t *textTable) findNumbers(ctx context.Context) error {
	numbers := map[int]table.Meaning{}
	t.marks = map[string]byte{}
	for name, meaning := range t.columns.Numbers {
		if column := t.table.Column(name); column >= 0 {
			numbers[column] = meaning
		}
	}
	if err := t.table.FindNumbers(ctx, numbers, t.columns.Decimal); err != nil {
		return err
	}
	for column := range numbers {
		t.marks[t.table.Columns[column]] = t.table.Decimal(column)
	}
	if t.columns.Lng == "" {
		return nil
	}
	degrees := map[int]table.Meaning{t.table.Column(t.columns.Lng): table.Degrees, t.table.Column(t.columns.Lat): table.Degrees}
	return t.table.FindNumbers(ctx, degrees, "")
}

func (t *textTable) next() (Feature, error) {
	if err := t.table.Next(); err == io.EOF {
		return Feature{}, err
	} else if err != nil {
		return Feature{}, bad("%w", err)
	}
	t.row++
	f := Feature{Row: t.row, Line: t.table.Line, Attributes: map[string]string{}, Marks: t.marks}
	for i, name := range t.table.Columns {
		if text := t.table.Text(i); !slices.Contains(t.columns.Nulls, text) {
			setText(f.Attributes, name, text)
		}
	}
	f.Geometry, f.Fault = t.geometry()
	return f, nil
}

// geometry returns that of the row; nil without a fault where its columns are empty.
func (t *textTable) geometry() (orb.Geometry, reason.Reason) {
	c, columns := &t.columns, t.table
	text := columns.Text
	if last := columns.Columns[len(columns.Columns)-1]; last == c.WKT || last == c.LatLng {
		text = columns.Rest
	} else if columns.TooLong() {
		return nil, source.WrongFieldCount
	}
	switch {
	case columns.TooShort():
		return nil, source.WrongFieldCount
	case c.WKT != "":
		value := text(columns.Column(c.WKT))
		if slices.Contains(c.Nulls, value) {
			return nil, reason.Reason{}
		}
		return parseWKT(value)
	case c.LatLng != "":
		return latLng(text(columns.Column(c.LatLng)))
	case c.Lng == "":
		return nil, reason.Reason{}
	}
	var p orb.Point
	for i, name := range []string{c.Lng, c.Lat} {
		value := columns.Text(columns.Column(name))
		if value == "" || slices.Contains(c.Nulls, value) {
			return nil, reason.Reason{}
		}
		number, ok := columns.Number(columns.Column(name))
		if !ok {
			return nil, source.CoordinateFault(value)
		}
		p[i] = number
	}
	return p, reason.Reason{}
}

// latLng reads a latitude and longitude.
func latLng(text string) (orb.Geometry, reason.Reason) {
	text = strings.Trim(strings.TrimSpace(text), "()[] ")
	if text == "" {
		return nil, reason.Reason{}
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \t", r) })
	if len(fields) != 2 {
		return nil, source.CoordinateFault(text)
	}
	var p orb.Point
	for i, field := range fields {
		number, ok := table.ParseNumber([]byte(field), '.')
		if !ok {
			return nil, source.CoordinateFault(field)
		}
		p[1-i] = number
	}
	return p, reason.Reason{}
}

func (t *textTable) close() error { return t.table.Close() }
