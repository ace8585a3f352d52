// Package pack is the container of the tables that the build writes and the server maps into memory: named sections of
// fixed-width little-endian numbers or bytes, aligned to 64 bytes and covered by checksums. Sections are streamed through a
// Writer in any interleaving; equal sections give equal files. A File returns them as typed slices of the mapped file,
// without a copy. Opening takes the same time for every size: it checks the header, the section table and that every
// section is inside the file. Verify reads every byte. The packages below this one define the sections of each table.
//
// A file with n sections:
//
//	offset  bytes  content
//	0       64     header
//	64      any    section 1, then zeros up to the next multiple of 64
//	…       any    sections 2 to n, in the order in which they were opened
//	T       96·n   section table, to the end of the file
//
// The header:
//
//	0       8      "QUARPACK"
//	8       4      version of the container, 1
//	12      4      n
//	16      8      T
//	24      8      length of the section table
//	32      4      CRC-32C of the section table
//	36      24     zeros
//	60      4      CRC-32C of bytes 0 to 59
//
// A line of the section table:
//
//	0       48     name, then zeros
//	48      4      length of the name
//	52      4      kind of the elements
//	56      8      offset of the section
//	64      8      length of the section in bytes, without the zeros after it
//	72      4      CRC-32C of the section
//	76      20     zeros
//
// The file with one section "greeting" of the three uint16 1, 2 and 258:
//
//	0    51 55 41 52 50 41 43 4b 01 00 00 00 01 00 00 00  QUARPACK, version 1, 1 section
//	16   80 00 00 00 00 00 00 00 60 00 00 00 00 00 00 00  table at 128, 96 bytes
//	32   CRC of the table, zeros; at 60 CRC of the header
//	64   01 00 02 00 02 01                                1, 2, 258; zeros to 128
//	128  67 72 65 65 74 69 6e 67                          greeting; zeros to 176
//	176  08 00 00 00 02 00 00 00 40 00 00 00 00 00 00 00  8 characters, kind Uint16, at 64
//	192  06 00 00 00 00 00 00 00                          6 bytes, then CRC of the section and zeros
//
// Tables are drawn like this in the packages: section, elements and their number, meaning. "Lists of T × n" are the two
// sections NAME.items and NAME.ends of a ListsWriter; texts are lists of bytes.
package pack

import (
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"

	"quartier/internal/coord"
)

// Version is the version of the container that this package writes, and the only one that it reads.
const Version = 1

// ErrDamaged is wrapped by every error about the content of a file: truncated, overwritten, or not a pack.
var ErrDamaged = errors.New("damaged pack")

const (
	magic      = "QUARPACK"
	headerSize = 64
	entrySize  = 96
	nameSize   = 48 // maximum bytes of a section's name
	alignment  = 64
	maxEntries = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Element is a type of the elements of a section.
type Element interface {
	uint8 | uint16 | uint32 | uint64 | int32 | int64 | float32 | float64 | coord.Point
}

// Kind is the number of an element type in the file.
type Kind uint32

// The kinds of sections; the numbers are part of the format.
const (
	Bytes   Kind = 1
	Uint16  Kind = 2
	Uint32  Kind = 3
	Uint64  Kind = 4
	Int32   Kind = 5
	Int64   Kind = 6
	Float64 Kind = 7
	Points  Kind = 8
	Float32 Kind = 9
)

// width is the size of an element in bytes, 0 for an unknown kind.
func (k Kind) width() uint64 {
	switch k {
	case Bytes:
		return 1
	case Uint16:
		return 2
	case Uint32, Int32, Float32:
		return 4
	case Uint64, Int64, Float64, Points:
		return 8
	}
	return 0
}

func kindOf[T Element]() Kind {
	var zero T
	switch any(zero).(type) {
	case uint8:
		return Bytes
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case int32:
		return Int32
	case int64:
		return Int64
	case float32:
		return Float32
	case float64:
		return Float64
	}
	return Points
}

// entry is a line of the section table.
type entry struct {
	name   string
	kind   Kind
	offset uint64
	length uint64 // bytes
	crc    uint32
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// littleEndian reports whether this machine has the byte order of the file, as the mapping requires.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// rawBytes is the memory of values as bytes.
func rawBytes[T Element](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(kindOf[T]().width()))
}
