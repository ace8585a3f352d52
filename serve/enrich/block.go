package enrich

import (
	"cmp"
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
	vectors []vector // of all columns but the status

	items     []item
	statuses  []Status // by row
	positions []uint32 // by row: the item that has its values
	memory    arena    // of arrays
}

// item is a place of a block. Rows of one place share it.
type item struct {
	key uint64 // along a Hilbert curve
	row uint32
}

// Worker returns a worker.
func (e *Enricher) Worker() *Worker {
	w := &Worker{columns: e.Columns(), parts: e.parts}
	w.at.release.Open(e.release, e.client.Customer, e.client.Regions)
	for _, p := range e.parts {
		w.fillers = append(w.fillers, p.filler())
	}
	w.vectors = make([]vector, len(w.columns)-1)
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
	for i := range w.vectors {
		w.vectors[i].grow(w.columns[i].Kind, len(points)+1)
	}
	nowhere := uint32(len(points)) // an item without values
	k, last := uint32(0), -1
	for _, it := range w.items {
		p := points[it.row]
		if last >= 0 && points[last] == p {
			w.statuses[it.row], w.positions[it.row] = w.statuses[last], w.positions[last]
			continue
		}
		status, filled := w.fillItem(p, int(k))
		w.statuses[it.row], w.positions[it.row] = status, nowhere
		if filled {
			w.positions[it.row] = k
			k++
		}
		last = int(it.row)
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
	slices.SortFunc(w.items, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row)) })
}

// fillItem fills item k with the values at a point.
func (w *Worker) fillItem(p orb.Point, k int) (status Status, filled bool) {
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
	known, places := false, false
	rest := w.vectors
	for i, f := range w.fillers {
		any := f.fill(&w.at, k, rest[:len(w.parts[i].columns)])
		rest = rest[len(w.parts[i].columns):]
		if w.parts[i].places {
			known, places = known || any, true
		}
	}
	if places && !known {
		return NothingHere, true
	}
	return OK, true
}

// Statuses are those of the rows of the last block.
func (w *Worker) Statuses() []Status { return w.statuses }

// Arrays are the columns of rows from first to last of the last block, as text if they are for a text file: numbers are then
// written as the API writes them. They are valid until the next Fill.
func (w *Worker) Arrays(first, last int, asText bool) []arrow.Array {
	var list []arrow.Array
	for i := range w.vectors {
		list = append(list, w.columns[i].array(&w.vectors[i], w.positions[first:last], asText, &w.memory))
	}
	return append(list, w.memory.texts(last-first, func(dst []byte, i int) ([]byte, bool) {
		return append(dst, w.statuses[first+i].String()...), true
	}))
}
