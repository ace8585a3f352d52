package market

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"quartier/schemas/market"
)

// Row is the cells of a geography and type. Its memory can be reused.
type Row struct {
	heads     []string // of the geography's zone; nil if it has none
	table     *Table
	geography int
	of        market.PropertyType
	known     [maxParts]bool // blocks that were looked up
	blocks    [maxParts]block
}

// block is the cells of a type in a part of the intervals; without cells if it has none.
type block struct {
	has   uint16 // bit i is set if there is a cell of the i-th interval of the part
	ends  []byte // of the cells, two bytes each
	cells []byte
}

// cutBlock takes the block at the beginning of data, and returns what follows; false where data is damaged.
func cutBlock(data []byte) (b block, rest []byte, ok bool) {
	if len(data) < bitBytes {
		return b, nil, false
	}
	b.has, data = binary.LittleEndian.Uint16(data), data[bitBytes:]
	size := endBytes * b.count()
	if size == 0 || size > len(data) {
		return b, nil, false
	}
	b.ends, data = data[:size], data[size:]
	end := int(binary.LittleEndian.Uint16(b.ends[size-endBytes:]))
	if end > len(data) {
		return b, nil, false
	}
	b.cells = data[:end]
	return b, data[end:], true
}

// count is the number of cells.
func (b *block) count() int { return bits.OnesCount16(b.has) }

// at is the cell of the i-th interval of the part; nil if there is none.
func (b *block) at(i int) []byte {
	bit := uint16(1) << i
	if len(b.cells) == 0 || b.has&bit == 0 {
		return nil
	}
	k := bits.OnesCount16(b.has & (bit - 1))
	begin, end := 0, int(binary.LittleEndian.Uint16(b.ends[endBytes*k:]))
	if k > 0 {
		begin = int(binary.LittleEndian.Uint16(b.ends[endBytes*(k-1):]))
	}
	if begin > end || end > len(b.cells) {
		return nil
	}
	return b.cells[begin:end]
}

// findBlock is the block of a type in a list.
func findBlock(data []byte, of market.PropertyType) (b block) {
	if len(data) < typeBytes {
		return b
	}
	types := binary.LittleEndian.Uint16(data)
	if types&(1<<of) == 0 {
		return b
	}
	data = data[typeBytes:]
	for before := bits.OnesCount16(types & (1<<of - 1)); before >= 0; before-- {
		var ok bool
		if b, data, ok = cutBlock(data); !ok {
			return block{}
		}
	}
	return b
}

// countCells is the number of cells of a list.
func countCells(data []byte) (n int) {
	if len(data) < typeBytes {
		return 0
	}
	types := binary.LittleEndian.Uint16(data)
	data = data[typeBytes:]
	for range bits.OnesCount16(types) {
		b, rest, ok := cutBlock(data)
		if !ok {
			return n
		}
		n, data = n+b.count(), rest
	}
	return n
}

// at is the cell of an interval as the file has it; nil if there is none. Only the parts that are asked for are looked up: an
// answer has intervals of one year or two.
func (r *Row) at(interval int) []byte {
	if w := r.table.whole; w != nil {
		return w.at(r.geography, r.of, interval)
	}
	p := r.table.places[interval]
	if !r.known[p.part] {
		r.known[p.part] = true
		r.blocks[p.part] = findBlock(r.table.volumes[p.part].cells.At(r.geography), r.of)
	}
	return r.blocks[p.part].at(p.bit)
}

// cell returns the set of members of the cell of an interval, 0 if there is none, and its numbers, after which at least
// numberBytes of the file follow.
func (r *Row) cell(interval int) (set uint64, data []byte) {
	data = r.at(interval)
	if len(data) < sumBytes+setBytes || cap(data) < len(data)+numberBytes {
		return 0, nil
	}
	sum, data := binary.LittleEndian.Uint32(data), data[sumBytes:]
	if set = binary.LittleEndian.Uint64(data); crc32.Checksum(data, castagnoli) != sum || !possible(set) {
		return 0, nil
	}
	return set, data[setBytes:]
}

// Values sets values to those of the cell of an interval; false if there is none.
func (r *Row) Values(interval int, values *market.Values) bool {
	set, data := r.cell(interval)
	if set == 0 {
		return false
	}
	for m := range values {
		values[m] = market.Absent
	}
	left := set &^ againSet &^ missingBit
	half := (bits.OnesCount64(left) + 1) / 2
	if half > len(data) {
		return false
	}
	lengths, texts := data[:half], data[half:]
	for k := 0; left != 0; left, k = left&(left-1), k+1 {
		s := &members[bits.TrailingZeros64(left)]
		length := int(lengths[k/2] >> (k % 2 * 4) & 15)
		if length > len(texts) {
			return false
		}
		if values[s.metric] = s.value; s.kind == number {
			values[s.metric] = numberOf(texts[:length], s.metric)
		}
		texts = texts[length:]
	}
	return true
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
