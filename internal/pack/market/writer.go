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
	out     *pack.Writer
	cells   *pack.ListsWriter[uint8]
	sets    map[uint64]int
	ordered []uint64 // the sets of members by index

	earlier *Table // with the cells that are not computed; nil: there is none
	from    []int  // interval of earlier with the code of an interval; −1: none

	Geographies, Cells int64 // of those so far: geographies with a cell, and cells

	geographies, added int
	all, ends, block   []byte // cells of a geography; ends of the cells of a type, these cells; reused
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
	return &Writer{out: out, sets: map[uint64]int{}, cells: pack.NewLists[uint8](out, "market.cells"), geographies: len(h.Zones)}, out.Err()
}

// From makes the table of an earlier day the one from which cells are copied that are not computed. It has the same
// geographies.
func (w *Writer) From(earlier *Table, intervals []market.Interval) {
	w.earlier, w.from = earlier, make([]int, len(intervals))
	for n, i := range intervals {
		w.from[n] = slices.IndexFunc(earlier.intervals, func(e market.Interval) bool { return e.Code == i.Code })
	}
}

// Add adds the cells of the next geography; indexes must ascend, and those left out have none. It fails if cells are not in
// order, a count is absent or a number has a sign that it cannot have.
func (w *Writer) Add(s *market.Statistics) error {
	if int(s.Geography) < w.added || int(s.Geography) >= w.geographies {
		return fmt.Errorf("market statistics of geography %d: out of order, or more than %d geographies", s.Geography, w.geographies)
	}
	for ; w.added < int(s.Geography); w.added++ {
		w.cells.Append(nil)
	}
	w.added++
	if err := w.encode(s); err != nil {
		return fmt.Errorf("market statistics of geography %d: %w", s.Geography, err)
	}
	w.cells.Append(w.all)
	return w.out.Err()
}

// Finish writes what is left, and the states with listings, "US_OR".
func (w *Writer) Finish(states []string) error {
	for ; w.added < w.geographies; w.added++ {
		w.cells.Append(nil)
	}
	pack.Put(w.out, "market.set", w.ordered)
	states = slices.Sorted(slices.Values(states))
	pack.PutTexts(w.out, "market.state", slices.Compact(states))
	return w.out.Err()
}

// encode sets w.all to the cells of a geography.
func (w *Writer) encode(s *market.Statistics) error {
	if s.Computed != nil && (w.earlier == nil || len(s.Computed) != len(w.from)) {
		return errors.New("no earlier table from which cells can be copied")
	}
	w.all = append(w.all[:0], make([]byte, typeBytes)...)
	cells := s.Cells
	for t := range market.TypeCount {
		n := 0
		for n < len(cells) && cells[n].Type == t {
			n++
		}
		if err := w.encodeType(s, t, cells[:n]); err != nil {
			return fmt.Errorf("type %s: %w", t, err)
		}
		cells = cells[n:]
	}
	if len(cells) > 0 {
		return errors.New("unknown type, or types out of order")
	}
	if len(w.all) == typeBytes {
		w.all = w.all[:0]
		return nil
	}
	w.Geographies++
	w.all = append(w.all, make([]byte, numberBytes)...)
	return nil
}

// encodeType appends the cells of a type to w.all.
func (w *Writer) encodeType(s *market.Statistics, t market.PropertyType, cells []market.Cell) error {
	var has [intervalBytes]byte
	w.ends, w.block = w.ends[:0], w.block[:0]
	var earlier Row
	if s.Computed != nil {
		w.earlier.Find(int(s.Geography), t, &earlier)
	}
	for i := range IntervalCount {
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
		has[i/8] |= 1 << (i % 8)
		w.ends = binary.LittleEndian.AppendUint16(w.ends, uint16(len(w.block)))
	}
	if len(cells) > 0 {
		return fmt.Errorf("interval %d: unknown or out of order", cells[0].Interval)
	}
	if len(w.ends) > 0 {
		w.Cells += int64(len(w.ends) / endBytes)
		w.all[t/8] |= 1 << (t % 8)
		w.all = append(append(append(w.all, has[:]...), w.ends...), w.block...)
	}
	return nil
}

// copyCell appends a cell of another table to w.block.
func (w *Writer) copyCell(row *Row, interval int) error {
	set, data := row.cell(interval)
	if set == 0 {
		return errors.New("the cell of the earlier table is damaged")
	}
	w.block = append(w.block, row.at(interval)[:sumBytes]...)
	w.block = append(binary.AppendUvarint(w.block, uint64(w.index(set))), data...)
	return nil
}

// index is the number of a set of members.
func (w *Writer) index(set uint64) int {
	n, known := w.sets[set]
	if !known {
		n = len(w.ordered)
		w.sets[set] = n
		w.ordered = append(w.ordered, set)
	}
	return n
}

// encodeCell appends a cell to w.block.
func (w *Writer) encodeCell(values *market.Values) error {
	if err := checkValues(values); err != nil {
		return err
	}
	set := setOf(values)
	sum := len(w.block)
	w.block = binary.AppendUvarint(append(w.block, make([]byte, sumBytes)...), uint64(w.index(set)))
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
	binary.LittleEndian.PutUint32(w.block[sum:], crc32.Update(sumOf(set), castagnoli, w.block[begin:]))
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
