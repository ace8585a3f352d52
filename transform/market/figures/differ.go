package figures

import (
	"slices"

	"quartier/schemas/market"
)

// Differs reports whether the rows of two kernels of a plan count differently in an interval.
func (k *Kernel) Differs(o *Kernel, interval int) bool {
	p := k.plan
	w, e := p.own[interval], p.end[interval]
	if k.fresh[w] != o.fresh[w] || k.sold[w] != o.sold[w] || k.active[e] != o.active[e] || k.underContract[e] != o.underContract[e] ||
		k.pending[e] != o.pending[e] {
		return true
	}
	for _, part := range append(slices.Clone(p.parts[interval]), w) {
		if k.inside[part] != o.inside[part] || k.soldListed[part] != o.soldListed[part] {
			return true
		}
	}
	return !slices.EqualFunc(k.sales[w], o.sales[w], func(a, b *Sale) bool { return *a == *b }) ||
		!slices.EqualFunc(k.listed[e], o.listed[e], sameWhenListed)
}

// sameWhenListed reports whether two spans have the same values at a day on which both are active.
func sameWhenListed(a, b *Span) bool {
	return a.On == b.On && a.Prior-int32(a.From) == b.Prior-int32(b.From) && a.Price == b.Price && a.Sqft == b.Sqft && a.Type == b.Type &&
		a.Income == b.Income
}

// ordered is a copy of cells of a geography by type, then interval; no two are of the same.
func ordered(cells []market.Cell, intervals int) []market.Cell {
	at := make([]int32, int(market.TypeCount)*intervals)
	for n := range cells {
		at[int(cells[n].Type)*intervals+int(cells[n].Interval)] = int32(n) + 1
	}
	out := make([]market.Cell, 0, len(cells))
	for _, n := range at {
		if n > 0 {
			out = append(out, cells[n-1])
		}
	}
	return out
}

// Since is the first day that counts for any of the intervals that are computed.
func (p *Plan) Since() market.Day {
	since := p.Intervals[0].First
	for n, i := range p.Intervals {
		if p.need == nil || p.need[n] {
			since = min(since, i.First)
			for _, part := range p.parts[n] {
				since = min(since, p.windows[part].first)
			}
		}
	}
	return since
}
