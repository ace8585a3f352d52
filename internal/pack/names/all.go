package names

import (
	"strings"
	"unicode/utf8"
)

// SearchAll is Search by comparing with every name, for tests and benchmarks.
func (x *Index) SearchAll(q *Query, r *Result) {
	if !r.begin(x, q) {
		return
	}
	all := func(compare func(*Result)) {
		for i := range r.meanings {
			r.meaning = &r.meanings[i]
			compare(r)
		}
	}
	all(x.compareForms)
	all(x.comparePhrases)
	if r.interpretSuffix(x, q.Name) {
		all(x.compareForms)
		all(x.comparePhrases)
		r.excludeErrors()
	}
	all(x.compareErrors)
	all(x.compareWordErrors)
	r.end(x)
}

// compareForms takes what equals the query or begins with it.
func (x *Index) compareForms(r *Result) {
	m := r.meaning
	for i := range x.texts.Len() {
		text, bearers := string(x.texts.At(i)), x.bearers.At(i)
		switch text {
		case m.plain:
			r.take(x, bearers, rankOf(Exact, 0), alike)
		case m.bare:
			r.take(x, bearers, alike, alike)
		case m.core:
			r.take(x, bearers, rankOf(Alike, 1), rankOf(Alike, 1))
		}
		if strings.HasPrefix(text, m.plain) || m.bare != "" && strings.HasPrefix(text, m.bare) {
			r.take(x, bearers, rankOf(Prefix, 0), rankOf(Prefix, 0))
		} else if m.certain && strings.HasPrefix(text, m.core) {
			r.only = m.levels
			r.take(x, bearers, rankOf(Prefix, 0), rankOf(Prefix, 0))
			r.only = 0
		}
	}
}

// compareErrors takes what has typing errors.
func (x *Index) compareErrors(r *Result) {
	m := r.meaning
	for _, form := range []string{m.plain, m.core} {
		r.pattern.set([]byte(form))
		tolerance := min(r.pattern.tolerance(), m.slack)
		for i := range x.texts.Len() {
			text := x.texts.At(i)
			if errors := r.pattern.distance(text); errors > 0 && errors <= tolerance && !hasPrefix(text, form) {
				r.take(x, x.bearers.At(i), rankOf(Fuzzy, errors), rankOf(Fuzzy, errors))
			}
		}
	}
}

// comparePhrases takes what has words that begin with those of the query.
func (x *Index) comparePhrases(r *Result) {
	m := r.meaning
	rank := rankOf(Words, 0)
	x.eachPhrase(r, m.words, false, func(_ int, bearers []uint32) { r.take(x, bearers, rank, rank) })
	if m.certain && m.core != m.bare {
		r.only = m.levels
		x.eachPhrase(r, m.coreWords, false, func(_ int, bearers []uint32) { r.take(x, bearers, rank, rank) })
		r.only = 0
	}
}

// compareWordErrors takes what has words like those of the query.
func (x *Index) compareWordErrors(r *Result) {
	m := r.meaning
	words := m.words
	if m.certain {
		words = m.coreWords
	}
	tolerance := min(Tolerance(utf8.RuneCountInString(m.plain)), m.slack)
	x.eachPhrase(r, words, true, func(errors int, bearers []uint32) {
		if rank := rankByWord(errors); errors <= tolerance && m.slack > 0 {
			r.take(x, bearers, rank, rank)
		}
	})
}

// eachPhrase visits the phrases that have all words, with the number of typing errors in them.
func (x *Index) eachPhrase(r *Result, words []word, fuzzy bool, visit func(errors int, bearers []uint32)) {
	if r.ask(x, words, fuzzy) < 0 {
		return
	}
	for i := range x.phrases.Len() {
		sum, all := 0, true
		for k := range r.asked {
			errors := r.asked[k].compare(x, x.phrases.At(i), fuzzy)
			sum, all = sum+errors, all && errors >= 0
		}
		if all && sum <= maxErrors {
			visit(sum, x.named.At(i))
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
			if errors := p.distance(w); fuzzy && len(p.runes) > 0 && errors <= p.tolerance() && (least < 0 || errors < least) {
				least = errors
			}
		}
	}
	return least
}
