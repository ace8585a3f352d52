package names

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// listing is names of an index, to be compared one by one.
type listing struct {
	*Index
	texts, phrases iter.Seq[uint32] // their numbers
}

// SearchAll is Search by comparing with every name, for tests and benchmarks.
func (x *Index) SearchAll(q *Query, r *Result) {
	if !r.begin(x, q) {
		return
	}
	all := listing{x, below(x.texts.Len()), below(x.phrases.Len())}
	all.strict(r, 0)
	if r.interpretSuffix(x, q.Name) {
		all.strict(r, 1)
		r.excludeErrors()
	}
	all.fuzzy(r)
	if r.interpretRest(x, q.Name) {
		all.strict(r, 0)
	}
	r.end(x)
}

// below are the numbers from 0 to n, without it.
func below(n int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := range uint32(n) {
			if !yield(i) {
				return
			}
		}
	}
}

// strict takes the names without typing errors, of the meanings from first on.
func (x *listing) strict(r *Result, first int) {
	for i := first; i < len(r.meanings); i++ {
		r.meaning = &r.meanings[i]
		x.compareForms(r)
		x.comparePhrases(r)
	}
}

// fuzzy takes the names with typing errors.
func (x *listing) fuzzy(r *Result) {
	for i := range r.meanings {
		r.meaning = &r.meanings[i]
		x.compareErrors(r)
		x.compareWordErrors(r)
	}
}

// compareForms takes what equals the query or begins with it.
func (x *listing) compareForms(r *Result) {
	m := r.meaning
	for i := range x.texts {
		text, bearers := string(x.Index.texts.At(int(i))), x.bearers.At(int(i))
		switch text {
		case m.plain:
			r.take(x.Index, bearers, rankOf(Exact, 0), alike)
		case m.bare:
			r.take(x.Index, bearers, alike, alike)
		case m.core:
			r.take(x.Index, bearers, rankOf(Alike, 1), rankOf(Alike, 1))
		}
		if m.whole {
			continue
		}
		if strings.HasPrefix(text, m.plain) || m.bare != "" && strings.HasPrefix(text, m.bare) {
			r.take(x.Index, bearers, rankOf(Prefix, 0), rankOf(Prefix, 0))
		} else if m.certain && strings.HasPrefix(text, m.core) {
			r.only = m.levels
			r.take(x.Index, bearers, rankOf(Prefix, 0), rankOf(Prefix, 0))
			r.only = 0
		}
	}
}

// compareErrors takes what has typing errors.
func (x *listing) compareErrors(r *Result) {
	m := r.meaning
	for _, form := range []string{m.plain, m.core} {
		r.pattern.set([]byte(form))
		tolerance := min(r.pattern.tolerance(), m.slack)
		for i := range x.texts {
			text := x.Index.texts.At(int(i))
			if errors := r.pattern.distance(text); errors > 0 && errors <= tolerance && !hasPrefix(text, form) {
				r.take(x.Index, x.bearers.At(int(i)), rankOf(Fuzzy, errors), rankOf(Fuzzy, errors))
			}
		}
	}
}

// comparePhrases takes what has words that begin with those of the query.
func (x *listing) comparePhrases(r *Result) {
	m := r.meaning
	if m.whole {
		return
	}
	take := func(_ int, phrase uint32) {
		rank := rankOf(Words, r.grade(x.Index, x.Index.phrases.At(int(phrase))))
		r.take(x.Index, x.named.At(int(phrase)), rank, rank)
	}
	x.eachPhrase(r, m.words, false, take)
	if m.certain && m.core != m.bare {
		r.only = m.levels
		x.eachPhrase(r, m.coreWords, false, take)
		r.only = 0
	}
}

// compareWordErrors takes what has words like those of the query.
func (x *listing) compareWordErrors(r *Result) {
	m := r.meaning
	words := m.words
	if m.certain {
		words = m.coreWords
	}
	tolerance := min(Tolerance(utf8.RuneCountInString(m.plain)), m.slack)
	x.eachPhrase(r, words, true, func(errors int, phrase uint32) {
		if rank := rankByWord(errors); errors <= tolerance && m.slack > 0 && !m.whole {
			r.take(x.Index, x.named.At(int(phrase)), rank, rank)
		}
	})
}

// eachPhrase visits the phrases that have all words, with the number of typing errors in them.
func (x *listing) eachPhrase(r *Result, words []word, fuzzy bool, visit func(errors int, phrase uint32)) {
	if !r.askWords(x.Index, words) {
		return
	}
	for i := range x.phrases {
		sum, all := 0, true
		for k := range r.asked {
			errors := r.asked[k].compare(x.Index, x.Index.phrases.At(int(i)), fuzzy)
			sum, all = sum+errors, all && errors >= 0
		}
		if all && sum <= maxErrors {
			visit(sum, i)
		}
	}
}

// compare is what errors must return, from the texts of the words.
func (a *askedWord) compare(x *Index, phrase []uint32, fuzzy bool) int {
	least := -1
	for _, number := range phrase {
		w := x.words.At(int(number))
		if a.raw != "" && hasPrefix(w, a.raw) || hasPrefix(w, a.equal) {
			return 0
		}
		for i := range a.patterns {
			p := &a.patterns[i]
			if !fuzzy || len(p.runes) == 0 {
				continue
			}
			if errors := p.distance(w); errors <= p.tolerance() && (least < 0 || errors < least) {
				least = errors
			}
		}
	}
	return least
}
