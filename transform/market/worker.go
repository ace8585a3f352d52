package market

import (
	"context"
	"slices"

	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
	"quartier/transform/market/relist"
)

// worker computes the cells of all geographies, or only those that may differ from the kept ones.
type worker struct {
	plan        *figures.Plan // of all intervals
	usual       *figures.Plan // of those that are computed of every geography
	store       *store
	data        *data
	calibration *calibration.Market

	earlier *kept             // nil: everything is computed
	need    []bool            // intervals that are computed; nil: all
	touched map[uint32][]bool // intervals that are computed, by geography, where those are more
}

func newWorker(in Input, s *store, c *calibration.Market) *worker {
	plan := figures.NewPlan(in.AsOf, c)
	return &worker{plan: plan, usual: plan, store: s, calibration: c}
}

// load takes the rows of the store that are needed; it is empty after that if everything is computed.
func (w *worker) load(in Input) {
	s, since := w.store, w.usual.Since()
	for _, need := range w.touched {
		since = min(since, w.plan.Only(need).Since())
	}
	if w.earlier == nil {
		s.links, since = nil, market.NoDay
	}
	w.data = s.bySet(w.calibration, since)
	w.data.members = membersOf(s.sets, in.Places.Len())
	if w.earlier == nil {
		s.notes, s.ends, s.spans, s.sales, s.joined = nil, nil, nil, nil, nil
	}
}

// reuse computes no cells of closed intervals in which no listing counts differently from before.
func (w *worker) reuse(earlier *kept, gone removed) {
	w.earlier, w.need, w.touched = earlier, make([]bool, len(w.plan.Intervals)), map[uint32][]bool{}
	before := market.Intervals(earlier.AsOf)
	for n, i := range w.plan.Intervals {
		w.need[n] = !i.Closed || !slices.Contains(before, i)
	}
	w.usual = w.plan.Only(w.need)
	w.touch(gone)
}

// touch finds the closed intervals in which a listing counts differently: one that changed, or one that now continues
// another one, or no longer does.
func (w *worker) touch(gone removed) {
	before, now := figures.NewKernel(w.plan), figures.NewKernel(w.plan)
	compare := func(was, is int32) { w.compare(before, w.earlier.store, int(was), now, w.store, int(is)) }
	first := int32(len(w.earlier.store.links) - len(gone))
	fresh := map[uint64]int32{} // number of a listing that is new or was removed, by ID
	for n := first; int(n) < len(w.store.links); n++ {
		fresh[w.store.links[n].ID] = n
	}
	for _, m := range gone {
		id, is := w.earlier.store.links[m].ID, relist.None
		if n, ok := fresh[id]; ok {
			is = n
			delete(fresh, id)
		}
		compare(m, is)
	}
	for _, n := range fresh {
		compare(relist.None, n)
	}
	for m, j := range w.earlier.store.joined {
		if n := gone.now(m); n != relist.None && w.store.joined[n] != j {
			compare(m, n)
		}
	}
	for n := range w.store.joined {
		if m := gone.was(n); n < first {
			if _, did := w.earlier.store.joined[m]; !did {
				compare(m, n)
			}
		}
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
		if k.Reset(); has && n >= 0 {
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

// run computes all geographies.
func (w *worker) run(ctx context.Context, emit func(market.Statistics) error) error {
	for from := 0; from < len(w.data.members); from += geographiesAhead {
		results := make([]market.Statistics, min(geographiesAhead, len(w.data.members)-from))
		err := parallel.EachWith(ctx, len(results), func() *figures.Kernel { return figures.NewKernel(w.usual) },
			func(k *figures.Kernel, n int) error {
				results[n] = w.geography(k, uint32(from+n))
				return nil
			})
		if err != nil {
			return err
		}
		for _, s := range results {
			if len(s.Cells) == 0 && s.Computed == nil {
				continue
			}
			if err := emit(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// geography is the cells of a geography.
func (w *worker) geography(k *figures.Kernel, g uint32) market.Statistics {
	s := market.Statistics{Geography: g, Computed: w.need}
	if touched := w.touched[g]; touched != nil {
		s.Computed, k = touched, figures.NewKernel(w.plan.Only(touched))
	}
	if len(w.data.members[g]) > 0 {
		k.Reset()
		for _, set := range w.data.members[g] {
			k.Spans(w.data.spansOf(set))
			k.Sales(w.data.salesOf(set))
		}
		s.Cells = k.Cells()
	}
	return s
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
