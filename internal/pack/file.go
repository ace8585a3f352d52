package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// File is a pack mapped into memory, read-only. The file must not be changed or truncated while it is open. Slices of it
// are valid until Close, which the caller must not call while searches run.
type File struct {
	path     string
	data     []byte
	sections []entry
}

// Open maps the file at path and checks its header, its section table and that every section is inside of it. The
// sections themselves are checked by Verify.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	defer f.Close()
	return Map(f)
}

// Map is Open for a file that is open already, and can be closed while it is mapped.
func Map(f *os.File) (*File, error) {
	path := f.Name()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	if info.Size() < headerSize {
		return nil, fmt.Errorf("open pack %s: %w", path, damaged("file of %d bytes has no header", info.Size()))
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map pack %s: %w", path, err)
	}
	file := &File{path: path, data: data}
	if file.sections, err = parse(data); err != nil {
		file.Close()
		return nil, fmt.Errorf("open pack %s: %w", path, err)
	}
	return file, nil
}

// Close unmaps the file. Every slice of it is invalid then.
func (f *File) Close() error {
	if f.data == nil {
		return nil
	}
	data := f.data
	f.data, f.sections = nil, nil
	return syscall.Munmap(data)
}

// Forget gives the memory back that the file takes as far as it was read; what is used again is mapped again.
func (f *File) Forget() error { return unix.Madvise(f.data, unix.MADV_DONTNEED) }

// Path is the path of the file.
func (f *File) Path() string { return f.path }

// Size is the length of the file in bytes.
func (f *File) Size() int64 { return int64(len(f.data)) }

// Sections visits the names and kinds of the sections, in the order of the file.
func (f *File) Sections(visit func(name string, kind Kind)) {
	for _, e := range f.sections {
		visit(e.name, e.kind)
	}
}

func parse(data []byte) ([]entry, error) {
	if !littleEndian {
		return nil, damaged("this machine is big-endian, which is not supported")
	}
	if len(data) < headerSize || string(data[:8]) != magic {
		return nil, damaged("no pack header")
	}
	header := data[:headerSize]
	if v := binary.LittleEndian.Uint32(header[8:]); v != Version {
		return nil, damaged("version %d, not %d", v, Version)
	}
	if crc32.Checksum(header[:60], castagnoli) != binary.LittleEndian.Uint32(header[60:]) {
		return nil, damaged("header checksum")
	}
	count := binary.LittleEndian.Uint32(header[12:])
	at, length := binary.LittleEndian.Uint64(header[16:]), binary.LittleEndian.Uint64(header[24:])
	size := uint64(len(data))
	if count > maxEntries || length != uint64(count)*entrySize || at > size || length != size-at {
		return nil, damaged("section table is not at the end of the file")
	}
	table := data[at:]
	if crc32.Checksum(table, castagnoli) != binary.LittleEndian.Uint32(header[32:]) {
		return nil, damaged("section table checksum")
	}
	return parseTable(table, at)
}

// parseTable reads the lines of the table; the sections must follow each other from the header to end.
func parseTable(table []byte, end uint64) ([]entry, error) {
	sections := make([]entry, 0, len(table)/entrySize)
	next := uint64(headerSize)
	for line := range len(table) / entrySize {
		b := table[line*entrySize:]
		n := binary.LittleEndian.Uint32(b[48:])
		if n > nameSize {
			return nil, damaged("section %d: name of %d bytes", line, n)
		}
		e := entry{
			name:   string(b[:n]),
			kind:   Kind(binary.LittleEndian.Uint32(b[52:])),
			offset: binary.LittleEndian.Uint64(b[56:]),
			length: binary.LittleEndian.Uint64(b[64:]),
			crc:    binary.LittleEndian.Uint32(b[72:]),
		}
		if e.kind.width() == 0 || e.length%e.kind.width() != 0 {
			return nil, damaged("section %q: kind %d, %d bytes", e.name, e.kind, e.length)
		}
		if e.offset != next || e.length > end-next {
			return nil, damaged("section %q: wrong offset or length", e.name)
		}
		next += (e.length + alignment - 1) / alignment * alignment
		if next > end {
			return nil, damaged("section %q: truncated", e.name)
		}
		sections = append(sections, e)
	}
	if next != end {
		return nil, damaged("bytes outside of all sections")
	}
	return sections, nil
}

// Verify reads the whole file and checks every byte of it against the checksums.
func (f *File) Verify() error {
	for _, e := range f.sections {
		if crc32.Checksum(f.data[e.offset:e.offset+e.length], castagnoli) != e.crc {
			return fmt.Errorf("verify pack %s: %w", f.path, damaged("section %q: checksum", e.name))
		}
		end := e.offset + e.length
		pad := f.data[end : end+-end%alignment]
		if !bytes.Equal(pad, make([]byte, len(pad))) {
			return fmt.Errorf("verify pack %s: %w", f.path, damaged("bytes after section %q are not zero", e.name))
		}
	}
	return nil
}

// section is a section as a slice of the mapped file. It fails if the section is missing or of another kind.
func section[T Element](f *File, name string) ([]T, error) {
	for _, e := range f.sections {
		if e.name != name {
			continue
		}
		if e.kind != kindOf[T]() {
			return nil, fmt.Errorf("pack %s: %w", f.path, damaged("section %q: kind %d", name, e.kind))
		}
		if e.length == 0 {
			return nil, nil
		}
		first := (*T)(unsafe.Pointer(&f.data[e.offset]))
		return unsafe.Slice(first, e.length/e.kind.width()), nil
	}
	return nil, fmt.Errorf("pack %s: %w", f.path, damaged("no section %q", name))
}

// Contains reports whether an address is in the mapped file.
func (f *File) Contains(address uintptr) bool {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
	return address >= first && address-first < uintptr(len(f.data))
}
