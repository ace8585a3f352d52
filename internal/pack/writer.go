package pack

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
)

// Writer writes a pack file. Sections are opened with NewSection or NewLists and may be appended to in any interleaving;
// in the file they are in the order in which they were opened. Err and Close return the first error.
type Writer struct {
	path     string
	sections []*body
	err      error
}

// Create makes a Writer for a new file, which exists only after Close.
func Create(path string) (*Writer, error) {
	if !littleEndian {
		return nil, fmt.Errorf("pack %s: this machine is big-endian, which is not supported", path)
	}
	return &Writer{path: path}, nil
}

// Err is the first error so far.
func (w *Writer) Err() error { return w.err }

func (w *Writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("write pack %s: %w", w.path, err)
	}
}

// Section is an open section of a Writer.
type Section[T Element] struct {
	w    *Writer
	body *body
}

// NewSection opens a section. Its name of 1 to 48 bytes must be unique.
func NewSection[T Element](w *Writer, name string) *Section[T] {
	s := new(Section[T])
	s.open(w, name)
	return s
}

func (s *Section[T]) open(w *Writer, name string) {
	if name == "" || len(name) > nameSize || len(w.sections) >= maxEntries {
		w.fail(fmt.Errorf("section %q: empty or too long name, or too many sections", name))
	}
	for _, other := range w.sections {
		if other.name == name {
			w.fail(fmt.Errorf("duplicate section %q", name))
		}
	}
	s.w, s.body = w, &body{entry: entry{name: name, kind: kindOf[T]()}}
	w.sections = append(w.sections, s.body)
}

// Append adds elements to the section.
func (s *Section[T]) Append(values ...T) {
	if s.w.err == nil {
		s.w.fail(s.body.append(rawBytes(values), s.w.path))
	}
}

// AppendFrom is Append for values in f, which are copied from file to file when the section is written. All that a section
// copies is of one pack.
func (s *Section[T]) AppendFrom(f *File, values []T) {
	if data := rawBytes(values); s.w.err == nil && len(data) > 0 {
		s.w.fail(s.body.appendFrom(f, data, s.w.path))
	}
}

// Len is the number of elements so far.
func (s *Section[T]) Len() int { return int(s.body.length / s.body.kind.width()) }

// Put writes a whole section at once.
func Put[T Element](w *Writer, name string, values []T) {
	NewSection[T](w, name).Append(values...)
}

// PutLater is Put for values that stay as they are until Close, which writes them from where they are.
func PutLater[T Element](w *Writer, name string, values []T) {
	b := NewSection[T](w, name).body
	b.whole = rawBytes(values)
	b.length, b.crc = uint64(len(b.whole)), crc32.Checksum(b.whole, castagnoli)
}

// Abort discards what was written and leaves no file. After Close it does nothing.
func (w *Writer) Abort() {
	for _, b := range w.sections {
		b.close()
	}
	w.sections = nil
	w.fail(os.ErrClosed)
}

// Close writes the file and syncs it to the disk. On error it leaves no file.
func (w *Writer) Close() error {
	defer w.Abort()
	if w.err != nil {
		return w.err
	}
	f, err := os.Create(w.path)
	if err != nil {
		w.fail(err)
		return w.err
	}
	if err := cmp.Or(w.writeTo(f), f.Sync(), f.Close()); err != nil {
		f.Close()
		os.Remove(w.path)
		w.fail(err)
		return w.err
	}
	return nil
}

func (w *Writer) writeTo(f *os.File) error {
	out := bufio.NewWriterSize(f, 1<<20)
	var zeros [alignment]byte
	out.Write(zeros[:headerSize]) // Flush returns the first error of the writes
	at := uint64(headerSize)
	for _, b := range w.sections {
		b.offset = at
		if b.spill == nil {
			out.Write(b.whole)
			out.Write(b.buffer)
		} else if err := cmp.Or(out.Flush(), b.writeTo(f)); err != nil {
			return err
		}
		pad := -b.length % alignment
		out.Write(zeros[:pad])
		at += b.length + pad
	}
	table := encodeTable(w.sections)
	out.Write(table)
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := f.WriteAt(encodeHeader(len(w.sections), at, table), 0)
	return err
}

func encodeTable(sections []*body) []byte {
	table := make([]byte, len(sections)*entrySize)
	for i, b := range sections {
		line := table[i*entrySize:]
		copy(line[:nameSize], b.name)
		binary.LittleEndian.PutUint32(line[48:], uint32(len(b.name)))
		binary.LittleEndian.PutUint32(line[52:], uint32(b.kind))
		binary.LittleEndian.PutUint64(line[56:], b.offset)
		binary.LittleEndian.PutUint64(line[64:], b.length)
		binary.LittleEndian.PutUint32(line[72:], b.crc)
	}
	return table
}

func encodeHeader(sections int, tableAt uint64, table []byte) []byte {
	header := make([]byte, headerSize)
	copy(header, magic)
	binary.LittleEndian.PutUint32(header[8:], Version)
	binary.LittleEndian.PutUint32(header[12:], uint32(sections))
	binary.LittleEndian.PutUint64(header[16:], tableAt)
	binary.LittleEndian.PutUint64(header[24:], uint64(len(table)))
	binary.LittleEndian.PutUint32(header[32:], crc32.Checksum(table, castagnoli))
	binary.LittleEndian.PutUint32(header[60:], crc32.Checksum(header[:60], castagnoli))
	return header
}
