// Package normalize converts names to the form in which they are compared, and labels to identifiers.
package normalize

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Name is a name in lower case without accents and with single spaces. Apostrophes and periods are removed, other
// punctuation separates words, and "&" and "+" become "and": "L'Île-des-Sœurs" is "lile des soeurs". Empty if nothing
// is left.
func Name(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	word := func(r string) {
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteString(r)
	}
	for _, r := range decompose(s) {
		switch {
		case r == '&' || r == '+':
			space = true
			word("and")
			space = true
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' || r == '`' || r == '.':
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word(plain(unicode.ToLower(r)))
		default:
			space = true
		}
	}
	return b.String()
}

// ID is a label as an identifier: lower snake_case of ASCII letters and digits. Empty if nothing is left.
func ID(s string) string {
	words := strings.FieldsFunc(Name(s), func(r rune) bool { return r == ' ' })
	kept := words[:0]
	for _, word := range words {
		ascii := strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, word)
		if ascii != "" {
			kept = append(kept, ascii)
		}
	}
	return strings.Join(kept, "_")
}

// decompose separates accents from their letters; ASCII is returned unchanged.
func decompose(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return norm.NFKD.String(strings.ToValidUTF8(s, "\ufffd")) // it leaves what follows an invalid byte as it is
		}
	}
	return s
}

// plain spells letters that do not decompose.
func plain(r rune) string {
	switch r {
	case 'œ':
		return "oe"
	case 'æ':
		return "ae"
	case 'ø':
		return "o"
	case 'ß':
		return "ss"
	case 'ł':
		return "l"
	case 'đ', 'ð':
		return "d"
	case 'þ':
		return "th"
	}
	return string(r)
}
