package market

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas/market"
)

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	day       []int64           `pack:"market.day 1"`
	states    []string          `pack:"market.state"`
	zones     []string          `pack:"market.zone"`
	zoneOf    []uint8           `pack:"market.zone.of"`
	sets      []uint64          `pack:"market.set"`
	cells     pack.Lists[uint8] `pack:"market.cells geographies"`
	sums      []uint32          // sum of each of the sets, from which those of cells go on
	intervals []market.Interval
	standard  []int      // indexes of the intervals that an answer has where none are asked for
	heads     [][]string // JSON of the code and period of an interval, by zone and interval
}

// Open opens the table in f. It fails if the file has other metrics than this version of the program, or a time zone that
// is not known. All but the states and the zones stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary("market.metric", words())
	t := &Table{}
	l.Fill(t, "", map[string]int{"1": 1, "geographies": len(pack.Load[uint8](l, "market.zone.of", pack.Any))})
	if l.Err() != nil {
		return nil, l.Err()
	}
	first, last := market.DayOf(1900, 1, 1), market.DayOf(2200, 1, 1)
	if day := t.day[0]; day < int64(first) || day > int64(last) {
		l.Fail("section %q: day %d", "market.day", day)
		return nil, l.Err()
	}
	for _, set := range t.sets {
		if !possible(set) {
			l.Fail("section %q: set %x", "market.set", set)
			return nil, l.Err()
		}
		t.sums = append(t.sums, sumOf(set))
	}
	t.intervals = market.Intervals(t.Day())
	for _, i := range market.Default(t.intervals) {
		t.standard = append(t.standard, slices.Index(t.intervals, i))
	}
	for _, zone := range t.zones {
		heads, err := headsOf(zone, t.intervals)
		if err != nil {
			l.Fail("section %q: %v", "market.zone", err)
			return nil, l.Err()
		}
		t.heads = append(t.heads, heads)
	}
	return t, nil
}

// Day is the day of the data.
func (t *Table) Day() market.Day { return market.Day(t.day[0]) }

// Intervals are the intervals of the data.
func (t *Table) Intervals() []market.Interval { return t.intervals }

// Default are the indexes of the intervals that an answer has where none are asked for.
func (t *Table) Default() []int { return t.standard }

// Len is the number of geographies.
func (t *Table) Len() int { return len(t.zoneOf) }

// HasState reports whether there are listings in a state, "US_OR".
func (t *Table) HasState(code string) bool {
	_, found := slices.BinarySearch(t.states, code)
	return found
}

// States are the states with listings, sorted.
func (t *Table) States() []string { return t.states }

// Zone is the time zone of geography i; "" if it has none.
func (t *Table) Zone(i int) string {
	if z := int(t.zoneOf[i]); z < len(t.zones) {
		return t.zones[z]
	}
	return ""
}

// Row is the cells of a geography and type. Its memory can be reused.
type Row struct {
	table *Table
	heads []string // of the geography's zone; nil if it has none
	block          // without cells if the geography has none of the type
}

// block is the cells of a type.
type block struct {
	has   [2]uint64 // bit i%64 of has[i/64] is set if there is a cell of interval i
	ends  []byte    // of the cells, two bytes each
	cells []byte
}

// cutBlock takes the block at the beginning of data, and returns what follows; false where data is damaged.
func cutBlock(data []byte) (b block, rest []byte, ok bool) {
	if len(data) < intervalBytes {
		return b, nil, false
	}
	b.has[0] = binary.LittleEndian.Uint64(data)
	for k, bits := range data[8:intervalBytes] {
		b.has[1] |= uint64(bits) << (8 * k)
	}
	data = data[intervalBytes:]
	size := endBytes * (bits.OnesCount64(b.has[0]) + bits.OnesCount64(b.has[1]))
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

// at is the cell of an interval; nil if there is none.
func (b *block) at(interval int) []byte {
	if len(b.cells) == 0 || interval < 0 {
		return nil
	}
	word, bit := interval/64, uint64(1)<<(interval%64)
	if b.has[word]&bit == 0 {
		return nil
	}
	k := bits.OnesCount64(b.has[word] & (bit - 1))
	if word == 1 {
		k += bits.OnesCount64(b.has[0])
	}
	begin, end := 0, int(binary.LittleEndian.Uint16(b.ends[endBytes*k:]))
	if k > 0 {
		begin = int(binary.LittleEndian.Uint16(b.ends[endBytes*(k-1):]))
	}
	if begin > end || end > len(b.cells) {
		return nil
	}
	return b.cells[begin:end]
}

// Find sets row to the cells of geography i and a type. What a damaged file has is as if it were not there.
func (t *Table) Find(i int, of market.PropertyType, row *Row) {
	row.table, row.heads, row.block = t, nil, block{}
	if z := int(t.zoneOf[i]); z < len(t.heads) {
		row.heads = t.heads[z]
	}
	data := t.cells.At(i)
	if len(data) < typeBytes {
		return
	}
	types := binary.LittleEndian.Uint16(data)
	data = data[typeBytes:]
	if types&(1<<of) == 0 {
		return
	}
	for before := bits.OnesCount16(types & (1<<of - 1)); ; before-- {
		b, rest, ok := cutBlock(data)
		if !ok {
			return
		}
		if before == 0 {
			row.block = b
			return
		}
		data = rest
	}
}

// cell returns the set of members of the cell of an interval, 0 if there is none, and its numbers, after which at least
// numberBytes of the file follow.
func (r *Row) cell(interval int) (set uint64, data []byte) {
	data = r.block.at(interval)
	if len(data) < sumBytes {
		return 0, nil
	}
	sum, data := binary.LittleEndian.Uint32(data), data[sumBytes:]
	of, n := binary.Uvarint(data)
	if n <= 0 || of >= uint64(len(r.table.sets)) || cap(data) < len(data)+numberBytes {
		return 0, nil
	}
	if data = data[n:]; crc32.Update(r.table.sums[of], castagnoli, data) != sum {
		return 0, nil
	}
	return r.table.sets[of], data
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

// sumOf is the checksum of a set of members. That of a cell goes on from it with its numbers.
func sumOf(set uint64) uint32 {
	return crc32.Checksum(binary.LittleEndian.AppendUint64(nil, set), castagnoli)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
