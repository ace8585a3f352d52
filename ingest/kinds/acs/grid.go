package acs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// grid is a table with named columns that is being read row by row.
type grid interface {
	columns() []string
	next() error          // io.EOF after the last row
	at(column int) []byte // trimmed, valid until the next row; nil where it is missing
	place() string        // of the row: "line 17"
	rows() int            // of the file that are in the row; 1 but for the areas of a long table
	short() bool          // the row ends before its last column
	long() bool           // the row has values beyond its last column
	foreign() bool        // the row was not UTF-8
	Close() error
}

// openGrid opens a table by its content: delimited text, the array of arrays of the Census API, or features of which the
// attributes are read.
func openGrid(ctx context.Context, f folder.File) (grid, error) {
	switch f.Ext() {
	case ".gpkg", ".shp":
		return openFeatures(ctx, f)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(512) // a file may be shorter
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	var g grid
	switch {
	case len(head) > 0 && head[0] == '{':
		r.Close()
		return openFeatures(ctx, f)
	case len(head) > 0 && head[0] == '[':
		g, err = newAnswer(in, r)
	default:
		g, err = newText(in, r)
	}
	if err != nil {
		r.Close()
		return nil, source.BadFile(f.Path, "%v", err)
	}
	return g, nil
}

// text is delimited text.
type text struct {
	*table.Table
	file io.Closer
}

// newText reads the header.
func newText(in io.Reader, file io.Closer) (grid, error) {
	t, err := table.New(in, table.Dialect{})
	if err != nil {
		return nil, err
	}
	for n := len(t.Columns); n > 1 && t.Columns[n-1] == ""; n-- { // data.census.gov ends lines with a comma
		t.Columns = t.Columns[:n-1]
	}
	return &text{t, file}, nil
}

func (t *text) columns() []string { return t.Columns }
func (t *text) next() error       { return t.Next() }
func (t *text) at(i int) []byte   { return t.At(i) }
func (t *text) place() string     { return fmt.Sprintf("line %d", t.Line) }
func (t *text) rows() int         { return 1 }
func (t *text) short() bool       { return t.TooShort() }
func (t *text) long() bool        { return t.TooLong() }
func (t *text) foreign() bool     { return t.Foreign }
func (t *text) Close() error      { return t.file.Close() }

// values is a grid whose rows are read as texts.
type values struct {
	names  []string
	row    []string
	number int // of the row, 1 the first
}

func (v *values) columns() []string { return v.names }
func (v *values) rows() int         { return 1 }
func (v *values) short() bool       { return len(v.row) < len(v.names) }
func (v *values) long() bool        { return len(v.row) > len(v.names) }
func (v *values) foreign() bool     { return false }

func (v *values) at(i int) []byte {
	if i < 0 || i >= len(v.row) {
		return nil
	}
	return []byte(v.row[i])
}

// answer is an answer of the Census API: an array of arrays, the header first, whose values are texts, numbers or null.
type answer struct {
	values
	limit *rowLimit
	dec   *json.Decoder
	file  io.Closer
}

// rowLimit bounds the bytes that are read for one row, so that a file without end is not kept in memory.
type rowLimit struct {
	io.Reader
	left int
}

const maxRow = 4 << 20 // bytes

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("a row is longer than %d bytes", maxRow)
	}
	n, err := l.Reader.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

func newAnswer(in *bufio.Reader, file io.Closer) (grid, error) {
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3) // cannot fail after Peek
	}
	a := &answer{limit: &rowLimit{in, maxRow}, file: file}
	a.dec = json.NewDecoder(a.limit)
	a.dec.UseNumber()
	if _, err := a.dec.Token(); err != nil { // [
		return nil, err
	}
	if err := a.read(); err == io.EOF || len(a.row) == 0 {
		return nil, table.ErrEmpty
	} else if err != nil {
		return nil, err
	}
	a.names, a.number = a.row, 0
	return a, nil
}

func (a *answer) next() error {
	a.number++
	return a.read()
}

// read reads a row; io.EOF after the end of the outer array.
func (a *answer) read() error {
	a.limit.left = maxRow
	if !a.dec.More() {
		if _, err := a.dec.Token(); err != nil { // ]
			return fmt.Errorf("it ends within a row: %w", noEOF(err))
		}
		return io.EOF
	}
	var fields []any
	if err := a.dec.Decode(&fields); err != nil {
		return fmt.Errorf("row %d is not an array of values, as answers of the Census API have: %w", a.number, noEOF(err))
	}
	a.row = make([]string, len(fields))
	for i, field := range fields {
		switch v := field.(type) {
		case nil:
		case string:
			a.row[i] = strings.TrimSpace(v)
		case json.Number:
			a.row[i] = v.String()
		default:
			return fmt.Errorf("row %d: value %d is neither a text nor a number: %v", a.number, i+1, v)
		}
	}
	return nil
}

// noEOF returns the error for a file that ends too early, which must not be taken for its end.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (a *answer) place() string { return fmt.Sprintf("row %d", a.number) }
func (a *answer) Close() error  { return a.file.Close() }

// features are the attributes of features, as tidycensus and sf write them.
type features struct {
	values
	layer *vector.Layer
}

// openFeatures opens a file of features. GeoJSON has no list of columns, so that the file is read once for them.
func openFeatures(ctx context.Context, f folder.File) (grid, error) {
	if f.Disk == "" {
		return nil, source.BadFile(f.Path, "features are not read from a zip; unpack it")
	}
	columns, err := columnsOfFeatures(ctx, f.Disk)
	if err != nil {
		return nil, err
	}
	layer, err := vector.Open(ctx, f.Disk, vector.Options{})
	if err != nil {
		return nil, err
	}
	return &features{values{names: columns}, layer}, nil
}

func columnsOfFeatures(ctx context.Context, path string) ([]string, error) {
	layer, err := vector.Open(ctx, path, vector.Options{})
	if err != nil {
		return nil, err
	}
	defer layer.Close()
	for !layer.FieldsKnown {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := layer.Next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
	}
	return slices.Clone(layer.Fields), nil
}

func (f *features) next() error {
	feature, err := f.layer.Next()
	if err != nil {
		return err
	}
	f.number = feature.Row
	f.row = f.row[:0]
	for _, name := range f.names {
		f.row = append(f.row, feature.Attributes[name])
	}
	return nil
}

func (f *features) place() string { return fmt.Sprintf("feature %d", f.number) }
func (f *features) Close() error  { return f.layer.Close() }
