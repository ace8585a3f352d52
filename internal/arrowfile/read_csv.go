package arrowfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/internal/filekind"
)

// Limits of CSV files.
const (
	maxRecord  = 16 << 20 // bytes of a row: a quote that is not closed makes the rest of the file one
	maxColumns = 10_000
)

// csvReader reads CSV: UTF-8 or UTF-16, with or without a byte order mark; cells separated by commas, semicolons, tabs or
// bars, whichever the line of names has most; lines that end in LF or CRLF; quotes as of RFC 4180. A quote inside a cell
// that does not begin with one is itself. An empty cell without quotes is NULL. Empty lines are left out.
type csvReader struct {
	in        *bufio.Reader
	file      io.Closer
	counted   *countingReader
	size      int64 // of the file; −1 not known
	separator byte
	options   ReadOptions
	schema    *arrow.Schema

	buffer []byte // what was read and not parsed is buffer[at:]
	at     int
	ended  bool // buffer has the end of the file
	line   int  // of buffer[at], the first being 1
	row    int64
	cells  []span
	text   []byte // of a cell whose quotes were doubled
	limit  int    // of a row
	begins []textColumn
}

// span is a cell of the buffer, without the quotes around it.
type span struct {
	from, to        int
	quoted, doubled bool // it had quotes; some inside are doubled
}

// textColumn is the cells of a column of the next rows.
type textColumn struct {
	data  []byte
	ends  []byte // four bytes each
	valid []byte
	nulls int
}

type countingReader struct {
	io.Reader
	bytes int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += int64(n)
	return n, err
}

func newCSVReader(file io.ReadCloser, size int64, o ReadOptions) (*csvReader, error) {
	r := &csvReader{file: file, counted: &countingReader{Reader: file}, size: size, options: o, line: 1, limit: maxRecord}
	var err error
	if r.in, err = textIn(r.counted, o.Encoding); err != nil {
		return nil, err
	}
	begin, err := r.in.Peek(sniffed)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	if is := filekind.Of(begin); is != "" {
		return nil, unreadable("it is %s", is)
	}
	r.separator = separatorOf(begin)
	return r, r.readNames()
}

// readNames reads the line of names.
func (r *csvReader) readNames() error {
	more, err := r.record()
	if err != nil {
		return err
	}
	if !more {
		return unreadable("it has no line of names")
	}
	if len(r.cells) > maxColumns {
		return unreadable("it has %d columns, at most %d are read", len(r.cells), maxColumns)
	}
	seen := map[string]bool{}
	var fields []arrow.Field
	for i, cell := range r.cells {
		text := string(r.cell(cell))
		switch {
		case !utf8.ValidString(text):
			return unreadable("the name of column %d is not UTF-8", i+1)
		case text == "":
			return unreadable("column %d of %d has no name", i+1, len(r.cells))
		case seen[text]:
			return unreadable("column %q is there twice", text)
		}
		seen[text] = true
		fields = append(fields, arrow.Field{Name: text, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	r.schema = arrow.NewSchema(fields, nil)
	r.begins = make([]textColumn, len(fields))
	return nil
}

func (r *csvReader) Schema() *arrow.Schema { return r.schema }
func (r *csvReader) Rows() int64           { return -1 }
func (r *csvReader) Close() error          { return r.file.Close() }

func (r *csvReader) Share() float64 {
	if r.size <= 0 {
		return -1
	}
	ahead := r.in.Buffered() + len(r.buffer) - r.at // as many bytes of the file, unless it is UTF-16
	return min(max(float64(r.counted.bytes-int64(ahead))/float64(r.size), 0), 1)
}

// Next implements Reader.
func (r *csvReader) Next() (arrow.Record, error) {
	rows, size := 0, 0
	for i := range r.begins {
		r.begins[i] = textColumn{ends: make([]byte, 4)}
	}
	for rows < r.options.Rows && size < r.options.Bytes {
		more, err := r.record()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		r.row++
		if err := r.take(rows); err != nil {
			return nil, err
		}
		for _, c := range r.cells {
			size += c.to - c.from + 4
		}
		rows++
	}
	if rows == 0 {
		return nil, io.EOF
	}
	columns := make([]arrow.Array, len(r.begins))
	for i := range r.begins {
		columns[i] = r.begins[i].array(rows)
		defer columns[i].Release()
	}
	return array.NewRecord(r.schema, columns, int64(rows)), nil
}

// take appends the cells of a row.
func (r *csvReader) take(row int) error {
	if len(r.cells) != len(r.begins) {
		return unreadable("row %d (line %d) has %d cells, the line of names has %d", r.row, r.line-1, len(r.cells), len(r.begins))
	}
	for i, cell := range r.cells {
		text := r.cell(cell)
		if !r.options.Foreign && !utf8.Valid(text) {
			return unreadable("row %d (line %d), column %s: %.40q is not UTF-8; if it is Windows-1252, say so by --encoding cp1252",
				r.row, r.line-1, r.schema.Field(i).Name, text)
		}
		r.begins[i].add(row, text, cell.quoted || len(text) > 0)
	}
	return nil
}

func (c *textColumn) add(row int, text []byte, known bool) {
	c.data = append(c.data, text...)
	c.ends = binary.LittleEndian.AppendUint32(c.ends, uint32(len(c.data)))
	if row%8 == 0 {
		c.valid = append(c.valid, 0)
	}
	if known {
		c.valid[row/8] |= 1 << (row % 8)
	} else {
		c.nulls++
	}
}

func (c *textColumn) array(rows int) arrow.Array {
	data := array.NewData(arrow.BinaryTypes.String, rows, []*memory.Buffer{
		memory.NewBufferBytes(c.valid), memory.NewBufferBytes(c.ends), memory.NewBufferBytes(c.data),
	}, nil, c.nulls, 0)
	defer data.Release()
	return array.NewStringData(data)
}

// cell is the text of a cell, valid until the next one.
func (r *csvReader) cell(c span) []byte {
	text := r.buffer[c.from:c.to]
	if !c.doubled {
		return text
	}
	r.text = r.text[:0]
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(r.text, text...)
		}
		r.text = append(r.text, text[:i+1]...)
		text = text[i+2:]
	}
}

// record finds the cells of the next row that is not an empty line; false at the end of the file.
func (r *csvReader) record() (bool, error) {
	for {
		more, err := r.oneRecord()
		if err != nil || !more {
			return false, err
		}
		if len(r.cells) > 1 || r.cells[0].quoted || r.cells[0].from < r.cells[0].to {
			return true, nil
		}
	}
}

// oneRecord finds the cells of the next row, for which it reads on where the buffer ends before.
func (r *csvReader) oneRecord() (bool, error) {
	for {
		end, lines, err := r.parse()
		if err != nil {
			return false, err
		}
		if end >= 0 {
			r.at, r.line = end, r.line+lines
			return true, nil
		}
		if r.ended {
			return false, nil // nothing was left
		}
		if err := r.fill(); err != nil {
			return false, err
		}
	}
}

// fill moves what is left to the front of the buffer and reads on.
func (r *csvReader) fill() error {
	left := copy(r.buffer, r.buffer[r.at:])
	r.buffer, r.at = r.buffer[:left], 0
	if left > r.limit {
		return unreadable("row %d, which begins in line %d, is longer than %d MB: a quote may not be closed", r.row+1, r.line, r.limit>>20)
	}
	if cap(r.buffer)-left < sniffed {
		grown := make([]byte, left, max(2*cap(r.buffer), 4*sniffed))
		copy(grown, r.buffer)
		r.buffer = grown
	}
	n, err := r.in.Read(r.buffer[left:cap(r.buffer)])
	r.buffer = r.buffer[:left+n]
	if err == io.EOF {
		r.ended, err = true, nil
	}
	return err
}
