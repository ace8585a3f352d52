package sqlitepages

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
)

// lockByte is in a page that SQLite uses for locks and for nothing else.
const lockByte = 1 << 30

// Offsets in the header of a file.
const (
	pageSizeAt  = 16
	pageCountAt = 28
	headerBytes = 32
)

// child is a page with the last row that it leads to.
type child struct {
	page uint32
	last int64
}

// Writer appends the pages of a table to a file. The file must not be open otherwise.
type Writer struct {
	file   *os.File
	out    *bufio.Writer
	size   int
	root   uint32 // page of the table's root
	next   uint32 // number of the page that is written next
	leaves []child
}

// Append opens a file to fill an empty table, of which the root page is given (sqlite_schema.rootpage).
func Append(path string, root uint32) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: f, out: bufio.NewWriterSize(f, 1<<20), root: root}
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		w.size, err = pageSize(f)
	}
	if err == nil && end%int64(w.size) != 0 {
		err = errors.New("no whole number of pages")
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w.next = uint32(end/int64(w.size)) + 1
	return w, nil
}

func pageSize(f *os.File) (int, error) {
	var header [headerBytes]byte
	_, err := f.ReadAt(header[:], 0)
	size := int(binary.BigEndian.Uint16(header[pageSizeAt:]))
	if err == nil && size < 512 {
		err = fmt.Errorf("pages of %d bytes", size)
	}
	return size, err
}

// Add appends leaf pages, of Leaves or Reader, whose rows follow those before.
func (w *Writer) Add(pages []byte) error {
	for len(pages) > 0 {
		if err := w.skipLock(); err != nil {
			return err
		}
		length := int64(len(pages))
		if lock := lockByte - w.offset(w.next); lock > 0 {
			length = min(length, lock)
		}
		for page := range slices.Chunk(pages[:length], w.size) {
			last, err := lastRow(page)
			if err != nil {
				return err
			}
			w.leaves = append(w.leaves, child{w.next, last})
			w.next++
		}
		if _, err := w.out.Write(pages[:length]); err != nil {
			return err
		}
		pages = pages[length:]
	}
	return nil
}

// put appends a page.
func (w *Writer) put(data []byte) (page uint32, err error) {
	if err := w.skipLock(); err != nil {
		return 0, err
	}
	_, err = w.out.Write(data)
	w.next++
	return w.next - 1, err
}

// skipLock leaves the page of the lock byte empty.
func (w *Writer) skipLock() error {
	if w.offset(w.next) != lockByte {
		return nil
	}
	w.next++
	_, err := w.out.Write(make([]byte, w.size))
	return err
}

// lastRow is the number of the last row of a leaf page.
func lastRow(page []byte) (int64, error) {
	cells := int(binary.BigEndian.Uint16(page[3:]))
	at := leafHeader + pointerBytes*(cells-1)
	if page[0] != leafKind || cells == 0 || at+pointerBytes > len(page) {
		return 0, errors.New("no leaf page")
	}
	cell := page[min(int(binary.BigEndian.Uint16(page[at:])), len(page)):]
	_, n := varint(cell)
	row, m := varint(cell[n:])
	if n == 0 || m == 0 {
		return 0, errors.New("damaged leaf page")
	}
	return int64(row), nil
}

// Finish appends the inner pages, writes the root and closes the file.
func (w *Writer) Finish() error {
	defer w.Close()
	level, root := w.leaves, []byte(nil)
	for root == nil && len(level) > 1 {
		pages, above := inner(level, w.size)
		if len(pages) == 1 {
			root = pages[0]
			break
		}
		for n, page := range pages {
			var err error
			if above[n].page, err = w.put(page); err != nil {
				return err
			}
		}
		level = above
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if len(w.leaves) == 1 { // the only leaf is the root
		root = make([]byte, w.size)
		if _, err := w.file.ReadAt(root, w.offset(w.leaves[0].page)); err != nil {
			return err
		}
		w.next--
		if err := w.file.Truncate(w.offset(w.next)); err != nil {
			return err
		}
	}
	if root != nil {
		if _, err := w.file.WriteAt(root, w.offset(w.root)); err != nil {
			return err
		}
	}
	if _, err := w.file.WriteAt(binary.BigEndian.AppendUint32(nil, w.next-1), pageCountAt); err != nil {
		return err
	}
	return w.Close()
}

func (w *Writer) offset(page uint32) int64 { return (int64(page) - 1) * int64(w.size) }

// Close closes the file, if it is open.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.Close()
}

// inner are the pages above some, two at least, and the last row of each.
func inner(level []child, size int) (pages [][]byte, above []child) {
	fan := (size - innerHeader) / (pointerBytes + 4 + maxVarint)
	count := (len(level) + fan - 1) / fan
	for n := range count {
		group := level[len(level)*n/count : len(level)*(n+1)/count]
		p := newPage(size, innerKind, innerHeader)
		for _, c := range group[:len(group)-1] {
			p.add(appendVarint(binary.BigEndian.AppendUint32(nil, c.page), uint64(c.last)))
		}
		right := group[len(group)-1]
		binary.BigEndian.PutUint32(p.data[8:], right.page)
		pages, above = append(pages, p.finish()), append(above, child{last: right.last})
	}
	return pages, above
}

// Reader reads the leaf pages of a table that a Writer wrote.
type Reader struct {
	file   *os.File
	size   int
	pages  int64 // of the file that were not visited
	leaves []child
}

// Open opens the table of a file with a root page.
func Open(path string, root uint32) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{file: f}
	info, err := f.Stat()
	if err == nil {
		r.size, err = pageSize(f)
	}
	if err == nil {
		r.pages = info.Size() / int64(r.size)
		err = r.walk(child{page: root, last: unknown})
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

const unknown = -1 // last row

// walk adds the leaves below a page.
func (r *Reader) walk(c child) error {
	data, err := r.read(c.page, 1)
	if err != nil {
		return err
	}
	if data[0] != innerKind {
		if c.last == unknown && data[0] == leafKind && binary.BigEndian.Uint16(data[3:]) == 0 {
			return nil // a table without rows
		}
		if c.last == unknown {
			c.last, err = lastRow(data)
		}
		r.leaves = append(r.leaves, c)
		return err
	}
	children, err := childrenOf(data, c.last)
	if r.pages -= int64(len(children)); err != nil || r.pages < 0 {
		return errors.Join(err, errors.New("damaged inner page"))
	}
	if first, err := r.read(children[0].page, 1); err != nil || first[0] == innerKind {
		for _, below := range children {
			if err = errors.Join(err, r.walk(below)); err != nil {
				return err
			}
		}
		return err
	}
	last := len(children) - 1
	r.leaves = append(r.leaves, children[:last]...)
	return r.walk(children[last])
}

// childrenOf are the pages below an inner page, which leads to a last row.
func childrenOf(data []byte, last int64) (list []child, err error) {
	for n := range int(binary.BigEndian.Uint16(data[3:])) {
		at := innerHeader + pointerBytes*n
		if at+pointerBytes > len(data) {
			return nil, errors.New("too many cells")
		}
		cell := data[min(int(binary.BigEndian.Uint16(data[at:])), len(data)-4):]
		row, _ := varint(cell[4:])
		list = append(list, child{binary.BigEndian.Uint32(cell), int64(row)})
	}
	return append(list, child{binary.BigEndian.Uint32(data[8:]), last}), nil
}

func (r *Reader) read(number uint32, count int) ([]byte, error) {
	data := make([]byte, count*r.size)
	_, err := r.file.ReadAt(data, (int64(number)-1)*int64(r.size))
	return data, err
}

// Bytes is the length of all leaf pages.
func (r *Reader) Bytes() int64 { return int64(len(r.leaves)) * int64(r.size) }

// Pages are the leaf pages whose last rows are in a range, both included, in memory that is overwritten if they fit in it.
func (r *Reader) Pages(memory []byte, first, last int64) ([]byte, error) {
	from := sort.Search(len(r.leaves), func(n int) bool { return r.leaves[n].last >= first })
	to := sort.Search(len(r.leaves), func(n int) bool { return r.leaves[n].last > last })
	if from >= to {
		return memory[:0], nil
	}
	length := (to - from) * r.size
	pages := slices.Grow(memory[:0], length)[:length]
	for rest := pages; from < to; {
		run := 1
		for from+run < to && r.leaves[from+run].page == r.leaves[from].page+uint32(run) {
			run++
		}
		if _, err := r.file.ReadAt(rest[:run*r.size], (int64(r.leaves[from].page)-1)*int64(r.size)); err != nil {
			return nil, err
		}
		rest, from = rest[run*r.size:], from+run
	}
	return pages, nil
}
