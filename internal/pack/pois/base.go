package pois

import (
	"math/bits"

	"quartier/internal/pack/strips"
)

// SearchBase runs q and fills r. An invalid shape matches nothing.
func (t *Table) SearchBase(q *BaseQuery, r *BaseResult) {
	for i := range r.Hits {
		r.Hits[i], r.Total[i] = r.Hits[i][:0], 0
		r.scratch.nearest[i].Reset(q.Limit)
	}
	r.Known = t.KnownAt(q.Lng, q.Lat).Base
	s := &baseSearch{table: t, result: r, plan: &r.scratch.plan, filter: &r.scratch.filter}
	if !s.filter.resolve(t, &q.Filter, q.Categories, NumBaseCategories) || !s.plan.Set(&t.index, &q.Shape) {
		return
	}
	if v, w, length := s.filter.rarest(t); length < s.plan.Len() {
		r.scratch.found = withTerms(t, s.plan, v, w, r.scratch.found[:0])
		for _, poi := range r.scratch.found {
			s.take(poi, true)
		}
	} else {
		s.plan.Outward(&t.index, s.reach, s.run)
	}
	for i := range r.Hits {
		r.Hits[i] = r.scratch.nearest[i].Hits(r.Hits[i])
	}
}

// baseSearch is a running SearchBase.
type baseSearch struct {
	table  *Table
	result *BaseResult
	plan   *strips.Plan
	filter *filter
}

// reach is the distance beyond which no POI is among the nearest of any category.
func (s *baseSearch) reach() float64 {
	farthest := 0.0
	for set := s.filter.want; set != 0; set &= set - 1 {
		farthest = max(farthest, s.result.scratch.nearest[bits.TrailingZeros64(set)].Reach())
	}
	return farthest
}

func (s *baseSearch) run(r strips.Run, first, last uint32) {
	for poi := r.First; poi < r.Last; poi++ {
		if r.Sure || s.table.base[poi] != 0 && s.plan.Near(s.table.index.Points[poi]) {
			s.take(poi, first <= poi && poi < last)
		}
	}
}

// take counts a POI in the shape if it passes the filter, and adds it to the nearest if offer.
func (s *baseSearch) take(poi uint32, offer bool) {
	base := uint64(s.table.base[poi])
	if !s.filter.passes(s.table, poi, base) {
		return
	}
	set := base & s.filter.want
	var key uint64
	if offer {
		key = s.plan.Key(s.table.index.Points[poi], s.table.ranks[poi])
	}
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		s.result.Total[i]++
		if offer {
			s.result.scratch.nearest[i].Add(key, poi)
		}
	}
}
