package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the number of characters from which a name is too long for a sentence.
const MaxName = 110

// Clean is a name of a source as a text has it: without marks of direction and characters of no width, with single spaces
// and typographic apostrophes. A name in a script that is written from right to left is isolated from the words around it.
// It is "" where a sentence cannot have the name: too long, with control characters, or without a letter.
func Clean(name string) string {
	name, direction := strip(lowerCapitals(name))
	if name == "" || !strings.ContainsFunc(name, unicode.IsLetter) || utf8.RuneCountInString(name) >= MaxName {
		return ""
	}
	return isolate(name, direction)
}

// CleanSign is Clean for names that may be numbers: lines, and areas of postal codes.
func CleanSign(name string) string {
	name, direction := strip(name)
	readable := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if name == "" || !strings.ContainsFunc(name, readable) || utf8.RuneCountInString(name) >= MaxName {
		return ""
	}
	return isolate(name, direction)
}

func strip(name string) (clean string, rightToLeft bool) {
	if !utf8.ValidString(name) {
		return "", false
	}
	var b strings.Builder
	space := false
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Cf, r): // marks of direction, soft hyphens, joiners
			continue
		case unicode.IsSpace(r):
			space = true
			continue
		case unicode.IsControl(r) || r == unicode.ReplacementChar || unicode.Is(unicode.Co, r):
			return "", false
		case unicode.Is(unicode.Hebrew, r) || unicode.Is(unicode.Arabic, r):
			rightToLeft = true
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if r == '\'' || r == '`' || r == '´' || r == 'ʼ' {
			r = '’'
		}
		b.WriteRune(r)
	}
	return b.String(), rightToLeft
}

// isolate puts a name that is written from right to left between U+2068 and U+2069.
func isolate(name string, rightToLeft bool) string {
	if rightToLeft {
		return "\u2068" + name + "\u2069"
	}
	return name
}

// lowerCapitals writes a name of several words in capitals as a name: RUSSELL / SHELLEY becomes Russell / Shelley. Words of up
// to three letters that have no vowel stay, as do names of one word: they may be initials.
func lowerCapitals(name string) string {
	fields := strings.Fields(name)
	if len(fields) < 2 || strings.ToUpper(name) != name {
		return name
	}
	for i, w := range fields {
		if utf8.RuneCountInString(w) > 3 || strings.ContainsAny(w, "AEIOUY") {
			fields[i] = capitalised(w)
		}
	}
	return strings.Join(fields, " ")
}

// capitalised has a capital at the start of each part of a word: Saint-Laurent.
func capitalised(word string) string {
	start := true
	return strings.Map(func(r rune) rune {
		first := start
		start = !unicode.IsLetter(r) && r != '\'' && r != '’'
		if first {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, word)
}
