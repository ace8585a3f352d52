package schools

import "quartier/internal/pack/strips"

// Search runs q and fills r. An invalid shape matches nothing.
func (t *Table) Search(q *Query, r *Result) {
	r.primary.Reset(q.Limit)
	r.high.Reset(q.Limit)
	if r.regions.Resolve(t.regionCode, q.Regions) && r.plan.Set(&t.index, &q.Shape) {
		reach := func() float64 { return max(r.primary.Reach(), r.high.Reach()) }
		r.plan.Outward(&t.index, reach, func(run strips.Run, first, last uint32) { t.scan(r, run.Sure, first, last) })
	}
	r.Primary, r.High = r.primary.Hits(r.Primary[:0]), r.high.Hits(r.High[:0])
}

// scan offers the schools of a part of a run to the lists that they belong in.
func (t *Table) scan(r *Result, sure bool, first, last uint32) {
	for i := first; i < last; i++ {
		at := t.index.Points[i]
		if !r.regions.Allow(t.regions[i]) || !sure && !r.plan.Contains(at) {
			continue
		}
		key := r.plan.Key(at, t.ranks[i])
		if t.lists[i]&primaryList != 0 {
			r.primary.Add(key, i)
		}
		if t.lists[i]&highList != 0 {
			r.high.Add(key, i)
		}
	}
}
