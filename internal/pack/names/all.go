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
	for i := range x.texts.Len() {
		text, bearers := string(x.texts.At(i)), x.bearers.At(i)
		for _, form := range []string{m.plain, m.core} {
			r.pattern.set([]byte(form))
			if errors := distance([]rune(form), []rune(text)); errors > 0 && errors <= min(r.pattern.tolerance(), m.slack) && !strings.HasPrefix(text, form) {
				r.take(x, bearers, rankOf(Fuzzy, errors), rankOf(Fuzzy, errors))
			}
		}
	}
}

// comparePhrases takes what has words that begin with those of the query.
func (x *Index) comparePhrases(r *Result) {
	m := r.meaning
	for i := range x.phrases.Len() {
		phrase, bearers := strings.Fields(string(x.phrases.At(i))), x.named.At(i)
		if wordErrors(&r.pattern, m.words, phrase) == 0 {
			r.take(x, bearers, rankOf(Words, 0), rankOf(Words, 0))
		} else if m.certain && wordErrors(&r.pattern, m.coreWords, phrase) == 0 {
			r.only = m.levels
			r.take(x, bearers, rankOf(Words, 0), rankOf(Words, 0))
			r.only = 0
		}
	}
}

// compareWordErrors takes what has words like those of the query.
func (x *Index) compareWordErrors(r *Result) {
	m := r.meaning
	words := m.words
	if m.certain {
		words = m.coreWords
	}
	for i := range x.phrases.Len() {
		errors := wordErrors(&r.pattern, words, strings.Fields(string(x.phrases.At(i))))
		if errors >= 0 && errors <= min(Tolerance(utf8.RuneCountInString(m.plain)), m.slack) && m.slack > 0 {
			r.take(x, x.named.At(i), rankByWord(errors), rankByWord(errors))
		}
	}
}

// wordErrors is the number of typing errors with which all asked words are in a phrase; −1: they are not.
func wordErrors(p *pattern, asked []word, phrase []string) int {
	if len(asked) == 0 || len(asked) > maxWords {
		return -1
	}
	sum := 0
	for _, a := range asked {
		least := -1
		for _, w := range phrase {
			for _, form := range []string{a.raw, a.equal} {
				p.set([]byte(form))
				errors := distance([]rune(form), []rune(w))
				if form != "" && strings.HasPrefix(w, form) {
					errors = 0
				} else if errors == 0 || errors > p.tolerance() {
					continue
				}
				if least < 0 || errors < least {
					least = errors
				}
			}
		}
		if least < 0 {
			return -1
		}
		sum += least
	}
	return sum
}
