package market

import (
	"encoding/binary"
	"errors"
	"fmt"
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
	masks   map[uint64]int
	ordered []uint64 // the masks by index

	geographies, added int
	all, one, cell     []byte // cells of a geography, of a type, one cell; reused
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
	return &Writer{out: out, masks: map[uint64]int{}, cells: pack.NewLists[uint8](out, "market.cells"), geographies: len(h.Zones)}, out.Err()
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
	if err := w.encode(s.Cells); err != nil {
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
	pack.Put(w.out, "market.mask", w.ordered)
	states = slices.Sorted(slices.Values(states))
	pack.PutTexts(w.out, "market.state", slices.Compact(states))
	return w.out.Err()
}

// encode sets w.all to the cells of a geography.
func (w *Writer) encode(cells []market.Cell) error {
	w.all = w.all[:0]
	if len(cells) == 0 {
		return nil
	}
	w.all = append(w.all, make([]byte, typeBytes)...)
	for len(cells) > 0 {
		t, n := cells[0].Type, 1
		for n < len(cells) && cells[n].Type == t {
			n++
		}
		if t >= market.TypeCount || n < len(cells) && cells[n].Type < t {
			return errors.New("unknown type, or types out of order")
		}
		w.all[t/8] |= 1 << (t % 8)
		if err := w.encodeType(cells[:n]); err != nil {
			return fmt.Errorf("type %s: %w", t, err)
		}
		cells = cells[n:]
	}
	return nil
}

func (w *Writer) encodeType(cells []market.Cell) error {
	var has [intervalBytes]byte
	w.one = w.one[:0]
	last := -1
	for i := range cells {
		c := &cells[i]
		n := int(c.Interval)
		if n <= last || n >= IntervalCount {
			return fmt.Errorf("interval %d: unknown or out of order", n)
		}
		last = n
		has[n/8] |= 1 << (n % 8)
		if err := w.encodeCell(&c.Values); err != nil {
			return fmt.Errorf("interval %d: %w", n, err)
		}
		w.one = binary.AppendUvarint(w.one, uint64(len(w.cell)))
		w.one = append(w.one, w.cell...)
	}
	w.all = append(w.all, has[:]...)
	w.all = binary.AppendUvarint(w.all, uint64(len(w.one)))
	w.all = append(w.all, w.one...)
	return nil
}

func (w *Writer) encodeCell(values *market.Values) error {
	var mask uint64
	for m, v := range values {
		if v != market.Absent {
			mask |= 1 << m
		}
	}
	if mask&countMask != countMask {
		return errors.New("a count is absent")
	}
	n, known := w.masks[mask]
	if !known {
		n = len(w.ordered)
		w.masks[mask] = n
		w.ordered = append(w.ordered, mask)
	}
	w.cell = binary.AppendUvarint(w.cell[:0], uint64(n))
	for m, v := range values {
		switch {
		case v == market.Absent:
		case signed(market.Metric(m)):
			w.cell = binary.AppendVarint(w.cell, v)
		case v < 0:
			return fmt.Errorf("%s is %d", market.Metric(m), v)
		default:
			w.cell = binary.AppendUvarint(w.cell, uint64(v))
		}
	}
	if a := values[market.Assessment]; a > market.SellersMarket {
		return fmt.Errorf("%s is %d", market.Assessment, a)
	}
	return nil
}

// countMask has the bits of the counts.
var countMask = func() (mask uint64) {
	for _, m := range counts {
		mask |= 1 << m
	}
	return mask
}()
