package market

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas/market"
)

// Header is what a table has besides cells.
type Header struct {
	Day   market.Day // of the data
	Zones []string   // time zones of the geographies, in the order of geographies.pack; "": none
}

// Writer writes the table. Cells are streamed to the pack.
type Writer struct {
	out   *pack.Writer
	lists [len(parts)]*pack.ListsWriter[uint8]

	file       *pack.File // of earlier
	earlier    *Table     // with the cells that are not computed; nil: there is none
	from       []int      // interval of earlier with the code of an interval; −1: none
	sameClosed bool       // closed intervals are those of earlier

	Geographies, Cells int64 // of those so far: geographies with a cell, and cells

	geographies, added int
	list, ends, block  []byte // cells of a geography; ends of the cells of a type, these cells; reused
}

// NewWriter opens the sections of the table in out.
func NewWriter(out *pack.Writer, h Header) (*Writer, error) {
	names := slices.Sorted(slices.Values(h.Zones))
	names = slices.DeleteFunc(slices.Compact(names), func(zone string) bool { return zone == "" })
	if len(names) >= noZone {
		return nil, fmt.Errorf("market statistics: %d time zones, at most %d", len(names), noZone)
	}
	of := make([]uint8, len(h.Zones))
	for i, zone := range h.Zones {
		of[i] = noZone
		if zone != "" {
			n, _ := slices.BinarySearch(names, zone)
			of[i] = uint8(n)
		}
	}
	pack.PutVocabulary(out, "market.metric", words())
	pack.Put(out, "market.day", []int64{int64(h.Day)})
	pack.PutTexts(out, "market.zone", names)
	pack.Put(out, "market.zone.of", of)
	w := &Writer{out: out, geographies: len(h.Zones)}
	for n := range parts {
		w.lists[n] = pack.NewLists[uint8](out, parts[n].name)
	}
	return w, out.Err()
}

// From makes the table of an earlier day, in a file, the one from which cells are copied that are not computed. It has the same
// geographies. The file stays where it is until the pack is written.
func (w *Writer) From(file *pack.File, earlier *Table, intervals []market.Interval) {
	w.file, w.earlier, w.from = file, earlier, make([]int, len(intervals))
	for n, i := range intervals {
		w.from[n] = slices.IndexFunc(earlier.intervals, func(e market.Interval) bool { return e.Code == i.Code })
	}
	w.sameClosed = slices.Equal(intervals[parts[closed].first:], earlier.intervals[parts[closed].first:])
}

// Add adds the cells of the next geography; indexes must ascend, and those left out have none. It fails if cells are not in
// order, a count is absent or a number has a sign that it cannot have.
func (w *Writer) Add(s *market.Statistics) error {
	if int(s.Geography) < w.added || int(s.Geography) >= w.geographies {
		return fmt.Errorf("market statistics of geography %d: out of order, or more than %d geographies", s.Geography, w.geographies)
	}
	if err := w.check(s); err != nil {
		return fmt.Errorf("market statistics of geography %d: %w", s.Geography, err)
	}
	w.skip(int(s.Geography))
	w.added++
	cells := w.Cells
	for n := range parts {
		if n == closed && w.keepsClosed(s) {
			list := w.earlier.list(n, int(s.Geography))
			w.Cells += int64(countCells(&parts[n], list))
			w.lists[n].AppendFrom(w.file, list)
			continue
		}
		list, err := w.listOf(n, s)
		if err != nil {
			return fmt.Errorf("market statistics of geography %d: %w", s.Geography, err)
		}
		w.lists[n].Append(list)
	}
	if w.Cells > cells {
		w.Geographies++
	}
	return w.out.Err()
}

// skip adds empty lists up to a geography.
func (w *Writer) skip(geography int) {
	for ; w.added < geography; w.added++ {
		for _, l := range w.lists {
			l.Append(nil)
		}
	}
}

// Finish writes what is left, and the states with listings, "US_OR".
func (w *Writer) Finish(states []string) error {
	w.skip(w.geographies)
	states = slices.Sorted(slices.Values(states))
	pack.PutTexts(w.out, "market.state", slices.Compact(states))
	return w.out.Err()
}

// check checks that cells are of known types and intervals, in order, and that those that are not computed are known.
func (w *Writer) check(s *market.Statistics) error {
	if s.Computed != nil && (w.earlier == nil || len(s.Computed) != len(w.from)) {
		return errors.New("no earlier table from which cells can be copied")
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

// keepsClosed reports whether the closed cells of a geography are those of the earlier table: none of them is computed, and the
// intervals are the same.
func (w *Writer) keepsClosed(s *market.Statistics) bool {
	p := &parts[closed]
	return s.Computed != nil && w.sameClosed && !slices.Contains(s.Computed[p.first:p.end], true)
}

// listOf is the cells of a geography in a part of the intervals.
func (w *Writer) listOf(n int, s *market.Statistics) ([]byte, error) {
	p := &parts[n]
	w.list = append(w.list[:0], make([]byte, typeBytes)...)
	cells := s.Cells
	for t := range market.TypeCount {
		k := 0
		for k < len(cells) && cells[k].Type == t {
			k++
		}
		if err := w.encodeType(p, s, t, cells[:k]); err != nil {
			return nil, fmt.Errorf("type %s: %w", t, err)
		}
		cells = cells[k:]
	}
	if len(w.list) == typeBytes {
		return nil, nil
	}
	w.list = append(w.list, make([]byte, numberBytes)...)
	return w.list, nil
}

// encodeType appends the cells of a type to w.list.
func (w *Writer) encodeType(p *part, s *market.Statistics, t market.PropertyType, cells []market.Cell) error {
	var has [16]byte
	w.ends, w.block = w.ends[:0], w.block[:0]
	var earlier Row
	if s.Computed != nil {
		w.earlier.Find(int(s.Geography), t, &earlier)
	}
	for len(cells) > 0 && int(cells[0].Interval) < p.first {
		cells = cells[1:]
	}
	for i := p.first; i < p.end; i++ {
		var err error
		switch {
		case s.Computed != nil && !s.Computed[i]:
			if earlier.at(w.from[i]) == nil {
				continue
			}
			err = w.copyCell(&earlier, w.from[i])
		case len(cells) > 0 && int(cells[0].Interval) == i:
			err = w.encodeCell(&cells[0].Values)
			cells = cells[1:]
		default:
			continue
		}
		if err != nil {
			return fmt.Errorf("interval %d: %w", i, err)
		}
		if len(w.block) > math.MaxUint16 {
			return fmt.Errorf("cells of more than %d bytes", math.MaxUint16)
		}
		has[(i-p.first)/8] |= 1 << ((i - p.first) % 8)
		w.ends = binary.LittleEndian.AppendUint16(w.ends, uint16(len(w.block)))
	}
	if len(w.ends) > 0 {
		w.Cells += int64(len(w.ends) / endBytes)
		w.list[t/8] |= 1 << (t % 8)
		w.list = append(append(append(w.list, has[:p.bitBytes()]...), w.ends...), w.block...)
	}
	return nil
}

// copyCell appends a cell of another table to w.block.
func (w *Writer) copyCell(row *Row, interval int) error {
	if set, _ := row.cell(interval); set == 0 {
		return errors.New("the cell of the earlier table is damaged")
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
