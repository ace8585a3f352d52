package pois

import (
	"math"
	"slices"

	"quartier/schemas"
)

// bitset is a set of small numbers.
type bitset []uint64

func (b bitset) has(i uint32) bool {
	word := i / 64
	return uint64(word) < uint64(len(b)) && b[word]&(1<<(i%64)) != 0
}

// cleared makes room for n numbers and empties the set.
func (b bitset) cleared(n int) bitset {
	words := (n + 63) / 64
	b = slices.Grow(b[:0], words)[:words]
	clear(b)
	return b
}

func (b bitset) set(i int) { b[i/64] |= 1 << (i % 64) }

// filter is a Filter and a category set, resolved to numbers of the table.
type filter struct {
	want     uint64 // categories; a POI must have one of them
	all      bool   // want has every category
	regions  bitset // allowed; meaningful where anywhere is false
	anywhere bool
	brands   wanted
	tags     wanted
}

// wanted are the brands or tags asked for.
type wanted struct {
	any     bool // nothing asked for: everything passes
	numbers []int
	set     bitset
	carried int // how many POIs carry them, each counted once a term
}

// plain reports whether the filter lets a POI through on its category alone.
func (f *filter) plain() bool { return f.anywhere && f.brands.any && f.tags.any }

// resolve prepares the filter; false where nothing can match.
func (f *filter) resolve(t *Table, q *Filter, categories CategorySet, known int) bool {
	every := uint64(1)<<known - 1
	f.want = uint64(categories) & every
	if categories == 0 {
		f.want = every
	}
	f.all = f.want == every
	return f.want != 0 && f.resolveRegions(t, q.Regions) && f.brands.resolve(&t.brands, q.Brands) &&
		f.tags.resolve(&t.tags, q.Tags)
}

func (f *filter) resolveRegions(t *Table, allowed []string) bool {
	f.anywhere = allowed == nil
	if f.anywhere {
		return true
	}
	f.regions = f.regions.cleared(len(t.regionCode))
	count := 0
	for i, code := range t.regionCode {
		for _, allowance := range allowed {
			if schemas.RegionMatches(code, allowance) {
				f.regions.set(i)
				count++
				break
			}
		}
	}
	f.anywhere = count == len(t.regionCode)
	return count > 0
}

func (w *wanted) resolve(v *terms, ids []string) bool {
	w.any, w.numbers, w.carried = len(ids) == 0, w.numbers[:0], 0
	if w.any {
		return true
	}
	w.set = w.set.cleared(len(v.list))
	for _, id := range ids {
		i, ok := slices.BinarySearchFunc(v.list, id, func(t Term, id string) int {
			switch {
			case t.ID < id:
				return -1
			case t.ID > id:
				return 1
			}
			return 0
		})
		if ok && !w.set.has(uint32(i)) {
			w.set.set(i)
			w.numbers = append(w.numbers, i)
			w.carried += len(v.postings.At(i))
		}
	}
	return len(w.numbers) > 0
}

func (w *wanted) passes(v *terms, poi uint32) bool {
	if w.any {
		return true
	}
	for _, number := range v.of.At(int(poi)) {
		if w.set.has(number) {
			return true
		}
	}
	return false
}

// passes reports whether a POI with some categories passes.
func (f *filter) passes(t *Table, poi uint32, categories uint64) bool {
	return categories&f.want != 0 &&
		(f.anywhere || f.regions.has(uint32(t.regions[poi]))) &&
		f.brands.passes(&t.brands, poi) && f.tags.passes(&t.tags, poi)
}

// rarest is the shorter of the lists of POIs that carry a brand or tag asked for, and its length; the length is
// math.MaxInt where neither was asked for.
func (f *filter) rarest(t *Table) (v *terms, w *wanted, length int) {
	length = math.MaxInt
	if !f.brands.any {
		v, w, length = &t.brands, &f.brands, f.brands.carried
	}
	if !f.tags.any && f.tags.carried < length {
		v, w, length = &t.tags, &f.tags, f.tags.carried
	}
	return v, w, length
}
