package names

import (
	"iter"
	"slices"
	"sort"
)

// Beside is some geographies of a second index, which a search sees as if they were in the first one. They are compared one
// by one. It depends on no other geographies of its index: neither what is found nor how long it takes. It is safe for
// concurrent use.
type Beside struct {
	From int // of Match.Index: that of geography i is From + i

	index          *Index
	entries        []uint32 // those that are seen, ascending, at most inIndex
	places         []uint64 // of each of them
	texts, phrases []uint32 // that they have
}

// NewBeside makes a Beside of the geographies in second for which sees is true. precedes reports whether geography j of
// second comes before geography i of first among equally good matches.
func NewBeside(first, second *Index, sees func(j int) bool, precedes func(j, i int) bool) *Beside {
	b := &Beside{index: second}
	for e, j := range second.entries {
		if len(b.entries) == inIndex || !sees(int(j)) {
			continue
		}
		before := sort.Search(len(first.entries), func(n int) bool { return precedes(int(j), int(first.entries[n])) })
		b.places = append(b.places, uint64(before)<<besideBits|uint64(len(b.entries)))
		b.entries = append(b.entries, uint32(e))
	}
	list := func(n int, bearers func(i int) []uint32) (numbers []uint32) {
		for i := range n {
			if slices.ContainsFunc(bearers(i), func(bearer uint32) bool { _, seen := b.place(bearer >> bearerBits); return seen }) {
				numbers = append(numbers, uint32(i))
			}
		}
		return numbers
	}
	b.texts, b.phrases = list(second.texts.Len(), second.bearers.At), list(second.phrases.Len(), second.named.At)
	return b
}

// place is the place in keys of an entry; false if it is not seen.
func (b *Beside) place(entry uint32) (uint64, bool) {
	n, seen := slices.BinarySearch(b.entries, entry)
	if !seen {
		return 0, false
	}
	return b.places[n], true
}

// isBeside reports whether x is the index beside the one that is searched.
func (r *Result) isBeside(x *Index) bool { return r.beside != nil && r.beside.index == x }

// listing is what is compared, until the search is stopped.
func (b *Beside) listing(r *Result) listing {
	until := func(numbers []uint32) iter.Seq[uint32] {
		return func(yield func(uint32) bool) {
			for _, number := range numbers {
				if r.meter.Spend(blockWork) || !yield(number) {
					return
				}
			}
		}
	}
	return listing{b.index, until(b.texts), until(b.phrases)}
}

// strict is listing.strict; nothing for nil.
func (b *Beside) strict(r *Result, first int) {
	if b != nil {
		all := b.listing(r)
		all.strict(r, first)
	}
}

// fuzzy is listing.fuzzy; nothing for nil.
func (b *Beside) fuzzy(r *Result) {
	if b != nil {
		all := b.listing(r)
		all.fuzzy(r)
	}
}

// inside reports whether a geography is in one of an area, where one of the two is beside.
func (r *Result) inside(a *area, index int) bool {
	return len(a.indexes) > 0 && slices.ContainsFunc(r.within(index), func(i int) bool { return slices.Contains(a.indexes, i) })
}
