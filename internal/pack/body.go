package pack

import (
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"unsafe"
)

// spillAt is how many bytes of a section are kept in memory before they are written to a temporary file.
const spillAt = 1 << 20

// body is an unfinished section: at most spillAt bytes in memory, the rest in an unlinked temporary file, but for what is copied
// from another pack.
type body struct {
	entry
	whole  []byte // all of it, where it is already; nil: what follows
	buffer []byte
	spill  *os.File
	from   *os.File // the other pack; nil: none
	copies []stretch
	own    uint64 // bytes since the last copy
}

// stretch is bytes of the section itself, and those of another pack that follow them.
type stretch struct{ own, offset, length uint64 }

// append adds data; what does not stay in memory is next to the file at path.
func (b *body) append(data []byte, path string) error {
	b.length, b.own = b.length+uint64(len(data)), b.own+uint64(len(data))
	b.crc = crc32.Update(b.crc, castagnoli, data)
	if len(b.buffer)+len(data) <= spillAt {
		b.buffer = append(b.buffer, data...)
		return nil
	}
	if err := b.openSpill(path); err != nil {
		return err
	}
	if _, err := b.spill.Write(b.buffer); err != nil {
		return err
	}
	b.buffer = b.buffer[:0]
	if len(data) <= spillAt {
		b.buffer = append(b.buffer, data...)
		return nil
	}
	_, err := b.spill.Write(data)
	return err
}

// openSpill makes the temporary file, next to the file at path.
func (b *body) openSpill(path string) (err error) {
	if b.spill == nil {
		b.spill, err = createUnlinked(filepath.Dir(path))
	}
	return err
}

// appendFrom adds data that is in f.
func (b *body) appendFrom(f *File, data []byte, path string) (err error) {
	if b.from == nil {
		if b.from, err = os.Open(f.path); err != nil {
			return err
		}
		if err := b.openSpill(path); err != nil {
			return err
		}
	}
	offset := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data))) - uintptr(unsafe.Pointer(unsafe.SliceData(f.data))))
	if offset >= uint64(len(f.data)) {
		return errors.New("what is copied is not in the other pack")
	}
	length := uint64(len(data))
	b.length, b.crc = b.length+length, crc32.Update(b.crc, castagnoli, data)
	if n := len(b.copies); n > 0 && b.own == 0 && b.copies[n-1].offset+b.copies[n-1].length == offset {
		b.copies[n-1].length += length
		return nil
	}
	b.copies, b.own = append(b.copies, stretch{b.own, offset, length}), 0
	return nil
}

// writeTo writes the section, of which something is in files, to the end of a file. The system copies it from file to file.
func (b *body) writeTo(f *os.File) error {
	if _, err := b.spill.Write(b.buffer); err != nil {
		return err
	}
	if _, err := b.spill.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for _, c := range b.copies {
		if _, err := io.CopyN(f, b.spill, int64(c.own)); err != nil {
			return err
		}
		if _, err := b.from.Seek(int64(c.offset), io.SeekStart); err != nil {
			return err
		}
		if _, err := io.CopyN(f, b.from, int64(c.length)); err != nil {
			return err
		}
	}
	_, err := io.Copy(f, b.spill)
	return err
}

// close closes the files.
func (b *body) close() {
	for _, f := range []*os.File{b.spill, b.from} {
		if f != nil {
			f.Close()
		}
	}
}
