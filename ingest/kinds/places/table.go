package places

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// openTable reads a CSV file and its header.
func (m *mapping) openTable(path string, r io.Reader) (t *rows, index map[string]int, err error) {
	o := m.options
	data, err := readAll(path, r)
	if err != nil {
		return nil, nil, err
	}
	if data, err = decode(data, o.Encoding); err != nil {
		return nil, nil, source.BadFile(path, "%v", err)
	}
	t = &rows{data: data, csv: csv.NewReader(bytes.NewReader(data))}
	t.csv.ReuseRecord = true
	if o.Delimiter != "" {
		t.csv.Comma, _ = utf8.DecodeRuneInString(o.Delimiter)
	}
	if index, err = t.header(m.columns()); err != nil {
		return nil, nil, source.BadFile(path, "%v", err)
	}
	return t, index, m.located()
}

// located returns an error if the options do not name the columns of the position, which a CSV needs.
func (m *mapping) located() error {
	var f source.Faults
	f.Option(m.options.Lng == "" && m.options.X == "", "lng", "is missing; a CSV needs lng and lat, or x and y with a crs")
	return f.Err()
}

// table stages a CSV file.
func (s *stager) table(ctx context.Context, path string, r io.Reader) error {
	t, index, err := s.mapping.openTable(path, r)
	if err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		record, line, why, err := t.next()
		switch {
		case err == io.EOF:
			return s.flush(ctx)
		case err != nil:
			return source.BadFile(path, "%v", err)
		}
		where := fmt.Sprintf("%s line %d", filepath.Base(path), line)
		s.out.Read(1)
		if why.OK() {
			why, err = s.record(ctx, record, index, where)
		}
		if err != nil {
			return err
		}
		if !why.OK() {
			s.out.Issue(why, where)
		}
	}
}

func (s *stager) record(ctx context.Context, record []string, index map[string]int, where string) (why reason.Reason, err error) {
	value := func(column string) string { return record[index[column]] }
	row := pending{where: where}
	if row.poi, why = s.mapping.poi(value); !why.OK() {
		return why, nil
	}
	if row.poi.Point, why = s.mapping.point(value); !why.OK() {
		return why, nil
	}
	return why, s.add(ctx, row)
}

// decode converts the file to UTF-8 without a byte order mark. Invalid UTF-8 is left to the rows.
func decode(data []byte, encoding string) ([]byte, error) {
	switch encoding {
	case "latin-1":
		return charmap.ISO8859_1.NewDecoder().Bytes(data)
	case "cp1252":
		return charmap.Windows1252.NewDecoder().Bytes(data)
	case "utf-16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, errors.New("it starts with the byte order mark of UTF-16; set encoding: utf-16")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("it contains NUL bytes and is not text")
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// rows reads the records of a CSV.
type rows struct {
	data []byte
	csv  *csv.Reader
}

// header reads the first line and returns the indexes of the columns.
func (t *rows) header(columns []string) (map[string]int, error) {
	header, err := t.csv.Read()
	if err == io.EOF {
		return nil, errors.New("it is empty")
	}
	if err != nil {
		return nil, err
	}
	header = slices.Clone(header)
	for i, name := range header {
		if header[i] = strings.TrimSpace(name); !utf8.ValidString(name) {
			return nil, errors.New("the header is not UTF-8; set encoding: latin-1 or cp1252")
		}
	}
	index := map[string]int{}
	var missing []string
	for _, name := range columns {
		at := slices.Index(header, name)
		if at < 0 {
			missing = append(missing, name)
		} else if slices.Contains(header[at+1:], name) {
			return nil, fmt.Errorf("column %q occurs twice", name)
		}
		index[name] = at
	}
	if missing != nil {
		return nil, fmt.Errorf("no column %q; there are %q", missing, header)
	}
	return index, nil
}

// next reads one record, valid until the next call, and returns its first line. why is set for a record that cannot be
// used; after an error the file cannot be read further.
func (t *rows) next() (record []string, line int, why reason.Reason, err error) {
	from := t.csv.InputOffset()
	record, err = t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, 0, why, err
	case errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount):
		return nil, parse.StartLine, source.WrongFieldCount, nil
	case errors.As(err, &parse):
		to := t.csv.InputOffset()
		if to == int64(len(t.data)) && bytes.Count(t.data[from:to], []byte(`"`))%2 == 1 {
			return nil, 0, why, fmt.Errorf("a quote in the record of line %d is not closed", parse.StartLine)
		}
		return nil, parse.StartLine, malformedQuotes, nil
	case err != nil:
		return nil, 0, why, err
	}
	line, _ = t.csv.FieldPos(0)
	for _, field := range record {
		if !utf8.ValidString(field) {
			return nil, line, source.InvalidUTF8, nil
		}
	}
	return record, line, why, nil
}
