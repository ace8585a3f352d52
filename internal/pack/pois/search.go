package pois

import (
	"math"
	"math/bits"

	"quartier/internal/pack/strips"
)

// scratch is memory that searches reuse.
type scratch struct {
	plan    strips.Plan
	smaller strips.Plan // of a circle
	filter  filter
	tally   tally
	nearest [NumBaseCategories]strips.Nearest
	found   []uint32
	added   []uint32 // the hits in the order in which they were found, nearly that of the table
	sets    []uint64 // their categories
}

// Search runs q and fills r. An invalid shape matches nothing.
func (t *Table) Search(q *Query, r *Result) {
	r.Hits, r.scratch.added, r.TotalCount = r.Hits[:0], r.scratch.added[:0], 0
	r.TotalByCategory, r.ReturnedByCategory = [NumCategories]int{}, [NumCategories]int{}
	r.Known = t.KnownAt(q.Lng, q.Lat).Categories
	s := &search{table: t, result: r, plan: &r.scratch.plan, filter: &r.scratch.filter, tally: &r.scratch.tally, best: &r.scratch.nearest[0]}
	if !s.filter.resolve(t, &q.Filter, q.Categories, NumCategories) || !s.plan.Set(&t.index, &q.Shape) {
		return
	}
	*s.tally = tally{} // a search that failed may have left something
	s.best.Reset(q.Limit)
	if v, w, length := s.filter.rarest(t); length < s.plan.Len() {
		r.scratch.found = withTerms(t, s.plan, v, w, r.scratch.found[:0])
		for _, poi := range r.scratch.found {
			if categories := t.categories[poi]; s.filter.passes(t, poi, categories) {
				s.count(categories)
				s.offer(poi)
			}
		}
	} else if near := q.Area == nil && s.filter.plain() && s.plan.Len() > 2*q.Limit; q.Limit > 0 && !near {
		s.returns = true
		s.plan.Outward(&t.index, s.best.Reach, s.run)
	} else { // only counts: the order of strips does not matter
		runs := s.plan.Runs()
		if q.Area == nil && s.filter.plain() {
			s.ahead = s.readAhead(runs)
		}
		for _, r := range runs {
			if s.plan.Stopped(int(r.Last - r.First)) {
				break
			}
			s.run(r, r.First, r.First)
		}
		s.total()
		if q.Limit > 0 {
			s.offerNear(q)
		}
	}
	s.total()
	r.Hits = s.best.Hits(r.Hits)
	r.scratch.added = s.best.Added(r.scratch.added[:0])
	sets := r.scratch.sets[:0]
	for _, poi := range r.scratch.added {
		sets = append(sets, t.categories[poi]&s.filter.want)
	}
	r.scratch.sets = sets
	s.tally.addAll(sets)
	s.tally.into(&r.ReturnedByCategory)
	for i := range r.TotalByCategory {
		if s.filter.want&(1<<i) == 0 {
			r.TotalByCategory[i] = 0
		}
	}
}

// search is a running Search.
type search struct {
	table  *Table
	result *Result
	plan   *strips.Plan
	filter *filter
	tally  *tally
	best   *strips.Nearest

	returns bool   // hits, not only counts
	ahead   uint64 // of readAhead
}

func (s *search) count(categories uint64) {
	s.result.TotalCount++
	s.tally.add(categories & s.filter.want)
}

// total brings the totals up to date with what was counted.
func (s *search) total() {
	s.tally.into(&s.result.TotalByCategory)
	if s.filter.single() {
		s.result.TotalCount = s.result.TotalByCategory[bits.TrailingZeros64(s.filter.want)]
	}
}

// offer adds a matching POI with its distance to the nearest.
func (s *search) offer(poi uint32) {
	s.best.Add(s.plan.Key(s.table.index.Points[poi], s.table.ranks[poi]), poi)
}

// A smaller circle should have spare times as many POIs as are returned. One with crowd times as many is narrowed again, at
// most narrower times.
const (
	spare    = 1.3
	crowd    = 1.5
	narrower = 3
)

// offerNear offers the POIs of a smaller circle, which has enough of them if they were evenly spread, and of larger ones until
// it has: the nearest in a smaller circle are the nearest of all. Towns are denser in the middle, where most searches are: a
// circle with too many is narrowed again.
func (s *search) offerNear(q *Query) {
	all, radius, inside := s.plan, q.RadiusM, s.result.TotalCount
	s.plan = &s.result.scratch.smaller
	for range narrower {
		radius *= math.Sqrt(spare * float64(q.Limit) / float64(inside))
		s.plan.Narrow(&s.table.index, all, radius)
		if inside = s.plan.Len(); float64(inside) < crowd*float64(q.Limit) || !s.filter.all {
			break
		}
	}
	for radius < q.RadiusM {
		s.plan.Outward(&s.table.index, s.best.Reach, s.offerRun)
		if s.best.Full(radius) {
			return
		}
		s.best.Reset(q.Limit)
		radius *= spare
		s.plan.Narrow(&s.table.index, all, radius)
	}
	s.plan = all
	s.plan.Outward(&s.table.index, s.best.Reach, s.offerRun)
}

// offerRun offers the POIs of a run of a circle that can be near enough, if the filter has only categories.
func (s *search) offerRun(r strips.Run, first, last uint32) {
	if s.filter.all { // every POI has a category
		s.best.AddCircle(s.plan, &s.table.index, s.table.ranks, strips.Run{First: first, Last: last, Sure: r.Sure})
		return
	}
	for poi := first; poi < last; poi++ {
		if s.table.categories[poi]&s.filter.want == 0 {
			continue
		}
		if key, in := s.plan.KeyInCircle(r, s.table.index.Points[poi], s.table.ranks[poi]); in {
			s.best.Add(key, poi)
		}
	}
}

// run counts the POIs of a run, of which only [first, last) can be near enough to be returned.
func (s *search) run(r strips.Run, first, last uint32) {
	switch {
	case !r.Sure:
		s.scan(r.First, r.Last, true, s.returns)
	case s.filter.plain():
		s.countRange(r.First, r.Last)
		for poi := first; poi < last; poi++ {
			if s.table.categories[poi]&s.filter.want != 0 {
				s.offer(poi)
			}
		}
	default:
		s.scan(r.First, first, false, false)
		s.scan(first, last, false, true)
		s.scan(last, r.Last, false, false)
	}
}

// scan filters POIs one by one.
func (s *search) scan(first, last uint32, test, offer bool) {
	plain := s.filter.plain()
	for poi := first; poi < last; poi++ {
		categories := s.table.categories[poi]
		if categories&s.filter.want == 0 || !plain && !s.filter.passes(s.table, poi, categories) ||
			test && !s.plan.Near(s.table.index.Points[poi]) {
			continue
		}
		s.count(categories)
		if offer {
			s.offer(poi)
		}
	}
}

// readAhead reads a number of nearly each line that countRange will read of sums and of categories at the ends of runs. They are
// scattered over the file: read in a row, their cache misses overlap, while counting a run waits for each. The sum has no meaning.
func (s *search) readAhead(runs []strips.Run) (sum uint64) {
	const sets, counts = cacheLine / 8, cacheLine / 4 // in a line
	t := s.table
	for _, r := range runs {
		first, last := r.First, r.Last
		if r.Sure && last-first >= 2*sumEvery {
			a, b := (first+sumEvery-1)/sumEvery, last/sumEvery
			lower, upper := t.sums[a*NumCategories:][:NumCategories], t.sums[b*NumCategories:][:NumCategories]
			for i := 0; i < NumCategories; i += counts {
				sum += uint64(lower[i] + upper[i])
			}
			for i := b * sumEvery; i < last; i += sets {
				sum += t.categories[i]
			}
			last = a * sumEvery
		}
		for i := first; i < last; i += sets {
			sum += t.categories[i]
		}
	}
	return sum
}

// countRange counts POIs in the shape if the filter has only categories.
func (s *search) countRange(first, last uint32) {
	if last-first < 2*sumEvery {
		if s.filter.all || s.filter.single() {
			s.result.TotalCount += int(last - first) // every POI has a category; of a single one total has the number
			s.tally.addAll(s.table.categories[first:last])
			return
		}
		for _, categories := range s.table.categories[first:last] {
			if categories&s.filter.want != 0 {
				s.count(categories)
			}
		}
		return
	}
	t, totals := s.table, &s.result.TotalByCategory
	a, b := (first+sumEvery-1)/sumEvery, last/sumEvery
	lower, upper := t.sums[a*NumCategories:][:NumCategories], t.sums[b*NumCategories:][:NumCategories]
	for i := range totals {
		totals[i] += int(upper[i]) - int(lower[i])
	}
	s.tally.addAll(t.categories[first : a*sumEvery])
	s.tally.addAll(t.categories[b*sumEvery : last])
	if s.filter.all || s.filter.single() {
		s.result.TotalCount += int(last - first)
		return
	}
	for _, categories := range t.categories[first:last] {
		if categories&s.filter.want != 0 {
			s.result.TotalCount++
		}
	}
}
