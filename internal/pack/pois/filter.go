package pois

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/pack/strips"
)

// bitset is a set of small numbers.
type bitset []uint64

func (b bitset) has(i uint32) bool {
	word := i / 64
	return uint64(word) < uint64(len(b)) && b[word]&(1<<(i%64)) != 0
}

// cleared is an empty set with room for n numbers, in the same memory.
func (b bitset) cleared(n int) bitset {
	words := (n + 63) / 64
	b = slices.Grow(b[:0], words)[:words]
	clear(b)
	return b
}

func (b bitset) set(i int) { b[i/64] |= 1 << (i % 64) }

// filter is a Filter and a category set, resolved to numbers of the table.
type filter struct {
	want    uint64 // categories; a POI must have one of them
	all     bool   // want has every category
	regions strips.Regions
	brands  termFilter
	tags    termFilter
}

// termFilter is the requested brands or tags.
type termFilter struct {
	any     bool // none requested: everything passes
	numbers []int
	set     bitset
	carried int // number of POIs that have them, counted once per term
}

// plain reports whether the filter has only categories.
func (f *filter) plain() bool { return f.regions.Anywhere() && f.brands.any && f.tags.any }

// single reports whether the filter wants one category.
func (f *filter) single() bool { return f.want&(f.want-1) == 0 }

// resolve prepares the filter; false if nothing can match.
func (f *filter) resolve(t *Table, q *Filter, categories CategorySet, known int) bool {
	every := uint64(1)<<known - 1
	f.want = uint64(categories) & every
	if categories == 0 {
		f.want = every
	}
	f.all = f.want == every
	return f.want != 0 && f.regions.Resolve(t.regionCode, q.Regions) && f.brands.resolve(&t.brands, q.Brands) &&
		f.tags.resolve(&t.tags, q.Tags)
}

func (w *termFilter) resolve(v *terms, ids []string) bool {
	w.any, w.numbers, w.carried = len(ids) == 0, w.numbers[:0], 0
	if w.any {
		return true
	}
	w.set = w.set.cleared(len(v.list))
	for _, id := range ids {
		i, ok := slices.BinarySearchFunc(v.list, id, func(t Term, id string) int {
			return cmp.Compare(t.ID, id)
		})
		if ok && !w.set.has(uint32(i)) {
			w.set.set(i)
			w.numbers = append(w.numbers, i)
			w.carried += len(v.postings.At(i))
		}
	}
	return len(w.numbers) > 0
}

func (w *termFilter) passes(v *terms, poi uint32) bool {
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

// passes reports whether a POI with the given categories passes.
func (f *filter) passes(t *Table, poi uint32, categories uint64) bool {
	return categories&f.want != 0 &&
		f.regions.Allow(t.regions[poi]) &&
		f.brands.passes(&t.brands, poi) && f.tags.passes(&t.tags, poi)
}

// rarest is the shorter of the lists of POIs that have a requested brand or tag, and its length; math.MaxInt if neither
// was requested.
func (f *filter) rarest(t *Table) (v *terms, w *termFilter, length int) {
	length = math.MaxInt
	if !f.brands.any {
		v, w, length = &t.brands, &f.brands, f.brands.carried
	}
	if !f.tags.any && f.tags.carried < length {
		v, w, length = &t.tags, &f.tags, f.tags.carried
	}
	return v, w, length
}
