package schools

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/pack/strips"
)

// firstShare is the share of the radius that a search begins with. Most find enough schools there, and planning a circle
// costs as much as its radius.
const firstShare = 1.0 / 16

// Search runs q and fills r. An invalid shape matches nothing.
func (t *Table) Search(q *Query, r *Result) {
	r.Primary, r.High = r.Primary[:0], r.High[:0]
	if !r.regions.Resolve(t.regionCode, q.Regions) {
		return
	}
	t.nearest(q, r)
	if q.Holding && t.findHolding(q, r) {
		r.Primary = t.withHolding(r.Primary, primaryList, q.Limit, r)
		r.High = t.withHolding(r.High, highList, q.Limit, r)
	}
}

// nearest finds the nearest schools. A circle is doubled until both lists are full: the nearest in a smaller circle are the
// nearest of all.
func (t *Table) nearest(q *Query, r *Result) {
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

// findHolding finds the allowed schools with a catchment that holds the point of a query; false if there are none.
func (t *Table) findHolding(q *Query, r *Result) bool {
	r.holding = r.holding[:0]
	at, ok := coord.NewPoint(q.Lng, q.Lat)
	if !ok {
		return false
	}
	t.tree.Search(coord.Box{Min: at, Max: at}, func(area uint32) bool {
		if t.inside(int(area), at) {
			r.holding = append(r.holding, t.schools.At(int(area))...)
		}
		return true
	})
	r.holding = slices.DeleteFunc(r.holding, func(i uint32) bool {
		return int(i) >= t.Len() || !r.regions.Allow(t.regions[i])
	})
	slices.Sort(r.holding)
	r.holding = slices.Compact(r.holding)
	return len(r.holding) > 0
}

// withHolding adds the holding schools of a list to its hits, of which the farthest others make room for them.
func (t *Table) withHolding(hits []strips.Hit, list uint8, limit int, r *Result) []strips.Hit {
	r.spare = r.spare[:0]
	for _, i := range r.holding {
		if t.lists[i]&list != 0 {
			key := r.plan.Key(t.index.Points[i], t.ranks[i])
			r.spare = append(r.spare, strips.Hit{Index: i, Decimetres: uint32(key >> 32)})
		}
	}
	for _, h := range hits {
		if _, holds := slices.BinarySearch(r.holding, h.Index); !holds && len(r.spare) < limit {
			r.spare = append(r.spare, h)
		}
	}
	slices.SortFunc(r.spare, func(a, b strips.Hit) int {
		return cmp.Or(cmp.Compare(a.Decimetres, b.Decimetres), cmp.Compare(t.ranks[a.Index], t.ranks[b.Index]))
	})
	return append(hits[:0], r.spare...)
}
