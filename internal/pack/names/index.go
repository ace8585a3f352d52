package names

import (
	"bytes"
	"maps"
	"slices"
	"sort"

	"quartier/internal/pack"
)

// Index finds geographies by name from a mapped file. It is safe for concurrent use until the file is closed.
type Index struct {
	entries  []uint32           `pack:"entry"`
	levels   []uint16           `pack:"level entries"`
	regions  pack.Lists[uint32] `pack:"region entries"`
	codes    []string           `pack:"code"`
	within   pack.Lists[uint32] `pack:"within entries"`
	texts    pack.Lists[byte]   `pack:"text"`
	bearers  pack.Lists[uint32] `pack:"bearer texts"`
	best     []uint32           `pack:"best textBlocks"`
	phrases  pack.Lists[uint32] `pack:"phrase"`
	named    pack.Lists[uint32] `pack:"phrase.bearer phrases"`
	sets     []uint64           `pack:"phrase.set phrases"`
	words    pack.Lists[byte]   `pack:"word"`
	begins   []uint32           `pack:"word.begin begins"`
	postings []uint32           `pack:"word.phrase"`
	foremost []uint32           `pack:"word.best postingBlocks"`

	similarTexts, similarWords similar

	variants   []uint32 // words that are written for an equal one, ascending
	variantSet uint64   // their set
}

const prefix = "name."

// Open opens the index in f. It copies the region codes; the rest stays in the mapped file.
func Open(f *pack.File) (*Index, error) {
	l := pack.NewLoader(f)
	texts := pack.LoadLists[byte](l, prefix+"text", pack.Any).Len()
	words := pack.LoadLists[byte](l, prefix+"word", pack.Any).Len()
	x := &Index{}
	l.Fill(x, prefix, map[string]int{
		"entries": len(pack.Load[uint32](l, prefix+"entry", pack.Any)),
		"texts":   texts, "textBlocks": blocksOf(texts), "begins": words + 1,
		"phrases":       pack.LoadLists[uint32](l, prefix+"phrase", pack.Any).Len(),
		"postingBlocks": blocksOf(len(pack.Load[uint32](l, prefix+"word.phrase", pack.Any))),
	})
	x.similarTexts.load(l, prefix+"text.", texts)
	x.similarWords.load(l, prefix+"word.", words)
	for _, w := range slices.Sorted(maps.Keys(equals)) {
		if number := x.number(x.words, w); number >= 0 && equals[w] != w {
			x.variants, x.variantSet = append(x.variants, uint32(number)), x.variantSet|wordBit(uint32(number))
		}
	}
	return x, l.Err()
}

// Len is the number of geographies in the index.
func (x *Index) Len() int { return len(x.entries) }

// Search finds the best matches and fills r.
func (x *Index) Search(q *Query, r *Result) {
	if !r.begin(x, q) {
		return
	}
	x.strict(r, 0)
	q.Beside.strict(r, 0)
	if r.interpretSuffix(x, q.Name) {
		x.strict(r, 1)
		q.Beside.strict(r, 1)
		r.excludeErrors()
	}
	if !r.isArea || r.spelt == noRank && len(r.best) == 0 { // of an area only the best matches count
		x.fuzzy(r)
		q.Beside.fuzzy(r)
	}
	if r.interpretRest(x, q.Name) {
		x.strict(r, 0)
		q.Beside.strict(r, 0)
	}
	r.end(x)
}

// fuzzy takes the names with typing errors, by words first: that takes less, and what is found limits the errors in the whole.
func (x *Index) fuzzy(r *Result) {
	for i := range r.meanings {
		r.meaning = &r.meanings[i]
		x.fuzzyWords(r)
	}
	for i := range r.meanings {
		r.meaning = &r.meanings[i]
		x.fuzzyWhole(r)
	}
}

// strict takes the names without typing errors, of the meanings from first on.
func (x *Index) strict(r *Result, first int) {
	for i := first; i < len(r.meanings); i++ {
		r.meaning = &r.meanings[i]
		m := r.meaning
		x.equal(r, m.plain, rankOf(Exact, 0), rankOf(Alike, 0))
		x.equal(r, m.bare, rankOf(Alike, 0), rankOf(Alike, 0))
		x.equal(r, m.core, rankOf(Alike, 1), rankOf(Alike, 1))
		if m.whole {
			continue
		}
		x.beginning(r, m.plain)
		if m.bare != m.plain {
			x.beginning(r, m.bare)
		}
		x.byWords(r, m.words)
		if m.certain && m.core != m.bare {
			r.only = m.levels
			x.beginning(r, m.core)
			x.byWords(r, m.coreWords)
			r.only = 0
		}
	}
}

// equal takes the names with a form, those of which it is the plain form with a rank of their own.
func (x *Index) equal(r *Result, form string, plain, rank uint8) {
	if i := x.form(form); i >= 0 {
		r.take(x, x.bearers.At(i), plain, rank)
	}
}

// form is the index of a form of names; −1: no name has it.
func (x *Index) form(text string) int { return x.number(x.texts, text) }

// number is the index of a text in sorted ones; −1: it is not there.
func (x *Index) number(texts pack.Lists[byte], text string) int {
	if i := x.search(texts, text); i < texts.Len() && string(texts.At(i)) == text {
		return i
	}
	return -1
}

// beginning takes the names that begin with a form.
func (x *Index) beginning(r *Result, form string) {
	if form == "" {
		return
	}
	rank := rankOf(Prefix, 0)
	lo, hi := x.startingWith(x.texts, form)
	r.eachBlock(x.best, lo, hi, rank, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r.take(x, x.bearers.At(i), rank, rank)
		}
	})
}

// blockWork is the work on a block of names, in units of a pack.Meter.
const blockWork = 50

// eachBlock calls visit with the parts from lo to hi of the blocks whose best entry may still be taken at a rank.
func (r *Result) eachBlock(best []uint32, lo, hi int, rank uint8, visit func(lo, hi int)) {
	for lo < hi && !r.full(rank) && !r.meter.Spend(blockWork) {
		end := min((lo/blockSize+1)*blockSize, hi)
		if r.beats(uint64(rank)<<rankShift | uint64(best[lo/blockSize])<<besideBits) {
			visit(lo, end)
		}
		lo = end
	}
}

// search is the first of sorted texts that is not before text.
func (x *Index) search(texts pack.Lists[byte], text string) int {
	return sort.Search(texts.Len(), func(i int) bool { return string(texts.At(i)) >= text })
}

// startingWith is the range of sorted texts that begin with a text.
func (x *Index) startingWith(texts pack.Lists[byte], text string) (lo, hi int) {
	lo = x.search(texts, text)
	n := sort.Search(texts.Len()-lo, func(i int) bool { return !hasPrefix(texts.At(lo+i), text) })
	return lo, lo + n
}

func hasPrefix(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// fuzzyWhole takes the names that have typing errors in them as a whole.
func (x *Index) fuzzyWhole(r *Result) {
	m := r.meaning
	for i, form := range [2]string{m.plain, m.core} {
		folded := []byte(form)
		r.pattern.set(folded)
		tolerance := r.worthwhile(min(r.pattern.tolerance(), m.slack))
		if tolerance <= 0 || i == 1 && form == m.plain {
			continue
		}
		x.similarTexts.each(&r.pattern, folded, tolerance, &r.meter, func(numbers []uint32) int {
			r.ahead += readAhead(x.texts, numbers)
			for _, number := range numbers {
				text := x.texts.At(int(number))
				errors := r.pattern.within(text, tolerance)
				if errors == 0 || errors > tolerance || bytes.HasPrefix(text, folded) {
					continue
				}
				rank := rankOf(Fuzzy, errors)
				r.take(x, x.bearers.At(int(number)), rank, rank)
			}
			tolerance = r.worthwhile(tolerance)
			return tolerance
		})
	}
}

// worthwhile is how many of so many errors a whole name may have and be among the best.
func (r *Result) worthwhile(tolerance int) int {
	for tolerance > 0 && r.full(rankOf(Fuzzy, tolerance)) {
		tolerance--
	}
	return tolerance
}

// readAhead reads the beginning of each list. Lists are scattered over the file: read in a row, with nothing else between them,
// their cache misses overlap. The sum has no meaning.
func readAhead[T byte | uint32](lists pack.Lists[T], numbers []uint32) (sum uint32) {
	for _, number := range numbers {
		if list := lists.At(int(number)); len(list) > 0 {
			sum += uint32(list[0])
		}
	}
	return sum
}
