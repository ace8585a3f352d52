package market

import (
	"context"
	"slices"

	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
)

// worker computes the cells of all geographies, or only those that may differ from the kept ones.
type worker struct {
	head        head
	plan        *figures.Plan
	store       *store
	data        *data
	calibration *calibration.Market

	earlier *kept // nil: everything is computed
	index   []int // of an interval of the kept cells: its index now, −1: it is gone
	need    []bool
	touched map[uint32][]bool // intervals that are needed too, by geography

	sameIntervals bool // the kept cells are of the same closed intervals
}

func newWorker(in Input, h head, s *store, c *calibration.Market) *worker {
	w := &worker{head: h, plan: figures.NewPlan(in.AsOf, c), store: s, data: s.bySet(c), calibration: c}
	w.data.members = membersOf(s.sets, in.Places.Len())
	return w
}

// reuse keeps the cells of closed intervals in which no listing counts differently from before.
func (w *worker) reuse(earlier *kept, ids map[uint64]bool) {
	w.earlier, w.need, w.touched = earlier, make([]bool, len(w.plan.Intervals)), map[uint32][]bool{}
	for n := range w.need {
		w.need[n] = true
	}
	w.sameIntervals = earlier.cells.Len() == len(w.data.members)
	for _, i := range market.Intervals(earlier.AsOf) {
		at := slices.IndexFunc(w.plan.Intervals, func(now market.Interval) bool { return now.Code == i.Code })
		if w.index = append(w.index, at); at >= 0 && i.Closed {
			w.need[at] = false
		}
		w.sameIntervals = w.sameIntervals && at == len(w.index)-1
	}
	w.touch(ids)
}

// touch finds the closed intervals in which a listing counts differently: one that changed, or one that now continues
// another one.
func (w *worker) touch(ids map[uint64]bool) {
	type version struct{ before, now int } // numbers in the stores, −1: none
	versions := map[uint64]version{}
	number := func(s *store, set func(v *version, n int)) {
		for n := range s.links {
			id := s.links[n].ID
			v, ok := versions[id]
			if _, joined := s.joined[int32(n)]; !ok && !joined && !ids[id] {
				continue
			}
			if !ok {
				v = version{-1, -1}
			}
			set(&v, n)
			versions[id] = v
		}
	}
	number(w.earlier.store, func(v *version, n int) { v.before = n })
	number(w.store, func(v *version, n int) { v.now = n })
	number(w.earlier.store, func(v *version, n int) { v.before = n }) // those that only now continue another one
	before, now := figures.NewKernel(w.plan), figures.NewKernel(w.plan)
	for id, v := range versions {
		if !ids[id] && w.earlier.store.joined[int32(v.before)] == w.store.joined[int32(v.now)] {
			continue
		}
		w.compare(before, w.earlier.store, v.before, now, w.store, v.now)
	}
}

// compare marks what differs between two versions of a listing.
func (w *worker) compare(a *figures.Kernel, before *store, m int, b *figures.Kernel, now *store, n int) {
	geographies := func(s *store, n int) []uint32 {
		if n < 0 {
			return nil
		}
		return s.sets[s.notes[n].Set]
	}
	fill := func(k *figures.Kernel, s *store, n int, has bool) {
		if k.Reset(market.NoDay); has && n >= 0 {
			spans, sales := s.rows(nil, nil, n, w.calibration)
			k.Spans(spans)
			k.Sales(sales)
		}
	}
	old, fresh := geographies(before, m), geographies(now, n)
	mark := func(list []uint32, was, is bool) {
		if len(list) == 0 {
			return
		}
		fill(a, before, m, was)
		fill(b, now, n, is)
		for i, interval := range w.plan.Intervals {
			if !interval.Closed || w.need[i] || !a.Differs(b, i) {
				continue
			}
			for _, g := range list {
				if w.touched[g] == nil {
					w.touched[g] = slices.Clone(w.need)
				}
				w.touched[g][i] = true
			}
		}
	}
	in := func(list []uint32, want bool) func(uint32) bool {
		return func(g uint32) bool { return slices.Contains(list, g) != want }
	}
	mark(slices.DeleteFunc(slices.Clone(old), in(fresh, true)), true, true)
	mark(slices.DeleteFunc(slices.Clone(old), in(fresh, false)), true, false)
	mark(slices.DeleteFunc(slices.Clone(fresh), in(old, false)), false, true)
}

// geographiesAhead is how many geographies are computed before the first of them is passed on.
const geographiesAhead = 256

// result is the cells of a geography, and those of closed intervals as they are kept.
type result struct {
	cells []market.Cell
	kept  []byte
}

// run computes all geographies and keeps what the next run may reuse.
func (w *worker) run(ctx context.Context, work string, emit func(market.Statistics) error) error {
	keep, err := newKeeper(work, w.head, w.store)
	if err != nil {
		return err
	}
	if err := w.each(ctx, keep, emit); err != nil {
		if keep != nil {
			keep.out.Abort()
		}
		return err
	}
	if keep != nil {
		return keep.out.Close()
	}
	return nil
}

func (w *worker) each(ctx context.Context, keep *keeper, emit func(market.Statistics) error) error {
	for from := 0; from < len(w.data.members); from += geographiesAhead {
		results := make([]result, min(geographiesAhead, len(w.data.members)-from))
		err := parallel.EachWith(ctx, len(results), func() *scratch { return &scratch{kernel: figures.NewKernel(w.plan)} }, func(own *scratch, n int) error {
			cells, err := w.geography(own, from+n)
			switch results[n].cells = cells; {
			case keep == nil:
			case w.sameIntervals && w.touched[uint32(from+n)] == nil:
				results[n].kept = w.earlier.cells.At(from + n)
			default:
				results[n].kept = encodeClosed(nil, cells, w.plan.Intervals)
			}
			return err
		})
		if err != nil {
			return err
		}
		for n, r := range results {
			if keep != nil {
				keep.add(from+n, r.kept)
			}
			if len(r.cells) == 0 {
				continue
			}
			if err := emit(market.Statistics{Geography: uint32(from + n), Cells: r.cells}); err != nil {
				return err
			}
		}
	}
	return nil
}

// scratch is the memory of a goroutine.
type scratch struct {
	kernel *figures.Kernel
	cells  []market.Cell
}

// geography is the cells of a geography, by type, then interval.
func (w *worker) geography(own *scratch, g int) (ordered []market.Cell, err error) {
	need := w.need
	if touched := w.touched[uint32(g)]; touched != nil {
		need = touched
	}
	cells := own.cells[:0]
	if w.earlier != nil && g < w.earlier.cells.Len() {
		if cells, err = decodeClosed(cells, w.earlier.cells.At(g), w.index, need); err != nil {
			return nil, err
		}
	}
	if len(w.data.members[g]) > 0 {
		k := own.kernel
		k.Reset(w.plan.Since(need))
		for _, set := range w.data.members[g] {
			k.Spans(w.data.spansOf(set))
			k.Sales(w.data.salesOf(set))
		}
		cells = k.Cells(cells, need)
	}
	own.cells = cells
	return figures.Ordered(cells, len(w.plan.Intervals)), nil
}

// membersOf lists the sets that contain each geography.
func membersOf(sets [][]uint32, geographies int) [][]uint32 {
	members := make([][]uint32, geographies)
	for set, list := range sets {
		for _, g := range list {
			members[g] = append(members[g], uint32(set))
		}
	}
	return members
}
