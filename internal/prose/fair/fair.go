// Package fair has the words that texts about places never use, in both languages: who lives there, safety, price and the
// quality of schools or of the place, by which a text would steer people of some groups there or away.
package fair

import (
	"bufio"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed en.txt
var english string

//go:embed fr.txt
var french string

// listed are the words of each language as one expression.
var listed = map[string]*regexp.Regexp{"en": compile(english), "fr": compile(french)}

// compile makes an expression of a list: a word or phrase a line, * for any ending, # begins a comment.
func compile(list string) *regexp.Regexp {
	var words []string
	for lines := bufio.NewScanner(strings.NewReader(list)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		stem, open := strings.CutSuffix(line, "*")
		word := strings.ReplaceAll(regexp.QuoteMeta(stem), " ", `[\s\x{a0}]+`)
		if open {
			word += `[\p{L}\p{M}]*`
		}
		words = append(words, word)
	}
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{M}])(` + strings.Join(words, "|") + `)(?:$|[^\p{L}\p{M}])`)
}

// Find finds a word of the list of a language, "en" or "fr", in a sentence. Capitalised words of the names that the sentence
// may have do not count: a park called "Family Park" says nothing about who lives there.
func Find(sentence string, names []string, language string) (word string, found bool) {
	for rest := sentence; ; {
		m := listed[language].FindStringSubmatchIndex(rest)
		if m == nil {
			return "", false
		}
		word = rest[m[2]:m[3]]
		if first, _ := utf8.DecodeRuneInString(word); !unicode.IsUpper(first) || !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(fold(name), fold(word)) }) {
			return word, true
		}
		rest = " " + rest[m[3]:]
	}
}

// fold makes spellings of a name equal.
func fold(text string) string {
	return strings.NewReplacer("’", "'", "\u00a0", " ").Replace(strings.ToLower(text))
}
