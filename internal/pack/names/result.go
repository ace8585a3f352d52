package names

import (
	"math"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas"
)

// Result is the result of a Search. It may be reused: its memory is kept for the next search.
type Result struct {
	Matches []Match // best first

	limit     int
	language  uint32
	beside    *Beside
	within    func(index int) []int
	meanings  []meaning
	meaning   *meaning // which is searched now
	pattern   pattern
	asked     []askedWord
	best      []uint64         // keys, ascending: rank, not of the named level, other language, entry
	levels    schemas.LevelSet // asked for
	only      schemas.LevelSet // of the step of the search; 0: all
	locations [2]regionFilter  // of the index and of the one beside
	visible   func(index int) bool
	sets      []uint64 // of the asked words but the rarest
	visits    int      // names of words that were looked at, at most maxVisits
	compared  int      // of those, with typing errors
	ahead     uint32   // of readAhead, so that it is not left out
	sub       *Result  // of the search of an area
	isArea    bool
	meter     pack.Meter
	spelt     uint8 // of an area: the rank of a region's name; noRank: it is of none
}

// regionFilter is a set of region codes; all of them if any.
type regionFilter struct {
	any   bool
	codes []bool
}

// A key orders matches: rank (8 bits), 1 for a level that the query does not name, 1 for another language or a further
// name, place (54 bits). The place of an entry is its number, then 22 bits that are all set; those beside come before the
// entry that they precede, and have their number there.
const (
	besideBits = 22
	inIndex    = 1<<besideBits - 1 // of an entry's place
	placeMask  = 1<<54 - 1
	rankShift  = 56
	otherLevel = 1 << 55
	otherName  = 1 << 54
	classShift = 5
	maxErrors  = 15
	noRank     = uint8(math.MaxUint8)
)

// A rank is a class, a number of errors of at most maxErrors, and 1 for a match by words. Where the query surely names a
// level, Alike, Prefix and Words of other levels come after these three of it: they are moved up to Fuzzy.
const (
	fuzzyGroup = 7 // of a rank; of other classes their number, or moved
	moved      = fuzzyGroup - uint8(Fuzzy)
)

// rankOf orders classes and numbers of errors.
func rankOf(c Class, errors int) uint8 {
	if c == Fuzzy {
		c = fuzzyGroup
	}
	return uint8(c)<<classShift | uint8(min(errors, maxErrors))<<1
}

// classOf is the class of a rank.
func classOf(rank uint8) Class {
	group := rank >> classShift
	if group >= uint8(Fuzzy) {
		group -= moved
	}
	return Class(group)
}

// rankByWord is that of a Fuzzy match of single words, after a whole name with as many errors.
func rankByWord(errors int) uint8 { return rankOf(Fuzzy, errors) | 1 }

// begin prepares the search; false if nothing can match.
func (r *Result) begin(x *Index, q *Query) bool {
	r.Matches, r.best, r.limit, r.visits, r.only = r.Matches[:0], r.best[:0], q.Limit, 0, 0
	r.meter.Start(q.Stop)
	r.language = english
	if q.Language == "fr" {
		r.language = french
	}
	r.levels, r.visible, r.beside, r.within = q.Levels, q.Admit, q.Beside, q.Within
	r.locations[0].set(x, q.Locations)
	if r.beside != nil {
		r.locations[1].set(r.beside.index, q.Locations)
	}
	r.interpret(x, q.Name)
	return r.meanings[0].plain != "" && q.Limit > 0
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
	level := schemas.LevelSet(x.levels[entry])
	if r.levels != 0 && r.levels&level == 0 || r.only != 0 && r.only&level == 0 {
		return false
	}
	list, index := 0, int(x.entries[entry])
	if r.isBeside(x) {
		list, index = 1, r.beside.From+index
	}
	if l := &r.locations[list]; !l.any && !l.admits(x.regions.At(int(entry))) {
		return false
	}
	for i := range r.meaning.areas {
		if a := &r.meaning.areas[i]; !a.admits(x, entry, list) && !r.inside(a, index) {
			return false
		}
	}
	return r.visible == nil || r.visible(index)
}

// full reports whether names of a rank can no longer be among the best.
func (r *Result) full(rank uint8) bool {
	return len(r.best) >= r.limit && r.best[len(r.best)-1]>>rankShift < uint64(rank)
}

// beats reports whether a key is among the best so far.
func (r *Result) beats(key uint64) bool {
	return len(r.best) < r.limit || key < r.best[len(r.best)-1]
}

// take inserts the entries of a list of bearers: with rank plain where the text is the plain form of the name.
func (r *Result) take(x *Index, bearers []uint32, plain, rank uint8) {
	plain, rank = max(plain, r.meaning.least), max(rank, r.meaning.least)
	if r.full(min(plain, rank)) {
		return
	}
	beside := r.isBeside(x)
	for _, b := range bearers {
		entry := b >> bearerBits
		key := uint64(entry)<<besideBits | inIndex
		if beside {
			var seen bool
			if key, seen = r.beside.place(entry); !seen {
				continue
			}
		}
		if b&isPlain != 0 {
			key |= uint64(plain) << rankShift
		} else {
			key |= uint64(rank) << rankShift
		}
		if b&r.language == 0 {
			key |= otherName
		}
		if !r.beats(key) || uint64(entry) >= uint64(len(x.entries)) {
			continue
		}
		if named := r.meaning.levels; named != 0 && named&schemas.LevelSet(x.levels[entry]) == 0 {
			key |= otherLevel
			if class := classOf(uint8(key >> rankShift)); r.meaning.certain && class != Exact && class != Fuzzy {
				key += uint64(moved) << (rankShift + classShift)
			}
		}
		if r.beats(key) && r.admits(x, entry) {
			r.insert(key)
		}
	}
}

// insert inserts a key in order, unless its geography already has a better one.
func (r *Result) insert(key uint64) {
	at := len(r.best)
	for i, have := range r.best {
		if have&placeMask == key&placeMask {
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
func (r *Result) end(x *Index) {
	for _, key := range r.best {
		r.Matches = append(r.Matches, Match{
			Index: r.index(x, key), Class: classOf(uint8(key >> rankShift)),
			Errors: int(key >> (rankShift + 1) & maxErrors), ByWord: key>>rankShift&1 != 0, Other: key&otherName != 0,
		})
	}
	r.meaning, r.visible, r.beside, r.within = nil, nil, nil, nil
}

// index is Match.Index of a key.
func (r *Result) index(x *Index, key uint64) int {
	if n := key & inIndex; n != inIndex {
		return r.beside.From + int(r.beside.index.entries[r.beside.entries[n]])
	}
	return int(x.entries[key&placeMask>>besideBits])
}
