package enrich

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// arena is memory of arrays, which is used again once all of them are done with: columns of numbers are most of what a run
// writes, and clearing and collecting new memory for them would take as long as filling them.
type arena struct {
	slabs [][]byte
	slab  int // that has room
	used  int // of it
	text  []byte
}

const (
	slabBytes = 1 << 20
	aligned   = 64 // bytes, as Arrow recommends
)

// reset makes all memory free.
func (m *arena) reset() { m.slab, m.used = 0, 0 }

// take is n bytes that can have anything in them.
func (m *arena) take(n int) []byte {
	room := (n + aligned - 1) / aligned * aligned
	for ; m.slab < len(m.slabs); m.slab, m.used = m.slab+1, 0 {
		if slab := m.slabs[m.slab]; m.used+room <= len(slab) {
			m.used += room
			return slab[m.used-room:][:n:n]
		}
	}
	m.slabs = append(m.slabs, make([]byte, max(room, slabBytes)))
	m.used = room
	return m.slabs[m.slab][:n:n]
}

// bits are a bit for each of n values, none of which is set.
func (m *arena) bits(n int) []byte {
	set := m.take((n + 7) / 8)
	clear(set)
	return set
}

func made(kind arrow.DataType, n, nulls int, buffers ...[]byte) arrow.Array {
	var list []*memory.Buffer
	for _, b := range buffers {
		list = append(list, memory.NewBufferBytes(b))
	}
	data := array.NewData(kind, n, list, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// integers are numbers in 64 bits.
func (m *arena) integers(numbers []int64) arrow.Array {
	const width = 8
	data, valid, nulls := m.take(len(numbers)*width), m.bits(len(numbers)), 0
	for i, number := range numbers {
		if number == absent {
			nulls++
		} else {
			valid[i/8] |= 1 << (i % 8)
		}
		binary.LittleEndian.PutUint64(data[i*width:], uint64(number))
	}
	return made(arrow.PrimitiveTypes.Int64, len(numbers), nulls, valid, data)
}

// decimals are numbers in 128 bits, the low half first.
func (m *arena) decimals(kind arrow.DataType, numbers []int64) arrow.Array {
	const half, width = 8, 16
	data, valid, nulls := m.take(len(numbers)*width), m.bits(len(numbers)), 0
	for i, number := range numbers {
		if number == absent {
			nulls++
			number = 0
		} else {
			valid[i/8] |= 1 << (i % 8)
		}
		value := data[i*width:][:width]
		binary.LittleEndian.PutUint64(value, uint64(number))
		binary.LittleEndian.PutUint64(value[half:], uint64(number>>63))
	}
	return made(kind, len(numbers), nulls, valid, data)
}

// dictionary is texts by their numbers, in 32 bits.
func (m *arena) dictionary(numbers []int64, texts []string) arrow.Array {
	const width = 4
	data, valid, nulls := m.take(len(numbers)*width), m.bits(len(numbers)), 0
	for i, number := range numbers {
		if number == absent {
			nulls++
			number = 0
		} else {
			valid[i/8] |= 1 << (i % 8)
		}
		binary.LittleEndian.PutUint32(data[i*width:], uint32(number))
	}
	indices := made(textType.IndexType, len(numbers), nulls, valid, data)
	defer indices.Release()
	known := m.texts(len(texts), func(dst []byte, i int) ([]byte, bool) { return append(dst, texts[i]...), true })
	defer known.Release()
	return array.NewDictionaryArray(textType, indices, known)
}

// texts are n texts, of which appendText appends one, or reports that there is none.
func (m *arena) texts(n int, appendText func(dst []byte, i int) ([]byte, bool)) arrow.Array {
	const width = 4
	ends, valid, nulls := m.take((n+1)*width), m.bits(n), 0
	binary.LittleEndian.PutUint32(ends, 0)
	m.text = m.text[:0]
	for i := range n {
		var known bool
		if m.text, known = appendText(m.text, i); known {
			valid[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
		binary.LittleEndian.PutUint32(ends[(i+1)*width:], uint32(len(m.text)))
	}
	data := m.take(len(m.text))
	copy(data, m.text)
	return made(arrow.BinaryTypes.String, n, nulls, valid, ends, data)
}
