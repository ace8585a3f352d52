// Package table reads tables of text as publishers write them: comma-separated, fields quoted or not, lines ended by LF
// or CRLF, a byte order mark or none, columns in any order, blank lines anywhere. In goes a stream, out come its rows one
// by one; of the stream no more than a row is held.
package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Table is a table that is being read. Rows that are not UTF-8 are taken as windows-1252.
type Table struct {
	Columns []string // of the header
	Line    int      // that the row begins at, 1 the first
	Foreign bool     // the row was not UTF-8

	in     *bufio.Reader
	comma  byte     // that stands between fields
	record []byte   // the row
	raw    [][]byte // fields of the row, as they stand inside of their quotes; slices of record
	fields [][]byte // the same, trimmed
	next   int      // that the next row begins at
}

// What a row may be at most: more lines are a quote that nobody closed, and longer ones no table.
const (
	mostLines   = 64
	longestLine = 1 << 20 // bytes
)

// ErrEmpty says that there is not even a header.
var ErrEmpty = errors.New("it is empty")

// New reads the header of a table with commas between its fields. Errors say nothing of the file's name.
func New(r io.Reader) (*Table, error) { return NewSeparated(r, ',') }

// NewSeparated is New for a table with another byte between its fields, which is no space, quote or end of line.
func NewSeparated(r io.Reader, comma byte) (*Table, error) {
	t := &Table{in: bufio.NewReaderSize(r, 64<<10), comma: comma, next: 1}
	mark, _ := t.in.Peek(4)
	if bytes.HasPrefix(mark, []byte("\ufeff")) {
		t.in.Discard(3) // cannot fail: it was peeked at
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

// Column is the place of a column; -1 where it is not there.
func (t *Table) Column(name string) int { return slices.Index(t.Columns, name) }

// At is a field of the row, valid until the next one; nothing where the column or the rest of the row is not there.
func (t *Table) At(column int) []byte {
	if column < 0 || column >= len(t.fields) {
		return nil
	}
	return t.fields[column]
}

// Indent is the number of characters that a field of the row begins with and At leaves out, 0 where At has nothing:
// some tables tell by it what belongs under what.
func (t *Table) Indent(column int) int {
	if len(t.At(column)) == 0 {
		return 0
	}
	return utf8.RuneCount(t.raw[column]) - utf8.RuneCount(bytes.TrimLeftFunc(t.raw[column], unicode.IsSpace))
}

// Text is a field of the row, "" as At has nothing.
func (t *Table) Text(column int) string { return string(t.At(column)) }

// TooLong tells of a row with filled fields behind the last column.
func (t *Table) TooLong() bool {
	for _, field := range t.fields[min(len(t.Columns), len(t.fields)):] {
		if len(field) > 0 {
			return true
		}
	}
	return false
}

// TooShort tells of a row with fewer fields than there are columns.
func (t *Table) TooShort() bool { return len(t.fields) < len(t.Columns) }

// Next reads the next row that is not blank. It ends with io.EOF.
func (t *Table) Next() error {
	for {
		t.record, t.Line = t.record[:0], t.next
		if err := t.readLine(); err != nil {
			return err
		}
		for t.open() {
			if t.next-t.Line >= mostLines {
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

// readLine adds a line, its end included, to the record.
func (t *Table) readLine() error {
	begun := len(t.record)
	for {
		part, err := t.in.ReadSlice('\n')
		t.record = append(t.record, part...)
		switch {
		case err == nil || err == io.EOF && len(t.record) > begun:
			t.next++
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		case len(t.record)-begun > longestLine:
			return fmt.Errorf("line %d is over %d bytes long", t.next, longestLine)
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

// split cuts the record into fields.
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

// plainFields cuts a record without quotes into fields.
func plainFields(fields [][]byte, record []byte, separator byte) [][]byte {
	for {
		comma := bytes.IndexByte(record, separator)
		if comma < 0 {
			return append(fields, record)
		}
		fields, record = append(fields, record[:comma]), record[comma+1:]
	}
}

// quotedFields cuts a record with quotes into fields, which are written to out; out may be the record's own memory,
// because fields only become shorter, or nil where only closed is asked for. A quote counts at the beginning of a field alone, two of them inside are one, and
// text behind a closing quote is taken as it stands. closed is false where the record ends inside of quotes.
func quotedFields(fields [][]byte, record, out []byte, separator byte) (_ [][]byte, closed bool) {
	write := out != nil
	begun, quoted, blank := len(out), false, true
	for i := 0; i < len(record); i++ {
		switch c := record[i]; {
		case quoted && c == '"' && i+1 < len(record) && record[i+1] == '"':
			i++
			out = keep(out, '"', write)
		case quoted && c == '"':
			quoted = false
		case !quoted && blank && c == '"':
			quoted, blank = true, false
			out = out[:begun]
		case !quoted && c == separator:
			if write {
				fields = append(fields, out[begun:])
			}
			begun, blank = len(out), true
		default:
			blank = blank && (c == ' ' || c == '\t')
			out = keep(out, c, write)
		}
	}
	if write {
		fields = append(fields, out[begun:])
	}
	return fields, !quoted
}

func keep(out []byte, c byte, write bool) []byte {
	if write {
		return append(out, c)
	}
	return out
}

// Sample is the beginning of the row as it stands, for messages: what is no text is written as in Go, \x00.
func (t *Table) Sample() string {
	const longest = 80
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.record[:min(len(t.record), longest)]), "\uFFFD"))
	if strings.ContainsFunc(text, control) {
		return strconv.Quote(text)
	}
	return text
}

// control reports whether a character is one that no text has: a terminal would obey it.
func control(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
