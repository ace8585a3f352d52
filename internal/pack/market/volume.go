package market

import (
	"errors"
	"fmt"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas/market"
)

// ErrEarlier is returned where a file of the earlier table is damaged: the table can be written without it.
var ErrEarlier = errors.New("the earlier table is damaged")

// volume is the file of a part of the intervals in the making. As long as its cells are those of the file of the earlier table
// nothing is written.
type volume struct {
	part
	path    string
	out     *pack.Writer // nil: not begun
	lists   *pack.ListsWriter[uint8]
	count   int64
	earlier *table // with the same intervals; nil: none
}

// findEarlier finds the file of the earlier table with the same closed intervals.
func (v *volume) findEarlier(intervals []market.Interval, earlier *Table) {
	if earlier == nil || v.year == 0 {
		return
	}
	n := slices.IndexFunc(earlier.parts, func(p part) bool { return p.year == v.year })
	if n >= 0 && slices.EqualFunc(v.intervals, earlier.parts[n].intervals, func(a, b int) bool {
		return a == none && b == none || a != none && b != none && intervals[a] == earlier.intervals[b]
	}) {
		v.earlier = &earlier.volumes[n]
	}
}

// keeps reports whether the cells of a geography are those of the earlier table.
func (v *volume) keeps(s *market.Statistics) bool {
	return s.Computed != nil && v.earlier != nil &&
		!slices.ContainsFunc(v.intervals, func(i int) bool { return i != none && s.Computed[i] })
}

// begin begins the file, if it is not begun, with the lists that the earlier table has of the geographies before one.
func (v *volume) begin(geography int) error {
	if v.out != nil {
		return nil
	}
	out, err := pack.Create(v.path)
	if err != nil {
		return err
	}
	v.out = out
	pack.PutVocabulary(out, "market.metric", words())
	if v.year > 0 {
		pack.Put(out, "market.year", []int64{int64(v.year)})
	}
	v.lists = pack.NewLists[uint8](out, "market.cells")
	if v.earlier != nil {
		if err := v.earlier.file.Verify(); err != nil {
			return fmt.Errorf("%w: %w", ErrEarlier, err)
		}
	}
	for g := range geography {
		if err := v.copy(v.earlier.cells.At(g)); err != nil {
			return err
		}
	}
	return out.Err()
}

// copy adds a list of the earlier table, if the file is begun.
func (v *volume) copy(list []byte) error {
	if v.out == nil {
		return nil
	}
	v.count += int64(countCells(list))
	v.lists.AppendFrom(v.earlier.file, list)
	return v.out.Err()
}

// append adds a list with a number of cells.
func (v *volume) append(list []byte, count int64) error {
	v.count += count
	v.lists.Append(list)
	return v.out.Err()
}
