package vector

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/paulmach/orb"
)

// flatTable is a table of FlatBuffers (https://flatbuffers.dev/internals): at an offset of data, whose first four bytes lead to the
// list of the offsets of its fields. Whatever leads out of the data is the panic errFlat, which reading returns.
type flatTable struct {
	data []byte
	at   int
}

var errFlat = errors.New("it is damaged")

// reading is the error of work on tables.
func reading(work func()) (err error) {
	defer func() {
		if failed := recover(); failed == errFlat {
			err = errFlat
		} else if failed != nil {
			panic(failed)
		}
	}()
	work()
	return nil
}

// slice are n bytes at an offset.
func (t flatTable) slice(at, n int) []byte {
	if at < 0 || n < 0 || at > len(t.data) || n > len(t.data)-at {
		panic(errFlat)
	}
	return t.data[at : at+n]
}

func (t flatTable) uint32(at int) int { return int(binary.LittleEndian.Uint32(t.slice(at, 4))) }

// rootOf is the table of a buffer.
func rootOf(data []byte) flatTable {
	t := flatTable{data: data}
	t.at = t.uint32(0)
	return t
}

// field is the offset of a field; 0 where it is absent.
func (t flatTable) field(number int) int {
	fields := t.at - int(int32(binary.LittleEndian.Uint32(t.slice(t.at, 4))))
	size := int(binary.LittleEndian.Uint16(t.slice(fields, 2)))
	if 4+2*number+2 > size {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(t.slice(fields+4+2*number, 2)))
	if offset == 0 {
		return 0
	}
	return t.at + offset
}

// uint is a number of a width in bytes, or what it is where it is absent.
func (t flatTable) uint(number, width int, absent uint64) (value uint64) {
	at := t.field(number)
	if at == 0 {
		return absent
	}
	for i, b := range t.slice(at, width) {
		value |= uint64(b) << (8 * i)
	}
	return value
}

func (t flatTable) byte(number int, absent byte) byte { return byte(t.uint(number, 1, uint64(absent))) }

// vector is a list of members of a width: where it begins, and how many there are.
func (t flatTable) vector(number, width int) (at, count int) {
	if at = t.field(number); at == 0 {
		return 0, 0
	}
	at += t.uint32(at)
	count = t.uint32(at)
	if count > len(t.data)/width {
		panic(errFlat)
	}
	t.slice(at+4, count*width)
	return at + 4, count
}

func (t flatTable) bytes(number int) []byte {
	at, n := t.vector(number, 1)
	return t.slice(at, n)
}

func (t flatTable) text(number int) string { return string(t.bytes(number)) }

// table is a field that is a table.
func (t flatTable) table(number int) (flatTable, bool) {
	at := t.field(number)
	if at == 0 {
		return t, false
	}
	return flatTable{t.data, at + t.uint32(at)}, true
}

// tables is a field that is a list of tables.
func (t flatTable) tables(number int) (list []flatTable) {
	at, n := t.vector(number, 4)
	for i := range n {
		list = append(list, flatTable{t.data, at + 4*i + t.uint32(at+4*i)})
	}
	return list
}

// ends is a list of numbers.
func (t flatTable) ends(number int) (list []int) {
	at, n := t.vector(number, 4)
	for i := range n {
		list = append(list, t.uint32(at+4*i))
	}
	return list
}

// points is a list of coordinates.
func (t flatTable) points(number int) []orb.Point {
	at, n := t.vector(number, 8)
	points := make([]orb.Point, n/2)
	for i := range points {
		for side := range 2 {
			points[i][side] = math.Float64frombits(binary.LittleEndian.Uint64(t.slice(at+16*i+8*side, 8)))
		}
	}
	return points
}

// lines are the points of a geometry, divided where it says that parts end.
func (t flatTable) lines() (lines []orb.LineString) {
	points := t.points(1)
	begin := 0
	for _, end := range t.ends(0) {
		if end < begin || end > len(points) {
			panic(errFlat)
		}
		lines = append(lines, points[begin:end])
		begin = end
	}
	if lines == nil && len(points) > 0 {
		lines = []orb.LineString{points}
	}
	return lines
}
