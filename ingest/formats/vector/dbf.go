package vector

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"
)

// dbase reads the attribute table of a shapefile, a dBASE III to 7 file.
type dbase struct {
	reader  *bufio.Reader
	columns []column
	rows    int // by the header
	row     int // read so far
	record  []byte
	decode  decoder
}

type column struct {
	name   string
	kind   byte // 'C' text, 'N' and 'F' number, 'D' date, 'L' boolean, 'I' and 'O' binary numbers; others are not read
	offset int
	length int
}

// openDBase reads the header. size is the size of the file in bytes, which must be enough for the rows of the header.
func openDBase(r io.Reader, size int64, named decoder) (*dbase, error) {
	var head [32]byte
	d := &dbase{reader: bufio.NewReaderSize(r, 64<<10), decode: named}
	if _, err := io.ReadFull(d.reader, head[:]); err != nil {
		return nil, bad("the .dbf ends within its header")
	}
	rows, headLength, recordLength := binary.LittleEndian.Uint32(head[4:]), int(binary.LittleEndian.Uint16(head[8:])),
		int(binary.LittleEndian.Uint16(head[10:]))
	if headLength < 33 || recordLength < 1 {
		return nil, bad("the .dbf has no columns")
	}
	if need := int64(headLength) + int64(rows)*int64(recordLength); need > size {
		return nil, bad("the .dbf is truncated: it has %d bytes for %d rows, which need %d", size, rows, need)
	}
	d.rows, d.record = int(rows), make([]byte, recordLength)
	switch language := head[29]; {
	case d.decode != nil:
	case language == 0x01:
		d.decode = from(charmap.CodePage437)
	case language == 0x02:
		d.decode = from(charmap.CodePage850)
	default:
		d.decode = guess
	}
	fields := make([]byte, headLength-32)
	if _, err := io.ReadFull(d.reader, fields); err != nil {
		return nil, bad("the .dbf ends within its list of columns")
	}
	return d, d.readColumns(fields)
}

// readColumns reads descriptors of 32 bytes up to a carriage return.
func (d *dbase) readColumns(fields []byte) error {
	const size = 32
	offset := 1 // after the flag of deleted rows
	for ; len(fields) >= size && fields[0] != '\r'; fields = fields[size:] {
		name, _, _ := bytes.Cut(fields[:11], []byte{0})
		c := column{name: strings.TrimSpace(d.decode(name)), kind: fields[11], offset: offset, length: int(fields[16])}
		if c.kind == 'C' {
			c.length += int(fields[17]) << 8
		}
		offset += c.length
		if offset > len(d.record) {
			return bad("column %s of the .dbf extends beyond its rows", c.name)
		}
		d.columns = append(d.columns, c)
	}
	if len(d.columns) == 0 {
		return bad("the .dbf has no columns")
	}
	return nil
}

func (d *dbase) names() []string {
	names := make([]string, len(d.columns))
	for i, c := range d.columns {
		names[i] = c.name
	}
	return names
}

// next reads a row, which may be marked as deleted, or returns io.EOF after the last one.
func (d *dbase) next() (attributes map[string]string, deleted bool, err error) {
	if d.row == d.rows {
		return nil, false, io.EOF
	}
	if _, err := io.ReadFull(d.reader, d.record); err != nil {
		return nil, false, bad("the .dbf ends within row %d of %d", d.row+1, d.rows)
	}
	d.row++
	attributes = make(map[string]string, len(d.columns))
	for _, c := range d.columns {
		setText(attributes, c.name, d.text(c))
	}
	return attributes, d.record[0] == '*', nil
}

// text returns a column's value in the current row; "" where it is null.
func (d *dbase) text(c column) string {
	raw := d.record[c.offset : c.offset+c.length]
	switch c.kind {
	case 'C':
		raw, _, _ = bytes.Cut(raw, []byte{0})
		return d.decode(bytes.TrimRight(raw, " "))
	case 'N', 'F':
		number := strings.Trim(string(raw), " \x00")
		if strings.HasPrefix(number, "*") { // a number that did not fit the column
			return ""
		}
		return plainDecimal(number)
	case 'D':
		date, err := time.Parse("20060102", string(raw))
		if err != nil {
			return ""
		}
		return date.Format(time.DateOnly)
	case 'L':
		if c.length != 1 {
			return ""
		}
		switch raw[0] {
		case 'T', 't', 'Y', 'y':
			return "true"
		case 'F', 'f', 'N', 'n':
			return "false"
		}
	case 'I', '+':
		if c.length == 4 {
			return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(raw))))
		}
	case 'O', 'B':
		if c.length == 8 {
			return plainDecimal(strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(raw)), 'f', -1, 64))
		}
	}
	return ""
}
