// Package pack is the container of the tables that the build writes and the server maps into memory: named sections
// of fixed-width little-endian numbers or bytes, each aligned to 64 bytes and covered by a checksum.
//
// What goes in: sections by name, streamed in any interleaving through a Writer; equal sections give equal bytes.
// What comes out: a File whose sections are typed slices straight into the mapped file, without a copy. Opening costs
// the same for every size: it checks the header, the table and that every section lies inside the file; Verify reads
// everything and checks every byte. What the sections mean is told by the packages below this one.
//
//	offset 0   header, 64 bytes: magic, version, number of sections, offset and length of the table, two CRC-32C
//	offset 64  sections in the order of their creation, each from a multiple of 64, zeros between
//	at the end the table: 96 bytes a section
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

// ErrDamaged is what every error about a file's content wraps: cut, overwritten, or never a pack.
var ErrDamaged = errors.New("damaged pack")

const (
	magic      = "QUARPACK"
	headerSize = 64
	entrySize  = 96
	nameSize   = 48 // bytes of a section's name at most
	alignment  = 64
	maxEntries = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Element is what a section may hold: numbers of a fixed width.
type Element interface {
	uint8 | uint16 | uint32 | uint64 | int32 | int64 | float32 | float64 | coord.Point
}

// Kind names the element type of a section in the file.
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

// littleEndian tells whether this machine keeps numbers as the file does; the mapping needs it.
var littleEndian = func() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}()

// rawBytes is the memory of values, as bytes.
func rawBytes[T Element](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(kindOf[T]().width()))
}
