package schools

import "quartier/internal/pack/strips"

// firstShare is the share of the radius that a search begins with. Most find enough schools there, and planning a circle
// costs as much as its radius.
const firstShare = 1.0 / 16

// Search runs q and fills r. An invalid shape matches nothing. A circle is doubled until both lists are full: the nearest
// in a smaller circle are the nearest of all.
func (t *Table) Search(q *Query, r *Result) {
	r.Primary, r.High = r.Primary[:0], r.High[:0]
	if !r.regions.Resolve(t.regionCode, q.Regions) {
		return
	}
	shape := q.Shape
	if shape.Area == nil {
		shape.RadiusM *= firstShare
	}
	for {
		t.search(&shape, q.Limit, r)
		if shape.Area != nil || !(shape.RadiusM < q.RadiusM) || full(r.Primary, q.Limit, shape.RadiusM) && full(r.High, q.Limit, shape.RadiusM) {
			return
		}
		shape.RadiusM *= 2
	}
}

// full reports whether nothing beyond a radius can be among the nearest: hits at the radius may be at the same distance as
// schools just beyond it, which names order.
func full(hits []strips.Hit, limit int, radiusM float64) bool {
	return len(hits) >= limit && (limit <= 0 || hits[limit-1].Metres() < radiusM-0.1)
}

// search finds the nearest schools in a shape.
func (t *Table) search(shape *strips.Shape, limit int, r *Result) {
	r.primary.Reset(limit)
	r.high.Reset(limit)
	if r.plan.Set(&t.index, shape) {
		reach := func() float64 { return max(r.primary.Reach(), r.high.Reach()) }
		r.plan.Outward(&t.index, reach, func(run strips.Run, first, last uint32) { t.scan(r, run.Sure, first, last) })
	}
	r.Primary, r.High = r.primary.Hits(r.Primary[:0]), r.high.Hits(r.High[:0])
}

// scan offers the schools of a part of a run to the lists that they belong in.
func (t *Table) scan(r *Result, sure bool, first, last uint32) {
	for i := first; i < last; i++ {
		at := t.index.Points[i]
		if !r.regions.Allow(t.regions[i]) || !sure && !r.plan.Near(at) {
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
