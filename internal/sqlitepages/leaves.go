// Package sqlitepages writes a table of many rows into a SQLite file as the pages of its b-tree, at many times the speed of
// INSERT. The pages of a run of rows depend on these rows alone, so that they can be copied from one file to another.
//
// A leaf page (https://www.sqlite.org/fileformat2.html, section 1.6), integers being big-endian:
//
//	0   1     0x0D
//	1   2     zeros: no free block
//	3   2     number of cells
//	5   2     where the first byte of the cells is
//	7   1     zero: no fragments
//	8   2 …   where each cell is, by row
//	…         the cells, the last row first, to the end of the page: length of the record and row as varints, then the record
//
// An inner page begins with 0x05 and has its rightmost child in four bytes after the header. Its cells are a child and the
// last row of it as a varint.
package sqlitepages

import (
	"encoding/binary"
	"math"
)

const (
	leafKind, leafHeader   = 0x0D, 8
	innerKind, innerHeader = 0x05, 12
	pointerBytes           = 2
)

// Leaves makes leaf pages of rows.
type Leaves struct {
	size  int    // of a page
	pages []byte // full pages
	page  page
}

// NewLeaves makes pages of a size in bytes, the first ones in memory that is overwritten; nil: none.
func NewLeaves(size int, memory []byte) *Leaves {
	return &Leaves{size: size, pages: memory[:0], page: newPage(size, leafKind, leafHeader)}
}

// Add adds a row; rows ascend.
func (l *Leaves) Add(row int64, r *Record) {
	var head [2 * maxVarint]byte
	cell := appendVarint(appendVarint(head[:0], uint64(len(r.types)+1+len(r.values))), uint64(row))
	cell = append(cell, byte(len(r.types)+1))
	if !l.page.add(cell, r.types, r.values) {
		l.end()
		l.page.add(cell, r.types, r.values)
	}
}

// Take returns the pages of the rows since the last call.
func (l *Leaves) Take() []byte {
	l.end()
	pages := l.pages
	l.pages = nil
	return pages
}

func (l *Leaves) end() {
	if l.page.cells > 0 {
		l.pages = append(l.pages, l.page.finish()...)
		l.page.reset(leafKind)
	}
}

// page is a page in the making.
type page struct {
	data        []byte
	header      int
	cells, from int // number of cells, and where they begin
}

func newPage(size int, kind byte, header int) page {
	p := page{data: make([]byte, size), header: header}
	p.reset(kind)
	return p
}

// reset removes the cells.
func (p *page) reset(kind byte) {
	clear(p.data)
	p.data[0] = kind
	p.cells, p.from = 0, len(p.data)
}

// add adds a cell of some parts; false if there is no room for it.
func (p *page) add(parts ...[]byte) bool {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	at := p.header + pointerBytes*p.cells
	if at+pointerBytes > p.from-length {
		return false
	}
	p.from -= length
	binary.BigEndian.PutUint16(p.data[at:], uint16(p.from))
	p.cells++
	to := p.from
	for _, part := range parts {
		to += copy(p.data[to:], part)
	}
	return true
}

func (p *page) finish() []byte {
	binary.BigEndian.PutUint16(p.data[3:], uint16(p.cells))
	binary.BigEndian.PutUint16(p.data[5:], uint16(p.from))
	return p.data
}

// Record is the values of a row, at most 126 of them, which together are shorter than a page.
type Record struct{ types, values []byte }

// Reset removes the values.
func (r *Record) Reset() { r.types, r.values = r.types[:0], r.values[:0] }

// Null adds NULL, which stands for the number of the row too.
func (r *Record) Null() { r.types = append(r.types, 0) }

// Int adds an integer.
func (r *Record) Int(v int64) {
	const (
		zero, one = 8, 9
		widest    = 6
	)
	if v == 0 || v == 1 {
		r.types = append(r.types, zero+byte(v))
		return
	}
	for kind, width := range [...]int{0, 1, 2, 3, 4, 6, 8} {
		if kind > 0 && (kind == widest || v>>(8*width-1) == v>>63) {
			var b [8]byte
			binary.BigEndian.PutUint64(b[:], uint64(v))
			r.types, r.values = append(r.types, byte(kind)), append(r.values, b[8-width:]...)
			return
		}
	}
}

// Float adds a number of a column of type REAL, in which SQLite too keeps whole numbers as integers.
func (r *Record) Float(v float64) {
	if whole := int64(v); float64(whole) == v && whole < 1<<47 && whole > -1<<47 {
		r.Int(whole)
		return
	}
	r.types, r.values = append(r.types, 7), binary.BigEndian.AppendUint64(r.values, math.Float64bits(v))
}

// Text adds a text of at most 57 bytes.
func (r *Record) Text(text string) {
	r.types, r.values = append(r.types, byte(13+2*len(text))), append(r.values, text...)
}

// maxVarint is the most bytes of a varint that is written: seven bits each, for numbers below 2^56.
const maxVarint = 8

// appendVarint appends a number below 2^56, the most significant bits first.
func appendVarint(dst []byte, v uint64) []byte {
	shift := 0
	for v>>shift >= 0x80 {
		shift += 7
	}
	for ; shift > 0; shift -= 7 {
		dst = append(dst, byte(v>>shift)|0x80)
	}
	return append(dst, byte(v)&0x7f)
}

// varint reads a number and its length; 0 if it does not end.
func varint(data []byte) (v uint64, n int) {
	for n, b := range data[:min(len(data), maxVarint)] {
		v = v<<7 | uint64(b&0x7f)
		if b < 0x80 {
			return v, n + 1
		}
	}
	return 0, 0
}
