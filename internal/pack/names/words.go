package names

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"

	"quartier/internal/pack"
)

// The largest number of names of a word that a search looks at, and of those with typing errors that it compares, because their
// sets of words do not rule them out. Names of a word are in the order of rank, so that the most important ones are compared.
const (
	maxVisits   = 1 << 16
	maxCompared = 6000
)

// askedWord is a word of the query with the words of names that match it.
type askedWord struct {
	word
	from, to [2]int // words that begin with its raw and its equal form
	exact    int    // the word that is its equal form, or −1
	near     []nearWord
	filter   [filterSize / 64]uint64 // the numbers of near, modulo filterSize
	set      uint64                  // the set that has all words that match
	patterns [2]pattern              // of the two forms, empty if they are the same
	names    int                     // that have such a word, at most
	least    int                     // number of errors of the best of them
}

const filterSize = 4096

// nearWord is a word of names within the tolerance.
type nearWord struct {
	number uint32
	errors int
}

// wordBit is the bit of a word in the set of a phrase.
func wordBit(number uint32) uint64 { return 1 << (number % 64) }

// wordBits are the bits of the words lo to hi.
func wordBits(lo, hi int) uint64 {
	if hi-lo >= 64 {
		return math.MaxUint64
	}
	return bits.RotateLeft64(1<<max(hi-lo, 0)-1, lo%64)
}

// count is the number of postings of words lo to hi.
func (x *Index) count(lo, hi int) int { return max(x.begin(hi)-x.begin(lo), 0) }

// begin is the first posting of a word.
func (x *Index) begin(word int) int { return min(int(x.begins[word]), len(x.postings)) }

// find sets the words that begin with an asked one.
func (a *askedWord) find(x *Index, w word) {
	a.word, a.near, a.names, a.set, a.least, a.exact = w, a.near[:0], 0, 0, 0, -1
	for i, form := range [2]string{w.raw, w.equal} {
		a.from[i], a.to[i] = 0, 0
		if form == "" || i == 1 && form == w.raw {
			continue
		}
		a.from[i], a.to[i] = x.startingWith(x.words, form)
		a.names += x.count(a.from[i], a.to[i])
		a.set |= wordBits(a.from[i], a.to[i])
		if first := a.from[i]; form == w.equal && first < a.to[i] && string(x.words.At(first)) == form {
			a.exact = first
		}
	}
}

// setPatterns sets the patterns of the two forms.
func (a *askedWord) setPatterns() {
	a.patterns[0].set([]byte(a.raw))
	a.patterns[1].set(nil)
	if a.equal != a.raw {
		a.patterns[1].set([]byte(a.equal))
	}
}

// findNear adds the words within the tolerance of an asked one that do not begin with it, ordered by number.
func (a *askedWord) findNear(x *Index, meter *pack.Meter) {
	a.setPatterns()
	for i, form := range [2]string{a.raw, a.equal} {
		p := &a.patterns[i]
		if len(p.runes) == 0 {
			continue
		}
		folded := []byte(form)
		tolerance := p.tolerance()
		x.similarWords.each(p, folded, tolerance, meter, func(numbers []uint32) int {
			for _, number := range numbers {
				text := x.words.At(int(number))
				if errors := p.within(text, tolerance); errors > 0 && errors <= tolerance && !bytes.HasPrefix(text, folded) &&
					int(number) < x.words.Len() {
					a.near = append(a.near, nearWord{number, errors})
				}
			}
			return tolerance
		})
	}
	slices.SortFunc(a.near, func(p, q nearWord) int {
		return cmp.Or(cmp.Compare(p.number, q.number), cmp.Compare(p.errors, q.errors))
	})
	a.near = slices.CompactFunc(a.near, func(p, q nearWord) bool { return p.number == q.number })
	clear(a.filter[:])
	if a.names == 0 {
		a.least = math.MaxInt
	}
	for _, w := range a.near {
		a.filter[w.number%filterSize/64] |= 1 << (w.number % 64)
		a.set |= wordBit(w.number)
		a.names += x.count(int(w.number), int(w.number)+1)
		a.least = min(a.least, w.errors)
	}
}

// errors is the smallest number of typing errors with which the asked word is in a phrase; −1: it is not.
func (a *askedWord) errors(phrase []uint32, fuzzy bool) int {
	least := -1
	for _, number := range phrase {
		if n := int(number); a.from[0] <= n && n < a.to[0] || a.from[1] <= n && n < a.to[1] {
			return 0
		}
		if !fuzzy || a.filter[number%filterSize/64]>>(number%64)&1 == 0 {
			continue
		}
		i, found := slices.BinarySearchFunc(a.near, number, func(w nearWord, number uint32) int { return cmp.Compare(w.number, number) })
		if found && (least < 0 || a.near[i].errors < least) {
			least = a.near[i].errors
		}
	}
	return least
}

// askWords prepares the words of a query for comparisons; false if there are none, or too many.
func (r *Result) askWords(x *Index, words []word) bool {
	if len(words) == 0 || len(words) > maxWords {
		return false
	}
	for len(r.asked) < len(words) {
		r.asked = append(r.asked, askedWord{})
	}
	r.asked = r.asked[:len(words)]
	for i, w := range words {
		r.asked[i].word, r.asked[i].exact = w, x.number(x.words, w.equal)
		r.asked[i].setPatterns()
	}
	return true
}

// ask prepares the words of a query, and returns the one that the fewest names have; −1 if none can match.
func (r *Result) ask(x *Index, words []word, fuzzy bool) int {
	if len(words) == 0 || len(words) > maxWords {
		return -1
	}
	for len(r.asked) < len(words) {
		r.asked = append(r.asked, askedWord{})
	}
	r.asked = r.asked[:len(words)]
	rarest := 0
	for i, w := range words {
		a := &r.asked[i]
		a.find(x, w)
		if fuzzy {
			a.findNear(x, &r.meter)
		}
		if a.names == 0 {
			return -1
		}
		if a.names < r.asked[rarest].names {
			rarest = i
		}
	}
	r.sets = r.sets[:0]
	for i := range r.asked {
		if i != rarest {
			r.sets = append(r.sets, r.asked[i].set)
		}
	}
	slices.SortFunc(r.sets, func(a, b uint64) int { return cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)) })
	return rarest
}

// mayHave reports whether a phrase with a set of words may have all asked ones but the rarest.
func (r *Result) mayHave(set uint64) bool {
	for _, asked := range r.sets {
		if set&asked == 0 {
			return false
		}
	}
	return true
}

// partly is the grade of a name of which the query has not all of a word; for others it is smaller.
const partly = 3

// grade orders names that have the words of a query: 0 with one word besides or none, 1 with two, 2 with more, and partly.
func (r *Result) grade(x *Index, phrase []uint32) int {
	for i := range r.asked {
		if exact := r.asked[i].exact; exact < 0 || !slices.Contains(phrase, uint32(exact)) {
			return partly
		}
	}
	words := 0
	for _, number := range phrase {
		if x.variantSet&wordBit(number) == 0 || !slices.Contains(x.variants, number) {
			words++
		}
	}
	return r.gradeOf(words)
}

// gradeOf is the grade of a name of so many words that has all asked ones.
func (r *Result) gradeOf(words int) int { return min(max(words-len(r.asked)-1, 0), partly-1) }

// mayBeat reports whether a phrase with a set of words may be among the best, by the smallest number of words that it can have.
func (r *Result) mayBeat(x *Index, set uint64, best uint32) bool {
	rank := rankOf(Words, r.gradeOf(bits.OnesCount64(set&^x.variantSet)))
	return r.beats(uint64(rank)<<rankShift | uint64(best)<<besideBits)
}

// byWords takes the names in which every asked word begins a word, those that have all of each word first.
func (x *Index) byWords(r *Result, words []word) {
	if r.full(rankOf(Words, 0)) {
		return
	}
	rarest := r.ask(x, words, false)
	if rarest < 0 {
		return
	}
	take := func(phrase uint32, whole, begun bool) {
		words := x.phrases.At(int(phrase))
		if grade := r.grade(x, words); grade < partly && whole || grade == partly && begun && r.errorsBut(rarest, words, 0) == 0 {
			r.take(x, x.named.At(int(phrase)), rankOf(Words, grade), rankOf(Words, grade))
		}
	}
	a := &r.asked[rarest]
	if a.exact >= 0 && a.names == x.count(a.exact, a.exact+1) { // no other word begins with it
		x.postingsOf(r, a.exact, a.exact+1, rankOf(Words, 0), true, func(phrase uint32) { take(phrase, true, true) })
		return
	}
	if driver := r.rarestExact(x); driver >= 0 {
		exact := r.asked[driver].exact
		x.postingsOf(r, exact, exact+1, rankOf(Words, 0), true, func(phrase uint32) { take(phrase, true, false) })
	}
	for i := range a.from {
		x.postingsOf(r, a.from[i], a.to[i], rankOf(Words, partly), false, func(phrase uint32) { take(phrase, false, true) })
	}
}

// rarestExact is the asked word that the fewest names have as a whole word; −1: there is one that no name has.
func (r *Result) rarestExact(x *Index) int {
	rarest, least := -1, math.MaxInt
	for i := range r.asked {
		exact := r.asked[i].exact
		if exact < 0 {
			return -1
		}
		if n := x.count(exact, exact+1); n < least {
			rarest, least = i, n
		}
	}
	return rarest
}

// fuzzyWords takes the names in which every asked word begins a word or is one with typing errors.
func (x *Index) fuzzyWords(r *Result) {
	m := r.meaning
	words := m.words
	if m.certain {
		words = m.coreWords
	}
	if r.full(rankByWord(0)) || m.slack == 0 || m.whole {
		return
	}
	rarest := r.ask(x, words, true)
	if rarest < 0 {
		return
	}
	a := &r.asked[rarest]
	tolerance, least := min(Tolerance(utf8.RuneCountInString(m.plain)), m.slack), 0 // of the other words
	for i := range r.asked {
		if i != rarest {
			least += r.asked[i].least
		}
	}
	r.compared = 0
	visit := func(lo, hi, errors int) {
		x.postingsOf(r, lo, hi, rankByWord(errors+least), false, func(phrase uint32) {
			if r.compared++; r.compared > maxCompared {
				return
			}
			others := r.errorsBut(rarest, x.phrases.At(int(phrase)), tolerance-errors)
			if rank := rankByWord(errors + others); others >= 0 {
				r.take(x, x.named.At(int(phrase)), rank, rank)
			}
		})
	}
	for i := range a.from {
		if least <= tolerance {
			visit(a.from[i], a.to[i], 0)
		}
	}
	for errors := 1; errors <= tolerance-least; errors++ {
		for _, w := range a.near {
			if w.errors == errors {
				visit(int(w.number), int(w.number)+1, errors)
			}
		}
	}
}

// errorsBut is the sum of the errors of all asked words but one in a phrase; −1: one is not in it, or it is more than most.
func (r *Result) errorsBut(but int, phrase []uint32, most int) int {
	if most < 0 {
		return -1
	}
	sum := 0
	for i := range r.asked {
		if i == but {
			continue
		}
		errors := r.asked[i].errors(phrase, sum < most)
		if sum += errors; errors < 0 || sum > most {
			return -1
		}
	}
	return sum
}

// postingsOf visits the phrases of words lo to hi that may have all asked words and be taken at a rank, or, where they are
// graded, at that of their grade.
func (x *Index) postingsOf(r *Result, lo, hi int, rank uint8, graded bool, visit func(phrase uint32)) {
	var phrases [blockSize]uint32
	r.eachBlock(x.foremost, x.begin(lo), x.begin(hi), rank, func(lo, hi int) {
		best := x.foremost[lo/blockSize]
		hi = min(hi, lo+maxVisits-r.visits)
		n := 0
		for _, phrase := range x.postings[lo:max(lo, hi)] {
			if uint64(phrase) < uint64(len(x.sets)) && r.mayHave(x.sets[phrase]) && (!graded || r.mayBeat(x, x.sets[phrase], best)) {
				phrases[n] = phrase
				n++
			}
		}
		r.visits += max(hi-lo, 0)
		r.ahead += readAhead(x.phrases, phrases[:n])
		for _, phrase := range phrases[:n] {
			visit(phrase)
		}
	})
}
