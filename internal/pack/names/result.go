package names

import (
	"math"
	"slices"

	"quartier/schemas"
)

// Result is the result of a Search. It may be reused: its memory is kept for the next search.
type Result struct {
	Matches []Match // best first

	index     *Index
	limit     int
	language  uint32
	folded    []byte
	pattern   pattern
	best      []uint64 // keys, ascending: rank, other language, entry
	levels    schemas.LevelSet
	locations regionFilter
	visible   func(index int) bool
}

// regionFilter is a set of region codes; all of them if any.
type regionFilter struct {
	any   bool
	codes []bool
}

const entryMask = math.MaxUint32

// rankOf orders classes and numbers of errors.
func rankOf(c Class, errors int) uint8 { return uint8(c)<<4 | uint8(errors) }

func rankOfPrefix(text, prefix []byte) uint8 {
	if len(text) == len(prefix) {
		return rankOf(Exact, 0)
	}
	return rankOf(Prefix, 0)
}

// begin prepares the search; false if nothing can match.
func (r *Result) begin(x *Index, q *Query) bool {
	r.Matches, r.best, r.index, r.limit = r.Matches[:0], r.best[:0], x, q.Limit
	r.language = english
	if q.Language == "fr" {
		r.language = french
	}
	r.folded = appendFold(r.folded[:0], q.Name)
	r.pattern.set(r.folded)
	r.levels = q.Levels
	r.locations.set(x, q.Locations)
	r.visible = q.Admit
	return len(r.folded) > 0 && q.Limit > 0
}

func (a *regionFilter) set(x *Index, allowed []string) {
	a.any, a.codes = len(allowed) == 0, a.codes[:0]
	if a.any {
		return
	}
	for _, code := range x.codes {
		a.codes = append(a.codes, slices.Contains(allowed, code))
	}
}

func (a *regionFilter) admits(codes []uint32) bool {
	if a.any {
		return true
	}
	for _, n := range codes {
		if uint64(n) < uint64(len(a.codes)) && a.codes[n] {
			return true
		}
	}
	return false
}

// admits reports whether an entry passes the filters.
func (r *Result) admits(x *Index, entry uint32) bool {
	if r.levels != 0 && r.levels&schemas.LevelSet(x.levels[entry]) == 0 {
		return false
	}
	if !r.locations.any && !r.locations.admits(x.regions.At(int(entry))) {
		return false
	}
	return r.visible == nil || r.visible(int(x.entries[entry]))
}

// full reports whether names of a rank can no longer be among the best.
func (r *Result) full(rank uint8) bool {
	return len(r.best) >= r.limit && r.best[len(r.best)-1]>>56 < uint64(rank)
}

// beats reports whether a key is among the best so far.
func (r *Result) beats(key uint64) bool {
	return len(r.best) < r.limit || key < r.best[len(r.best)-1]
}

// insert inserts a key in order, unless its geography already has a better one.
func (r *Result) insert(key uint64) {
	at := len(r.best)
	for i, have := range r.best {
		if have&entryMask == key&entryMask {
			if have <= key {
				return
			}
			at = i
			break
		}
	}
	if at == len(r.best) && len(r.best) < r.limit {
		r.best = append(r.best, 0)
	} else if at == len(r.best) {
		at--
	}
	for ; at > 0 && r.best[at-1] > key; at-- {
		r.best[at] = r.best[at-1]
	}
	r.best[at] = key
}

// end converts the keys to matches.
func (r *Result) end() {
	for _, key := range r.best {
		m := Match{Class: Class(key >> 60), Errors: int(key >> 56 & 15), Other: key>>55&1 != 0}
		m.Index = int(r.index.entries[key&entryMask])
		r.Matches = append(r.Matches, m)
	}
	r.index, r.visible = nil, nil
}
