// Package table reads delimited text row by row, as publishers write it: separated by comma, semicolon, tab or pipe, with or
// without quotes and lines of title before the header, lines that end in LF, CRLF or CR, UTF-8, UTF-16 or a code page. It
// finds how a file and the numbers of its columns are written, and keeps no more than one row in memory.
package table

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"quartier/ingest/source"
)

// Table is a table that is being read. Rows that are not in the encoding of the file are decoded as Windows-1252.
type Table struct {
	Name    string   // in messages; with Open that of the file
	Columns []string // of the header
	Line    int      // number of the row's first line, 1 the first
	Foreign bool     // the row was not UTF-8

	path     string    // with Open
	file     io.Closer // with Open
	dialect  Dialect
	notes    []note
	in       *bufio.Reader
	comma    byte           // separator of fields
	quotes   quoteState     // at the end of record
	record   []byte         // the row
	head     []byte         // its beginning, where splitting it changes it
	raw      [][]byte       // fields of the row without quotes; slices of record
	fields   [][]byte       // the same, trimmed
	next     int            // number of the next line
	decimals map[int]byte   // decimal mark by column, of FindNumbers
	twice    map[string]int // number of columns of a name that occurs more than once
}

// ErrEmpty is the error of a file without a header.
var ErrEmpty = errors.New("it is empty")

// Open opens a file, or a sheet of a workbook, and reads its header. Its errors and those of Each name the file and wrap
// source.ErrBadFile.
func Open(path string, d Dialect) (*Table, error) {
	file, err := openText(path, &d)
	if err != nil {
		return nil, err
	}
	t, err := New(file, d)
	if err != nil {
		file.Close()
		return nil, source.InFile(path, err)
	}
	t.Name, t.path, t.file = filepath.Base(path), path, file
	return t, nil
}

// Close closes the file of Open.
func (t *Table) Close() error { return t.file.Close() }

// Each calls take for each row until the end of the file, an error or the end of ctx, and counts the row as read.
func (t *Table) Each(ctx context.Context, out source.Sink, take func() error) error {
	t.Report(out)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.Next(); err == io.EOF {
			t.Report(out)
			return nil
		} else if err != nil {
			return source.InFile(t.path, err)
		}
		out.Read(1)
		if err := take(); err != nil {
			return err
		}
	}
}

// New reads the header of a table. Errors do not have the name of the file.
func New(r io.Reader, d Dialect) (*Table, error) {
	t := &Table{dialect: d, next: 1}
	if err := t.open(r); err != nil {
		return nil, err
	}
	header, err := t.find()
	if err != nil {
		return nil, err
	}
	for t.Line < header {
		if err := t.Next(); err == io.EOF {
			return nil, ErrEmpty
		} else if err != nil {
			return nil, err
		}
	}
	for _, field := range t.fields {
		if bytes.ContainsFunc(field, control) {
			return nil, fmt.Errorf("it is binary, not a table of text: %s", t.Sample())
		}
		t.Columns = append(t.Columns, string(field))
	}
	t.countNames()
	return t, nil
}

// countNames remembers the names that several columns have.
func (t *Table) countNames() {
	count := map[string]int{}
	for _, name := range t.Columns {
		count[name]++
	}
	t.twice = count
	for name, n := range count {
		if n == 1 || name == "" {
			delete(count, name)
		}
	}
}

// Column returns the index of a column; −1 where the table does not have it. Of several columns X, X#2 is the second one.
func (t *Table) Column(name string) int {
	if i := slices.Index(t.Columns, name); i >= 0 {
		return i
	}
	name, number, _ := strings.Cut(name, "#")
	n, err := strconv.Atoi(number)
	if err != nil || t.twice[name] == 0 {
		return -1
	}
	for i, column := range t.Columns {
		if column == name {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}

// Require returns an error where the table does not have one of the columns, or has several of that name. An empty name is
// not looked for.
func (t *Table) Require(names ...string) error {
	var missing []string
	for _, name := range names {
		if n := t.twice[name]; n > 0 {
			return fmt.Errorf("%d columns have the name %s; write %s#1 for the first of them, %s#2 for the second", n, name, name, name)
		}
		if name != "" && t.Column(name) < 0 && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return &source.NoColumns{Names: missing, Text: fmt.Sprintf("no column %s; there are: %s", strings.Join(missing, ", nor "), t.Names())}
}

// Names lists the first columns for messages.
func (t *Table) Names() string {
	const most = 20
	text := strings.Join(t.Columns[:min(most, len(t.Columns))], ", ")
	if len(t.Columns) > most {
		text += fmt.Sprintf(" and %d more", len(t.Columns)-most)
	}
	return text
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

// Rest returns the text from a column to the end of the row. It is the value of a last column that is not quoted although it
// has separators in it: 45.42,-75.69 or LINESTRING (-75.7 45.4, -75.6 45.4).
func (t *Table) Rest(column int) string {
	if column < 0 || column >= len(t.fields) {
		return ""
	}
	return string(bytes.Join(t.fields[column:], []byte{t.comma}))
}

// TooLong reports whether the row has non-empty fields beyond the last column.
func (t *Table) TooLong() bool {
	return slices.ContainsFunc(t.fields[min(len(t.Columns), len(t.fields)):], filled)
}

// TooShort reports whether the row has fewer fields than there are columns, columns without a name at the end apart.
func (t *Table) TooShort() bool {
	n := len(t.Columns)
	for n > 0 && t.Columns[n-1] == "" {
		n--
	}
	return len(t.fields) < n
}

func filled(field []byte) bool { return len(field) > 0 }

// Next reads the next row that is not blank; io.EOF after the last one.
func (t *Table) Next() error {
	for {
		t.record, t.quotes, t.Line = t.record[:0], quoteState{blank: true}, t.next
		for {
			err := t.readLine()
			if err == io.EOF && t.quotes.open || err == nil && t.quotes.open && t.next-t.Line >= source.MaxRowLines {
				return fmt.Errorf("a quote in line %d is never closed", t.Line)
			}
			if err != nil {
				return err
			}
			if !t.quotes.open {
				break
			}
		}
		t.decode()
		t.split()
		if len(t.fields) > source.MaxColumns {
			return source.TooLarge(fmt.Sprintf("line %d", t.Line), source.MaxColumns, "fields")
		}
		if slices.ContainsFunc(t.fields, filled) {
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
		if len(t.record) > source.MaxLine {
			return t.tooLong()
		}
		switch {
		case err == nil || err == io.EOF && len(t.record) > start:
			t.next++
			t.quotes.scan(t.record[start:], t.comma)
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

func (t *Table) tooLong() error {
	part := fmt.Sprintf("the row of line %d", t.Line)
	if t.quotes.open {
		part += ", whose quote may never be closed,"
	}
	return source.TooLarge(part, source.MaxLine, "bytes")
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
	t.head = t.head[:0]
	if bytes.IndexByte(t.record, '"') >= 0 {
		t.head = append(t.head, t.record[:min(len(t.record), sampleBytes)]...)
		t.raw = quotedFields(t.raw[:0], t.record, t.comma)
	} else {
		t.raw = plainFields(t.raw[:0], t.record, t.comma)
	}
	t.fields = t.fields[:0]
	for _, field := range t.raw {
		t.fields = append(t.fields, bytes.TrimSpace(field))
	}
}

// Here describes the row in messages, by file, line and beginning.
func (t *Table) Here() string {
	return fmt.Sprintf("%s line %d: %s", t.Name, t.Line, t.Sample())
}

// Value describes a field of the row in messages: lat "45°25'".
func (t *Table) Value(column int) string {
	return t.Columns[column] + " " + Shorten(t.Text(column))
}

const sampleBytes = 80

// Sample returns the beginning of the row for messages, with control characters escaped.
func (t *Table) Sample() string {
	head := t.head
	if len(head) == 0 {
		head = t.record[:min(len(t.record), sampleBytes)]
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(head), "\uFFFD"))
	if strings.ContainsFunc(text, control) {
		return strconv.Quote(text)
	}
	return text
}

// Shorten quotes a value for messages, of at most 60 characters.
func Shorten(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return strconv.Quote(text)
	}
	return `"` + text + `"`
}

// control reports whether a character is a control character, which a terminal would interpret.
func control(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
