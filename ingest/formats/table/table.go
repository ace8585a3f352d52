// Package table reads delimited text row by row, as publishers write it: with or without quotes, LF or CRLF, a byte order
// mark, blank lines, columns in any order. It keeps no more than one row in memory.
package table

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/ingest/source"

	"golang.org/x/text/encoding/charmap"
)

// Table is a table that is being read. Rows that are not UTF-8 are decoded as Windows-1252.
type Table struct {
	Columns []string // of the header
	Line    int      // number of the row's first line, 1 the first
	Foreign bool     // the row was not UTF-8

	path   string
	file   io.Closer // with Open
	in     *bufio.Reader
	comma  byte     // separator of fields
	record []byte   // the row
	raw    [][]byte // fields of the row without quotes; slices of record
	fields [][]byte // the same, trimmed
	next   int      // number of the next line
}

// Limits of a row: one of more lines has an unclosed quote, and a longer line is not a table.
const (
	maxLines = 64
	maxLine  = 1 << 20 // bytes
)

// ErrEmpty is the error of a file without a header.
var ErrEmpty = errors.New("it is empty")

// Open opens a file and reads its header. Its errors and those of Each name the file and wrap source.ErrBadFile.
func Open(path string, comma byte) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := NewSeparated(file, comma)
	if err != nil {
		file.Close()
		return nil, source.BadFile(path, "%v", err)
	}
	t.path, t.file = path, file
	return t, nil
}

// Close closes the file of Open.
func (t *Table) Close() error { return t.file.Close() }

// Each calls take for each row until the end of the file, an error or the end of ctx, and counts the row as read.
func (t *Table) Each(ctx context.Context, out source.Sink, take func() error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return source.BadFile(t.path, "%v", err)
		}
		out.Read(1)
		if err := take(); err != nil {
			return err
		}
	}
}

// First returns the index of the first of several columns that the table has; −1 where it has none.
func (t *Table) First(names ...string) int {
	for _, name := range names {
		if i := t.Column(name); i >= 0 {
			return i
		}
	}
	return -1
}

// New reads the header of a comma-separated table. Errors do not have the name of the file.
func New(r io.Reader) (*Table, error) { return NewSeparated(r, ',') }

// NewSeparated is New for a table with another separator, which must not be a space, quote or end of line.
func NewSeparated(r io.Reader, comma byte) (*Table, error) {
	t := &Table{in: bufio.NewReaderSize(r, 64<<10), comma: comma, next: 1}
	mark, _ := t.in.Peek(4)
	if bytes.HasPrefix(mark, []byte("\ufeff")) {
		t.in.Discard(3) // cannot fail after Peek
	} else if string(mark) == "PK\x03\x04" {
		return nil, errors.New("it is a zip, not a table of text")
	} else if len(mark) > 1 && (mark[0] == 0xff && mark[1] == 0xfe || mark[0] == 0xfe && mark[1] == 0xff) {
		return nil, errors.New("it is UTF-16, not UTF-8")
	}
	err := t.Next()
	if err == io.EOF {
		return nil, ErrEmpty
	}
	if err != nil {
		return nil, err
	}
	for _, field := range t.fields {
		if bytes.ContainsFunc(field, control) {
			return nil, fmt.Errorf("it is binary, not a table of text: %s", t.Sample())
		}
		t.Columns = append(t.Columns, string(field))
	}
	return t, nil
}

// Column returns the index of a column; −1 where the table does not have it.
func (t *Table) Column(name string) int { return slices.Index(t.Columns, name) }

// At returns a field of the row, trimmed and valid until the next row; nil where the column or the field is missing.
func (t *Table) At(column int) []byte {
	if column < 0 || column >= len(t.fields) {
		return nil
	}
	return t.fields[column]
}

// Indent returns the number of leading spaces of a field; 0 where the field is empty. Some tables show their hierarchy by
// it.
func (t *Table) Indent(column int) int {
	if len(t.At(column)) == 0 {
		return 0
	}
	return utf8.RuneCount(t.raw[column]) - utf8.RuneCount(bytes.TrimLeftFunc(t.raw[column], unicode.IsSpace))
}

// Text returns a field of the row as a string; "" where it is missing.
func (t *Table) Text(column int) string { return string(t.At(column)) }

// TooLong reports whether the row has non-empty fields beyond the last column.
func (t *Table) TooLong() bool {
	for _, field := range t.fields[min(len(t.Columns), len(t.fields)):] {
		if len(field) > 0 {
			return true
		}
	}
	return false
}

// TooShort reports whether the row has fewer fields than there are columns.
func (t *Table) TooShort() bool { return len(t.fields) < len(t.Columns) }

// Next reads the next row that is not blank; io.EOF after the last one.
func (t *Table) Next() error {
	for {
		t.record, t.Line = t.record[:0], t.next
		if err := t.readLine(); err != nil {
			return err
		}
		for t.open() {
			if t.next-t.Line >= maxLines {
				return fmt.Errorf("a quote in line %d is never closed", t.Line)
			}
			if err := t.readLine(); err == io.EOF {
				return fmt.Errorf("a quote in line %d is never closed", t.Line)
			} else if err != nil {
				return err
			}
		}
		t.decode()
		t.split()
		if slices.ContainsFunc(t.fields, func(f []byte) bool { return len(f) > 0 }) {
			return nil
		}
	}
}

// readLine appends a line, including its end, to the record.
func (t *Table) readLine() error {
	start := len(t.record)
	for {
		part, err := t.in.ReadSlice('\n')
		t.record = append(t.record, part...)
		switch {
		case err == nil || err == io.EOF && len(t.record) > start:
			t.next++
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		case len(t.record)-start > maxLine:
			return fmt.Errorf("line %d is longer than %d bytes", t.next, maxLine)
		}
	}
}

// open reports whether a quoted field of the record is not closed yet.
func (t *Table) open() bool {
	if bytes.IndexByte(t.record, '"') < 0 {
		return false
	}
	_, closed := quotedFields(nil, t.record, nil, t.comma)
	return !closed
}

func (t *Table) decode() {
	if t.Foreign = !utf8.Valid(t.record); t.Foreign {
		if decoded, err := charmap.Windows1252.NewDecoder().Bytes(t.record); err == nil {
			t.record = decoded
		}
	}
}

// split splits the record into fields.
func (t *Table) split() {
	if bytes.IndexByte(t.record, '"') >= 0 {
		t.raw, _ = quotedFields(t.raw[:0], t.record, t.record[:0], t.comma)
	} else {
		t.raw = plainFields(t.raw[:0], t.record, t.comma)
	}
	t.fields = t.fields[:0]
	for _, field := range t.raw {
		t.fields = append(t.fields, bytes.TrimSpace(field))
	}
}

// plainFields splits a record without quotes.
func plainFields(fields [][]byte, record []byte, separator byte) [][]byte {
	for {
		comma := bytes.IndexByte(record, separator)
		if comma < 0 {
			return append(fields, record)
		}
		fields, record = append(fields, record[:comma]), record[comma+1:]
	}
}

// quotedFields splits a record with quotes and writes the fields to out, which may be the record's own memory, because
// fields only become shorter, or nil to compute only closed. A quote has a meaning only at the beginning of a field; two
// quotes inside it are one, and text after the closing quote is kept:
//
//	"a ""b"" c"d,e"f is the fields a "b" cd and e"f
//
// closed is false where the record ends within quotes.
func quotedFields(fields [][]byte, record, out []byte, separator byte) (_ [][]byte, closed bool) {
	write := out != nil
	start, quoted, blank := len(out), false, true
	for i := 0; i < len(record); i++ {
		switch c := record[i]; {
		case quoted && c == '"' && i+1 < len(record) && record[i+1] == '"':
			i++
			out = appendIf(out, '"', write)
		case quoted && c == '"':
			quoted = false
		case !quoted && blank && c == '"':
			quoted, blank = true, false
			out = out[:start]
		case !quoted && c == separator:
			if write {
				fields = append(fields, out[start:])
			}
			start, blank = len(out), true
		default:
			blank = blank && (c == ' ' || c == '\t')
			out = appendIf(out, c, write)
		}
	}
	if write {
		fields = append(fields, out[start:])
	}
	return fields, !quoted
}

func appendIf(out []byte, c byte, write bool) []byte {
	if write {
		return append(out, c)
	}
	return out
}

// Sample returns the beginning of the row for messages, with control characters escaped.
func (t *Table) Sample() string {
	const maxBytes = 80
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.record[:min(len(t.record), maxBytes)]), "\uFFFD"))
	if strings.ContainsFunc(text, control) {
		return strconv.Quote(text)
	}
	return text
}

// control reports whether a character is a control character, which a terminal would interpret.
func control(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
