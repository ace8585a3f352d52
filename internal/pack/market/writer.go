package market

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"path/filepath"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/schemas/market"
)

// Header is what a table has besides cells.
type Header struct {
	Day   market.Day // of the data
	Zones []string   // time zones of the geographies, in the order of geographies.pack; "": none

	// Earlier is the table of an earlier day with the same geographies, from which cells are copied that are not computed;
	// nil: none. Its files stay where they are until the table is written.
	Earlier *Table

	// Keep reports whether the file of a year is not written where it would be that of the earlier table; nil: all are written.
	Keep func(year int) bool
}

// Writer writes the files of a table. Cells are streamed to them.
type Writer struct {
	Geographies, Cells int64 // of those so far: geographies with a cell, and cells

	head    Header
	volumes []*volume
	from    []int // interval of the earlier table with the code of an interval; none
	added   int

	list, ends, block []byte                          // cells of a geography; ends of the cells of a type, these cells; reused
	cells             [math.MaxUint8 + 1]*market.Cell // of a type, by interval
}

// NewWriter opens the files of a table, which are in a folder after Finish.
func NewWriter(dir string, h Header) (w *Writer, err error) {
	intervals := market.Intervals(h.Day)
	w = &Writer{head: h}
	parts, _ := partsOf(intervals)
	for _, i := range intervals {
		at := none
		if h.Earlier != nil {
			at = slices.IndexFunc(h.Earlier.intervals, func(e market.Interval) bool { return e.Code == i.Code })
		}
		w.from = append(w.from, at)
	}
	for n := range parts {
		v := &volume{part: parts[n], path: filepath.Join(dir, schemas.MarketYear(schemas.MarketPack, parts[n].year))}
		v.findEarlier(intervals, h.Earlier)
		w.volumes = append(w.volumes, v)
		if v.earlier == nil || h.Keep == nil || !h.Keep(v.year) {
			err = cmp.Or(err, v.begin(0))
		}
	}
	if err = cmp.Or(err, w.putHeader()); err != nil {
		w.Abort()
	}
	return w, err
}

// putHeader writes what the file of the intervals that move has besides cells.
func (w *Writer) putHeader() error {
	names := slices.Sorted(slices.Values(w.head.Zones))
	names = slices.DeleteFunc(slices.Compact(names), func(zone string) bool { return zone == "" })
	if len(names) >= noZone {
		return fmt.Errorf("market statistics: %d time zones, at most %d", len(names), noZone)
	}
	of := make([]uint8, len(w.head.Zones))
	for i, zone := range w.head.Zones {
		of[i] = noZone
		if zone != "" {
			n, _ := slices.BinarySearch(names, zone)
			of[i] = uint8(n)
		}
	}
	out := w.volumes[0].out
	if out == nil {
		return nil // begin failed
	}
	pack.Put(out, "market.day", []int64{int64(w.head.Day)})
	pack.PutTexts(out, "market.zone", names)
	pack.Put(out, "market.zone.of", of)
	return out.Err()
}

// Add adds the cells of the next geography; indexes must ascend, and those left out have none. It fails if cells are not in
// order, a count is absent or a number has a sign that it cannot have; and with ErrEarlier.
func (w *Writer) Add(s *market.Statistics) error {
	if int(s.Geography) < w.added || int(s.Geography) >= len(w.head.Zones) {
		return fmt.Errorf("market statistics of geography %d: out of order, or more than %d geographies", s.Geography, len(w.head.Zones))
	}
	err := w.check(s)
	if err == nil {
		err = w.skip(int(s.Geography))
	}
	w.added++
	some := false
	for n := 0; err == nil && n < len(w.volumes); n++ {
		v := w.volumes[n]
		if v.keeps(s) {
			list := v.earlier.cells.At(int(s.Geography))
			some = some || len(list) > 0
			err = v.copy(list)
			continue
		}
		if err = v.begin(int(s.Geography)); err != nil {
			break
		}
		var list []byte
		var count int64
		if list, count, err = w.listOf(&v.part, s); err == nil {
			some = some || count > 0
			err = v.append(list, count)
		}
	}
	if err != nil {
		return fmt.Errorf("market statistics of geography %d: %w", s.Geography, err)
	}
	if some {
		w.Geographies++
	}
	return nil
}

// skip adds empty lists up to a geography.
func (w *Writer) skip(geography int) error {
	for ; w.added < geography; w.added++ {
		for _, v := range w.volumes {
			if v.out == nil && len(v.earlier.cells.At(w.added)) > 0 {
				if err := v.begin(w.added); err != nil {
					return err
				}
			}
			if v.out != nil {
				v.lists.Append(nil)
			}
		}
	}
	return nil
}

// Finish writes the files, with the states with listings, "US_OR", and returns the years whose files are those of the earlier
// table.
func (w *Writer) Finish(states []string) (kept []int, err error) {
	if err := w.skip(len(w.head.Zones)); err != nil {
		return nil, err
	}
	states = slices.Sorted(slices.Values(states))
	pack.PutTexts(w.volumes[0].out, "market.state", slices.Compact(states))
	for _, v := range w.volumes {
		if v.out == nil {
			kept, w.Cells = append(kept, v.year), w.Cells+v.earlier.count
			continue
		}
		if w.Cells += v.count; v.year > 0 {
			pack.Put(v.out, "market.count", []int64{v.count})
		}
		if err := v.out.Close(); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// Abort discards what was written. After Finish it does nothing.
func (w *Writer) Abort() {
	for _, v := range w.volumes {
		if v.out != nil {
			v.out.Abort()
		}
	}
}

// check checks that cells are of known types and intervals, in order, and that those that are not computed are known.
func (w *Writer) check(s *market.Statistics) error {
	if s.Computed != nil && (w.head.Earlier == nil || len(s.Computed) != len(w.from)) {
		return errors.New("no earlier table from which cells can be copied")
	}
	for i, at := range w.from {
		if s.Computed != nil && !s.Computed[i] && at == none {
			return fmt.Errorf("interval %d is not computed, and not in the earlier table", i)
		}
	}
	last := -1
	for n := range s.Cells {
		c := &s.Cells[n]
		at := int(c.Type)*IntervalCount + int(c.Interval)
		switch {
		case c.Type >= market.TypeCount:
			return fmt.Errorf("unknown type %d", c.Type)
		case int(c.Interval) >= IntervalCount || at <= last || s.Computed != nil && !s.Computed[c.Interval]:
			return fmt.Errorf("type %s, interval %d: unknown, out of order, or not among those that are computed", c.Type, c.Interval)
		}
		last = at
	}
	return nil
}

// listOf is the cells of a geography in a part of the intervals, and their number.
func (w *Writer) listOf(p *part, s *market.Statistics) (list []byte, count int64, err error) {
	w.list = append(w.list[:0], make([]byte, typeBytes)...)
	cells := s.Cells
	for t := range market.TypeCount {
		clear(w.cells[:])
		for ; len(cells) > 0 && cells[0].Type == t; cells = cells[1:] {
			w.cells[cells[0].Interval] = &cells[0]
		}
		n, err := w.encodeType(p, s, t)
		if err != nil {
			return nil, 0, fmt.Errorf("type %s: %w", t, err)
		}
		count += int64(n)
	}
	if count == 0 {
		return nil, 0, nil
	}
	w.list = append(w.list, make([]byte, numberBytes)...)
	return w.list, count, nil
}

// encodeType appends the cells of a type, w.cells and those that are copied, to w.list.
func (w *Writer) encodeType(p *part, s *market.Statistics, t market.PropertyType) (count int, err error) {
	var has uint16
	w.ends, w.block = w.ends[:0], w.block[:0]
	var earlier Row
	if s.Computed != nil {
		w.head.Earlier.Find(int(s.Geography), t, &earlier)
	}
	for bit, i := range p.intervals {
		switch {
		case i == none:
			continue
		case s.Computed != nil && !s.Computed[i]:
			if earlier.at(w.from[i]) == nil {
				continue
			}
			err = w.copyCell(&earlier, w.from[i])
		case w.cells[i] != nil:
			err = w.encodeCell(&w.cells[i].Values)
		default:
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("interval %d: %w", i, err)
		}
		if len(w.block) > math.MaxUint16 {
			return 0, fmt.Errorf("cells of more than %d bytes", math.MaxUint16)
		}
		has |= 1 << bit
		w.ends = binary.LittleEndian.AppendUint16(w.ends, uint16(len(w.block)))
	}
	if has != 0 {
		w.list[t/8] |= 1 << (t % 8)
		w.list = append(append(binary.LittleEndian.AppendUint16(w.list, has), w.ends...), w.block...)
	}
	return len(w.ends) / endBytes, nil
}

// copyCell appends a cell of another table to w.block.
func (w *Writer) copyCell(row *Row, interval int) error {
	if set, _ := row.cell(interval); set == 0 {
		return fmt.Errorf("%w: a cell", ErrEarlier)
	}
	w.block = append(w.block, row.at(interval)...)
	return nil
}

// encodeCell appends a cell to w.block.
func (w *Writer) encodeCell(values *market.Values) error {
	if err := checkValues(values); err != nil {
		return err
	}
	set := setOf(values)
	sum := len(w.block)
	w.block = binary.LittleEndian.AppendUint64(append(w.block, make([]byte, sumBytes)...), set)
	begin := len(w.block)
	left := set &^ againSet &^ missingBit
	w.block = append(w.block, make([]byte, (bits.OnesCount64(left)+1)/2)...)
	for k := 0; left != 0; left, k = left&(left-1), k+1 {
		s, at := &members[bits.TrailingZeros64(left)], len(w.block)
		if s.kind == number {
			w.block = appendNumber(w.block, s.metric, values[s.metric])
		}
		length := len(w.block) - at
		if length >= numberBytes {
			return fmt.Errorf("%s has %d digits", s.metric, length)
		}
		w.block[begin+k/2] |= byte(length << (k % 2 * 4))
	}
	binary.LittleEndian.PutUint32(w.block[sum:], crc32.Checksum(w.block[sum+sumBytes:], castagnoli))
	return nil
}

func checkValues(values *market.Values) error {
	for _, m := range counts {
		if values[m] == market.Absent {
			return errors.New("a count is absent")
		}
	}
	for m, v := range values {
		if m := market.Metric(m); v < 0 && v != market.Absent && !signed(m) {
			return fmt.Errorf("%s is %d", m, v)
		}
	}
	if a := values[market.Assessment]; a > market.SellersMarket {
		return fmt.Errorf("%s is %d", market.Assessment, a)
	}
	return nil
}
