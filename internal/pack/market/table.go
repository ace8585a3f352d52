package market

import (
	"encoding/binary"
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
	masks     []uint64          `pack:"market.mask"`
	cells     pack.Lists[uint8] `pack:"market.cells geographies"`
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

// Row is the cells of a geography and type. Its memory can be reused.
type Row struct {
	table *Table
	heads []string // of the geography's zone; nil if it has none
	cells [8 * intervalBytes][]byte
}

// Find sets row to the cells of geography i and a type. What a damaged file has is as if it were not there.
func (t *Table) Find(i int, of market.PropertyType, row *Row) {
	row.table, row.heads = t, nil
	if z := int(t.zoneOf[i]); z < len(t.heads) {
		row.heads = t.heads[z]
	}
	clear(row.cells[:])
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
		if len(data) < intervalBytes {
			return
		}
		has, rest := data[:intervalBytes], data[intervalBytes:]
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return
		}
		if before == 0 {
			row.split(has, rest[n:n+int(size)])
			return
		}
		data = rest[n+int(size):]
	}
}

// split sets the cells of the intervals that has has.
func (r *Row) split(has, data []byte) {
	for k, set := range has {
		for ; set != 0; set &= set - 1 {
			size, n := binary.Uvarint(data)
			if n <= 0 || size > uint64(len(data)-n) {
				return
			}
			r.cells[8*k+bits.TrailingZeros8(set)] = data[n : n+int(size)]
			data = data[n+int(size):]
		}
	}
}

// Values sets values to the cell of an interval; false if there is none.
func (r *Row) Values(interval int, values *market.Values) bool {
	_, ok := r.values(interval, values)
	return ok
}

// values also returns the set of metrics. Others keep what values had.
func (r *Row) values(interval int, values *market.Values) (mask uint64, ok bool) {
	data := r.cells[interval]
	at, n := binary.Uvarint(data)
	if n <= 0 || at >= uint64(len(r.table.masks)) {
		return 0, false
	}
	data = data[n:]
	mask = r.table.masks[at]
	if mask&countMask != countMask || mask>>market.MetricCount != 0 {
		return 0, false
	}
	for left := mask; left != 0; left &= left - 1 {
		m := bits.TrailingZeros64(left)
		v, n := uvarint(data)
		if n <= 0 {
			return 0, false
		}
		data = data[n:]
		values[m] = int64(v)
		if signedMask&(1<<m) != 0 {
			values[m] = int64(v>>1) ^ -int64(v&1)
		}
	}
	if mask&(1<<market.Assessment) != 0 && uint64(values[market.Assessment]) > uint64(market.SellersMarket) {
		return 0, false
	}
	return mask, true
}

// uvarint is binary.Uvarint, faster for numbers of up to three bytes.
func uvarint(data []byte) (uint64, int) {
	if len(data) < 3 {
		return binary.Uvarint(data)
	}
	a, b, c := uint64(data[0]), uint64(data[1]), uint64(data[2])
	switch {
	case a < 0x80:
		return a, 1
	case b < 0x80:
		return a&0x7f | b<<7, 2
	case c < 0x80:
		return a&0x7f | b&0x7f<<7 | c<<14, 3
	}
	return binary.Uvarint(data)
}

// signedMask has the bits of the metrics that can be negative.
var signedMask = func() (mask uint64) {
	for m := range market.MetricCount {
		if signed(m) {
			mask |= 1 << m
		}
	}
	return mask
}()
