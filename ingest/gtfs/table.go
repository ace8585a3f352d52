package gtfs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"quartier/ingest/source"
)

// table reads one file of a feed row by row: comma-separated, fields quoted or not, lines ended by LF or CRLF, a byte
// order mark or none, columns in any order, blank lines anywhere. It holds one row. Rows that are not UTF-8 are taken
// as windows-1252.
type table struct {
	name    string
	in      *bufio.Reader
	columns []string // of the header
	record  []byte   // the row
	fields  [][]byte // of the row, trimmed; slices of record
	line    int      // that the row begins at
	next    int      // that the next row begins at
	foreign bool     // the row was not UTF-8
}

// What a row may be at most: more lines are a quote that nobody closed, and longer ones no table.
const (
	mostLines   = 64
	longestLine = 1 << 20 // bytes
)

var errNoRows = errors.New("it is empty")

// newTable reads the header.
func newTable(name string, r io.Reader) (*table, error) {
	t := &table{name: name, in: bufio.NewReaderSize(r, 64<<10), next: 1}
	if mark, _ := t.in.Peek(3); string(mark) == "\ufeff" {
		t.in.Discard(3) // cannot fail: it was peeked at
	} else if len(mark) > 1 && (mark[0] == 0xff && mark[1] == 0xfe || mark[0] == 0xfe && mark[1] == 0xff) {
		return nil, errors.New("it is UTF-16, not UTF-8")
	}
	err := t.row()
	if err == io.EOF {
		return nil, errNoRows
	}
	if err != nil {
		return nil, err
	}
	for _, field := range t.fields {
		t.columns = append(t.columns, string(field))
	}
	return t, nil
}

// column is the place of a column; -1 where it is not there.
func (t *table) column(name string) int { return slices.Index(t.columns, name) }

// at is a field of the row; nothing where the column or the rest of the row is not there.
func (t *table) at(column int) []byte {
	if column < 0 || column >= len(t.fields) {
		return nil
	}
	return t.fields[column]
}

func (t *table) text(column int) string { return string(t.at(column)) }

// tooLong tells of a row with filled fields behind the last column.
func (t *table) tooLong() bool {
	for _, field := range t.fields[min(len(t.columns), len(t.fields)):] {
		if len(field) > 0 {
			return true
		}
	}
	return false
}

// row reads the next row that is not blank. It ends with io.EOF.
func (t *table) row() error {
	for {
		t.record, t.line = t.record[:0], t.next
		if err := t.readLine(); err != nil {
			return err
		}
		for open(t.record) {
			if t.next-t.line >= mostLines {
				return fmt.Errorf("a quote in line %d is never closed", t.line)
			}
			if err := t.readLine(); err == io.EOF {
				return fmt.Errorf("a quote in line %d is never closed", t.line)
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
func (t *table) readLine() error {
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
func open(record []byte) bool {
	if bytes.IndexByte(record, '"') < 0 {
		return false
	}
	_, closed := quotedFields(nil, record, nil)
	return !closed
}

func (t *table) decode() {
	if t.foreign = !utf8.Valid(t.record); t.foreign {
		if decoded, err := charmap.Windows1252.NewDecoder().Bytes(t.record); err == nil {
			t.record = decoded
		}
	}
}

// split cuts the record into fields.
func (t *table) split() {
	if bytes.IndexByte(t.record, '"') >= 0 {
		t.fields, _ = quotedFields(t.fields[:0], t.record, t.record[:0])
		return
	}
	t.fields = t.fields[:0]
	rest := t.record
	for {
		comma := bytes.IndexByte(rest, ',')
		if comma < 0 {
			t.fields = append(t.fields, bytes.TrimSpace(rest))
			return
		}
		t.fields = append(t.fields, bytes.TrimSpace(rest[:comma]))
		rest = rest[comma+1:]
	}
}

// quotedFields cuts a record with quotes into fields, which are written to out; out may be the record's own memory,
// because fields only become shorter, or nil where only closed is asked for. A quote counts at the beginning of a field alone, two of them inside are one, and
// text behind a closing quote is taken as it stands. closed is false where the record ends inside of quotes.
func quotedFields(fields [][]byte, record, out []byte) (_ [][]byte, closed bool) {
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
		case !quoted && c == ',':
			if write {
				fields = append(fields, bytes.TrimSpace(out[begun:]))
			}
			begun, blank = len(out), true
		default:
			blank = blank && (c == ' ' || c == '\t')
			out = keep(out, c, write)
		}
	}
	if write {
		fields = append(fields, bytes.TrimSpace(out[begun:]))
	}
	return fields, !quoted
}

func keep(out []byte, c byte, write bool) []byte {
	if write {
		return append(out, c)
	}
	return out
}

// reading is a table of a feed that is being read, with the sink that hears of its rows.
type reading struct {
	*table
	ctx    context.Context
	out    source.Sink
	path   string // of the feed
	close  func() error
	unread int // rows that Read has not heard of yet
}

// batch is how many rows are counted at a time, and how often a cancelled context is looked for.
const batch = 1024

// each visits the rows of the table; visit says why a row is left out, "" where it is not. It ends with an error of the
// file, the context's, or the one that visit has put into failed, which may be nil.
func (r *reading) each(visit func() (source.Severity, string), failed *error) error {
	defer r.close()
	for {
		if failed != nil && *failed != nil {
			return *failed
		}
		if r.unread%batch == 0 {
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		err := r.row()
		if err == io.EOF {
			r.out.Read(r.unread)
			return nil
		}
		if err != nil {
			return source.BadFile(r.path, "%s: %v", r.name, err)
		}
		if r.unread++; r.unread == batch {
			r.out.Read(r.unread)
			r.unread = 0
		}
		severity, reason := source.Rejected, "more fields than columns"
		if !r.tooLong() {
			severity, reason = visit()
		}
		if reason != "" {
			r.out.Issue(severity, reason, r.where())
		}
		if r.foreign {
			r.out.Issue(source.Repaired, "not UTF-8, read as windows-1252", r.where())
		}
	}
}

// where names the row for people.
func (r *reading) where() string {
	const longest = 80
	text := strings.ToValidUTF8(string(r.record[:min(len(r.record), longest)]), "\uFFFD")
	return fmt.Sprintf("%s line %d: %s", r.name, r.line, strings.TrimSpace(text))
}

// repaired counts the row as mended.
func (r *reading) repaired(reason string) { r.out.Issue(source.Repaired, reason, r.where()) }
