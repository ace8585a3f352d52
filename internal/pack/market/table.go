package market

import (
	"bytes"
	"encoding/binary"
	"fmt"
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
	closed    pack.Lists[uint8] `pack:"market.closed geographies"`
	moving    pack.Lists[uint8] `pack:"market.moving geographies"`
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

// list is the cells of geography i in a part of the intervals.
func (t *Table) list(part, i int) []byte {
	if part == closed {
		return t.closed.At(i)
	}
	return t.moving.At(i)
}

// Row is the cells of a geography and type. Its memory can be reused.
type Row struct {
	heads  []string // of the geography's zone; nil if it has none
	blocks [len(parts)]block
}

// block is the cells of a type in a part of the intervals; without cells if it has none.
type block struct {
	has   [2]uint64 // bit i%64 of has[i/64] is set if there is a cell of the i-th interval of the part
	ends  []byte    // of the cells, two bytes each
	cells []byte
}

// cutBlock takes the block of a part at the beginning of data, and returns what follows; false where data is damaged.
func cutBlock(p *part, data []byte) (b block, rest []byte, ok bool) {
	width := p.bitBytes()
	if len(data) < width {
		return b, nil, false
	}
	for k, bits := range data[:width] {
		b.has[k/8] |= uint64(bits) << (k % 8 * 8)
	}
	data = data[width:]
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
func (b *block) count() int { return bits.OnesCount64(b.has[0]) + bits.OnesCount64(b.has[1]) }

// at is the cell of the i-th interval of the part; nil if there is none.
func (b *block) at(i int) []byte {
	word, bit := i/64, uint64(1)<<(i%64)
	if len(b.cells) == 0 || b.has[word]&bit == 0 {
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
	row.heads = nil
	if z := int(t.zoneOf[i]); z < len(t.heads) {
		row.heads = t.heads[z]
	}
	for n := range parts {
		row.blocks[n] = findBlock(&parts[n], t.list(n, i), of)
	}
}

// ValuesOf sets values to those of a cell; false if there is none. It is for readers of one interval of all geographies.
func (t *Table) ValuesOf(i int, of market.PropertyType, interval int, row *Row, values *market.Values) bool {
	for n := range parts {
		if p := &parts[n]; interval >= p.first && interval < p.end {
			row.blocks[n] = findBlock(p, t.list(n, i), of)
		}
	}
	return row.Values(interval, values)
}

// findBlock is the block of a type in a list.
func findBlock(p *part, data []byte, of market.PropertyType) (b block) {
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
		if b, data, ok = cutBlock(p, data); !ok {
			return block{}
		}
	}
	return b
}

// countCells is the number of cells of a list.
func countCells(p *part, data []byte) (n int) {
	if len(data) < typeBytes {
		return 0
	}
	types := binary.LittleEndian.Uint16(data)
	data = data[typeBytes:]
	for range bits.OnesCount16(types) {
		b, rest, ok := cutBlock(p, data)
		if !ok {
			return n
		}
		n, data = n+b.count(), rest
	}
	return n
}

// at is the cell of an interval as the file has it; nil if there is none.
func (r *Row) at(interval int) []byte {
	for n := range parts {
		if p := &parts[n]; interval >= p.first && interval < p.end {
			return r.blocks[n].at(interval - p.first)
		}
	}
	return nil
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

// Check checks that the lists are those that a Writer makes of their cells, and counts geographies and cells. It calls step
// before each geography.
func (t *Table) Check(step func(geography int) error) (geographies, cells int64, err error) {
	w := new(Writer)
	s, row := new(market.Statistics), new(Row)
	for g := range t.Len() {
		if err := step(g); err != nil {
			return 0, 0, err
		}
		*s = market.Statistics{Geography: uint32(g), Cells: s.Cells[:0]}
		for of := range market.TypeCount {
			t.Find(g, of, row)
			for i := range IntervalCount {
				c := market.Cell{Type: of, Interval: uint8(i)}
				if row.Values(i, &c.Values) {
					s.Cells = append(s.Cells, c)
				}
			}
		}
		for n := range parts {
			list, err := w.listOf(n, s)
			if err == nil && !bytes.Equal(list, t.list(n, g)) {
				err = fmt.Errorf("%w: section %q is not what its numbers result in", pack.ErrDamaged, parts[n].name)
			}
			if err != nil {
				return 0, 0, fmt.Errorf("market statistics of geography %d: %w", g, err)
			}
		}
		if len(s.Cells) > 0 {
			geographies++
		}
	}
	return geographies, w.Cells, nil
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
