package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quartier/internal/prose/phrase"
)

// american is the US spelling of words of the patterns, which are in Canadian spelling.
var american = map[string]string{
	"neighbourhood": "neighborhood", "neighbourhoods": "neighborhoods", "neighbouring": "neighboring", "centre": "center",
	"centres": "centers",
	"metre":   "meter", "metres": "meters", "kilometre": "kilometer", "kilometres": "kilometers", "theatre": "theater", "theatres": "theaters",
	"storey": "story", "storeys": "stories", "colour": "color", "fuelling": "fueling", "licence": "license",
}

// Write joins tokens to a sentence, without its full stop: a or an by sound, spaces, a capital at the start. masked is the
// sentence with N for each name and 0 for each number.
func (e *English) Write(tokens []phrase.Token) (text, masked string) {
	var b, m strings.Builder
	b.Grow(phrase.UsualBytes)
	m.Grow(phrase.UsualBytes)
	for i, t := range tokens {
		if i > 0 && !attached(tokens[i-1], t) {
			b.WriteByte(' ')
			m.WriteByte(' ')
		}
		word := t.Text
		if t.Class == phrase.Word {
			if word == "a" && i+1 < len(tokens) {
				word = article(tokens[i+1].Text)
			}
			if us, ok := american[word]; ok && e.us {
				word = us
			}
		}
		b.WriteString(capital(word, i == 0))
		switch t.Class {
		case phrase.Proper:
			word = "N"
		case phrase.Figure:
			word = "0"
		}
		m.WriteString(capital(word, i == 0))
	}
	return b.String(), m.String()
}

func attached(left, right phrase.Token) bool {
	return right.Class == phrase.Mark && right.Text != "(" || left.Class == phrase.Mark && left.Text == "("
}

func capital(word string, first bool) string {
	if !first {
		return word
	}
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[n:]
}

// article is a or an, by the sound that the next word begins with: an hour, a university, an 18-minute walk.
func article(next string) string {
	if vowelSound(next) {
		return "an"
	}
	return "a"
}

// consonants are beginnings of words that are written with a vowel and spoken with a consonant; mutes the other way round.
var (
	consonants = []string{"uni", "use", "usu", "ute", "uti", "ubi", "eu", "ew", "one", "once", "ufo", "ura", "uro"}
	vowels     = []string{"hour", "honest", "honour", "honor", "heir"}
	notUni     = []string{"unin", "unim", "unid"} // uninteresting, unimportant, unidentified
)

func vowelSound(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	if unicode.IsDigit(r) {
		return vowelNumber(word)
	}
	letters := strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
	if utf8.RuneCountInString(letters) <= 4 && letters == strings.ToUpper(letters) && letters != "" &&
		!strings.ContainsAny(letters[1:], "AEIOU") {
		return strings.ContainsRune("AEFHILMNORSX", r) // spelled out: an LRT stop
	}
	lower := strings.ToLower(word)
	switch {
	case hasPrefix(lower, vowels):
		return true
	case hasPrefix(lower, consonants) && !hasPrefix(lower, notUni):
		return false
	}
	return strings.ContainsRune("aeiouàâäéèêëîïôöûü", unicode.ToLower(r))
}

// vowelNumber reports whether a number is spoken with a vowel at the start: 8, 11, 18, 80, 800, 11,000, 18,500.
func vowelNumber(word string) bool {
	digits := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	if digits < 0 {
		digits = len(word)
	}
	leading := word[:digits]
	return leading[0] == '8' || leading == "11" || leading == "18"
}

func hasPrefix(word string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(word, p) {
			return true
		}
	}
	return false
}
