// Package fair has the words that texts about places never use, in both languages: who lives there, safety, price and the
// quality of schools or of the place, by which a text would steer people of some groups there or away.
package fair

import (
	"bufio"
	_ "embed"
	"regexp"
	"strings"
	"unicode"
)

//go:embed en.txt
var english string

//go:embed fr.txt
var french string

// listed are the words of each language.
var listed = map[string]*list{"en": compile(english), "fr": compile(french)}

// list is a list as one expression, and what a text has that it may match: one of some words, or a word that begins with a stem.
type list struct {
	expression   *regexp.Regexp
	words, stems map[string]bool // the longest word of each line, in lower case
}

// compile reads a list: a word or phrase a line, * for any ending, # begins a comment.
func compile(text string) *list {
	l := &list{words: map[string]bool{}, stems: map[string]bool{}}
	var words []string
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
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
		l.expect(stem, open)
	}
	l.expression = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{M}])(` + strings.Join(words, "|") + `)(?:$|[^\p{L}\p{M}])`)
	return l
}

// expect adds a line to the words or, if it is open and its last word is the longest, to the stems.
func (l *list) expect(line string, open bool) {
	longest, last := "", ""
	for last = range strings.FieldsFuncSeq(strings.ToLower(line), between) {
		if len(last) > len(longest) {
			longest = last
		}
	}
	if open && longest == last {
		l.stems[longest] = true
	} else {
		l.words[longest] = true
	}
}

func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// mayMatch rules out most texts in a twentieth of the time that the expression takes.
func (l *list) mayMatch(text string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), between) {
		if l.words[word] || l.stems[word] {
			return true
		}
		for i := range word {
			if l.stems[word[:i]] {
				return true
			}
		}
	}
	return false
}

// Find finds a word of the list of a language, "en" or "fr", in what we write: a sentence in which names are masked, whatever
// they are. A park called "Family Park" says nothing about who lives there.
func Find(masked, language string) (word string, found bool) {
	l := listed[language]
	if !l.mayMatch(masked) {
		return "", false
	}
	if m := l.expression.FindStringSubmatch(masked); m != nil {
		return m[1], true
	}
	return "", false
}

// Forbid adds a word to the list of a language until it is taken off again. It is for tests, which plant texts that break the
// rule; it must not be called while texts are written.
func Forbid(language, word string) (takeOff func()) {
	before, lists := listed[language], map[string]string{"en": english, "fr": french}
	listed[language] = compile(lists[language] + "\n" + word)
	return func() { listed[language] = before }
}
