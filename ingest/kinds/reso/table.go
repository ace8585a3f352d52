package reso

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// reader opens a file and returns its reader.
func (m *mapping) reader(ctx context.Context, path string, in source.Input, out source.Sink) (reader, func() error, error) {
	text, form, closing, err := open(path, in.Limits)
	if err != nil {
		return nil, nil, err
	}
	switch form {
	case jsonForm:
		j := &jsonFile{in: text, limits: in.Limits}
		return func(ctx context.Context, emit func(*chunk) error) error { return inFile(ctx, path, j.each(ctx, emit)) }, closing, nil
	case tableForm:
		t, columns, err := m.openTable(text)
		if err != nil {
			return nil, nil, errors.Join(source.InFile(path, err), closing())
		}
		t.Name = filepath.Base(path)
		t.Report(out)
		read := tableReader{t, columns}
		return func(ctx context.Context, emit func(*chunk) error) error {
			return inFile(ctx, path, read.each(ctx, emit))
		}, closing, nil
	}
	closing()
	p, err := m.openParquet(ctx, path, in.Limits)
	if err != nil {
		return nil, nil, inFile(ctx, path, err)
	}
	return func(ctx context.Context, emit func(*chunk) error) error { return inFile(ctx, path, p.each(ctx, emit)) }, p.Close, nil
}

// inFile names the file of an error that is not that of the context, nor of the system.
func inFile(ctx context.Context, path string, err error) error {
	var system *os.PathError
	if err == nil || ctx.Err() != nil || errors.As(err, &system) {
		return err
	}
	return source.InFile(path, err)
}

// check checks the beginning of a file.
func (m *mapping) check(ctx context.Context, path string, in source.Input) error {
	text, form, closing, err := open(path, in.Limits)
	if err != nil {
		return err
	}
	defer closing()
	switch form {
	case jsonForm:
		j := &jsonFile{in: text, limits: in.Limits}
		return inFile(ctx, path, m.checkJSON(ctx, j))
	case tableForm:
		_, _, err = m.openTable(text)
	default:
		var p *parquetReader
		if p, err = m.openParquet(ctx, path, in.Limits); err == nil {
			err = p.Close()
		}
	}
	return inFile(ctx, path, err)
}

// openTable opens delimited text and finds the columns of the slots.
func (m *mapping) openTable(text io.Reader) (*table.Table, []int, error) {
	d := table.Dialect{Encoding: m.Encoding, Header: m.slots.wanted(), Skip: m.Skip}
	if m.Delimiter != "" {
		d.Comma = m.Delimiter[0]
	}
	t, err := table.New(text, d)
	if err != nil {
		return nil, nil, err
	}
	columns, err := m.slots.columnsOf(t.Columns)
	return t, columns, err
}

// tableReader reads delimited text.
type tableReader struct {
	*table.Table
	columns []int // of the slots
}

func (r tableReader) each(ctx context.Context, emit func(*chunk) error) error {
	for {
		c := &chunk{}
		var text []byte
		var ends []int
		for len(c.rows) < chunkRows {
			err := r.Next()
			if err == io.EOF {
				break
			} else if err != nil {
				c.cells = cut(string(text), ends)
				return cmp.Or(emit(c), err)
			}
			if r.Foreign {
				c.notes = append(c.notes, issue{source.AssumedWindows1252, r.Here()})
			}
			if r.TooShort() {
				c.notes, c.short = append(c.notes, issue{source.WrongFieldCount, r.Here()}), c.short+1
				continue
			}
			c.rows = append(c.rows, int64(r.Line))
			for _, column := range r.columns {
				text = append(text, r.At(column)...)
				ends = append(ends, len(text))
			}
		}
		c.cells = cut(string(text), ends)
		if err := emit(c); err != nil || len(c.rows) < chunkRows {
			return err
		}
	}
}

// cut cuts a text at its ends into parts, which share its memory.
func cut(text string, ends []int) []string {
	parts := make([]string, len(ends))
	from := 0
	for i, to := range ends {
		parts[i] = text[from:to]
		from = to
	}
	return parts
}

// parquetReader reads Parquet. DuckDB joins the values of a row to one text, which is far faster to pass on.
type parquetReader struct {
	*geoparquet.Table
	query string
	width int // slots
}

// unitSeparator is between the values of a row; no text of a listing has it.
const unitSeparator = "\x1f"

func (m *mapping) openParquet(ctx context.Context, path string, limits source.Limits) (*parquetReader, error) {
	t, err := geoparquet.Open(ctx, []string{path}, limits, geoparquet.Memory)
	if err != nil {
		return nil, err
	}
	columns, err := m.slots.columnsOf(t.Names)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	parts := make([]string, len(columns))
	for slot, column := range columns {
		parts[slot] = "''"
		if column >= 0 {
			quoted := `"` + strings.ReplaceAll(t.Names[column], `"`, `""`) + `"`
			parts[slot] = "coalesce(trim(CAST(" + quoted + " AS VARCHAR)), '')"
		}
	}
	query := "SELECT concat_ws(chr(31), " + strings.Join(parts, ", ") + ") AS row, file_row_number AS number FROM " + t.From
	return &parquetReader{t, query, len(columns)}, nil
}

// parquetPage is the number of rows of a query.
const parquetPage = 100_000

func (p *parquetReader) each(ctx context.Context, emit func(*chunk) error) error {
	rows, err := p.Copy(ctx, p.query, parquetPage)
	if err != nil {
		return err
	}
	for number := 0; ; number++ {
		c := &chunk{}
		n, err := rows.Page(ctx, "row, number", number, func(row *sql.Rows) error {
			var text string
			var at int64
			if err := row.Scan(&text, &at); err != nil {
				return err
			}
			cells := strings.Split(text, unitSeparator)
			if len(cells) != p.width {
				return fmt.Errorf("row %d has a control character in a value", at+1)
			}
			c.rows, c.cells = append(c.rows, at+1), append(c.cells, cells...)
			if len(c.rows) < chunkRows {
				return nil
			}
			full := c
			c = &chunk{}
			return emit(full)
		})
		if err == nil && len(c.rows) > 0 {
			err = emit(c)
		}
		if err != nil || n == 0 {
			return err
		}
	}
}
