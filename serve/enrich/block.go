package enrich

import (
	"cmp"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/serve/scope"
)

// Worker fills blocks of rows. It is used by one goroutine and keeps its memory from block to block.
type Worker struct {
	columns []Column
	parts   []part
	fillers []filler
	at      place
	values  *values // of all columns but the status and those of addresses
	finder  *finder // of addresses

	items     []item
	places    []orb.Point // of items
	statuses  []Status    // by row
	positions []uint32    // by row: the item that has its values
	cells     []int64     // of rows: the numbers of their statuses
	memory    arena       // of arrays
}

// item is a place of a block. Rows of one place share it.
type item struct {
	key uint64 // along a Hilbert curve
	row uint32
}

// Worker returns a worker.
func (e *Enricher) Worker() *Worker {
	w := &Worker{columns: e.Columns(), parts: e.parts, finder: newFinder(e)}
	w.columns = w.columns[len(w.finder.columns):]
	w.at.release.Open(e.release, e.client.Customer, e.client.Regions)
	for _, p := range e.parts {
		w.fillers = append(w.fillers, p.filler())
	}
	w.values = newValues(w.columns[:len(w.columns)-1])
	return w
}

// Fill answers for the points of rows, in degrees; one that is not ValidPoint, such as NaN, has no answer. Points are
// visited along a Hilbert curve, so that neighbours follow each other whatever the order of rows, and those at one place are
// answered once.
func (w *Worker) Fill(points []orb.Point) {
	w.memory.reset()
	w.order(points)
	w.statuses = slices.Grow(w.statuses[:0], len(points))[:len(points)]
	w.positions = slices.Grow(w.positions[:0], len(points))[:len(points)]
	w.values.reset()
	const none = math.MaxUint32 // rows without values, whose item is the last
	kept := uint32(0)
	var status Status
	var position uint32
	for i, it := range w.items {
		if i == 0 || w.places[i] != w.places[i-1] {
			var filled bool
			if status, filled = w.fillItem(w.places[i]); filled {
				position = kept
				w.values.keep()
				kept++
			} else {
				position = none
			}
		}
		w.statuses[it.row], w.positions[it.row] = status, position
	}
	nowhere := w.values.end()
	for row, at := range w.positions {
		if at == none {
			w.positions[row] = nowhere
		}
	}
}

// order sorts the rows along the curve.
func (w *Worker) order(points []orb.Point) {
	w.items = w.items[:0]
	for row, p := range points {
		it := item{row: uint32(row)}
		if ValidPoint(p[0], p[1]) {
			it.key = geo.Hilbert(p)
		}
		w.items = append(w.items, it)
	}
	slices.SortFunc(w.items, func(a, b item) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.row, b.row)
	})
	w.places = w.places[:0]
	for _, it := range w.items { // here and not in Fill, where each would be waited for
		w.places = append(w.places, points[it.row])
	}
}

// fillItem fills the next item with the values at a point.
func (w *Worker) fillItem(p orb.Point) (status Status, filled bool) {
	if !ValidPoint(p[0], p[1]) {
		return BadCoordinates, false
	}
	switch err := w.at.release.CheckPlace(p[0], p[1]); err {
	case nil:
	case scope.ErrRegion:
		return NotAgreed, false
	default:
		return Outside, false
	}
	w.at.move(p[0], p[1])
	return w.fillParts(), true
}

// fillParts fills the next item with the values of the place.
func (w *Worker) fillParts() Status {
	known, places := false, false
	rest := w.values.tile
	for i, f := range w.fillers {
		any := f.fill(&w.at, w.values.used, rest[:len(w.parts[i].columns)])
		rest = rest[len(w.parts[i].columns):]
		if w.parts[i].places {
			known, places = known || any, true
		}
	}
	if places && !known {
		return NothingHere
	}
	return OK
}

// Statuses are those of the rows of the last block.
func (w *Worker) Statuses() []Status { return w.statuses }

// Arrays are the columns of rows from first to last of the last block, as text if they are for a text file: numbers are then
// written as the API writes them. They are valid until the next Fill.
func (w *Worker) Arrays(first, last int, asText bool) []arrow.Array {
	var list []arrow.Array
	for i, cells := range w.finder.cells {
		list = append(list, w.finder.columns[i].array(cells[first:last], w.finder.texts[i].texts, asText, &w.memory))
	}
	for i, cells := range w.values.at(w.positions[first:last]) {
		list = append(list, w.columns[i].array(cells, w.values.texts[i].texts, asText, &w.memory))
	}
	w.cells = w.cells[:0]
	for _, status := range w.statuses[first:last] {
		w.cells = append(w.cells, int64(status))
	}
	return append(list, w.columns[len(w.columns)-1].array(w.cells, statusNames[:], asText, &w.memory))
}
