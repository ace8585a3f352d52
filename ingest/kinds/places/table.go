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
)

// table stages a CSV file.
func (s *stager) table(ctx context.Context, path string, r io.Reader, o Options) error {
	if o.Lng == "" && o.X == "" {
		return fmt.Errorf("%w: a CSV needs lng and lat, or x and y with a crs", source.ErrBadOptions)
	}
	data, err := readAll(path, r)
	if err != nil {
		return err
	}
	if data, err = decode(data, o.Encoding); err != nil {
		return source.BadFile(path, "%v", err)
	}
	t := &rows{data: data, csv: csv.NewReader(bytes.NewReader(data))}
	t.csv.ReuseRecord = true
	if o.Delimiter != "" {
		t.csv.Comma, _ = utf8.DecodeRuneInString(o.Delimiter)
	}
	index, err := t.header(s.mapping.columns())
	if err != nil {
		return source.BadFile(path, "%v", err)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		record, line, fault, err := t.next()
		switch {
		case err == io.EOF:
			return s.flush(ctx)
		case err != nil:
			return source.BadFile(path, "%v", err)
		}
		where := fmt.Sprintf("%s line %d", filepath.Base(path), line)
		s.out.Read(1)
		if fault == nil {
			fault, err = s.record(ctx, record, index, where)
		}
		if err != nil {
			return err
		}
		if fault != nil {
			s.out.Issue(source.Uncoded(fault.severity, fault.reason), where)
		}
	}
}

func (s *stager) record(ctx context.Context, record []string, index map[string]int, where string) (*fault, error) {
	value := func(column string) string { return record[index[column]] }
	row := pending{where: where}
	var fault *fault
	if row.poi, fault = s.mapping.poi(value); fault != nil {
		return fault, nil
	}
	if row.poi.Point, fault = s.mapping.point(value); fault != nil {
		return fault, nil
	}
	return nil, s.add(ctx, row)
}

// decode brings the file to UTF-8 without a mark. Bytes that are not UTF-8 in a file that should be are left to the
// rows.
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
		return nil, errors.New("it begins with the mark of UTF-16; set encoding: utf-16")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("it holds zero bytes and is no text")
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// rows goes through the records of a CSV.
type rows struct {
	data []byte
	csv  *csv.Reader
}

// header reads the first line and finds the wanted columns.
func (t *rows) header(wanted []string) (map[string]int, error) {
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
	for _, name := range wanted {
		at := slices.Index(header, name)
		if at < 0 {
			missing = append(missing, name)
		} else if slices.Contains(header[at+1:], name) {
			return nil, fmt.Errorf("column %q stands twice", name)
		}
		index[name] = at
	}
	if missing != nil {
		return nil, fmt.Errorf("no column %q; there are %q", missing, header)
	}
	return index, nil
}

// next reads one record, valid until the next call, and the line it begins at. fault tells of a record that cannot be
// used; after an error nothing can be read.
func (t *rows) next() (record []string, line int, f *fault, err error) {
	from := t.csv.InputOffset()
	record, err = t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, 0, nil, err
	case errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount):
		return nil, parse.StartLine, &fault{source.Rejected, "wrong number of fields"}, nil
	case errors.As(err, &parse):
		to := t.csv.InputOffset()
		if to == int64(len(t.data)) && bytes.Count(t.data[from:to], []byte(`"`))%2 == 1 {
			return nil, 0, nil, fmt.Errorf("a quote in the record of line %d is never closed", parse.StartLine)
		}
		return nil, parse.StartLine, &fault{source.Rejected, "bad quotes"}, nil
	case err != nil:
		return nil, 0, nil, err
	}
	line, _ = t.csv.FieldPos(0)
	for _, field := range record {
		if !utf8.ValidString(field) {
			return nil, line, &fault{source.Rejected, "not UTF-8: set encoding"}, nil
		}
	}
	return record, line, nil, nil
}
