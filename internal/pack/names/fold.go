package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxRunes is the maximum length of a folded name in runes, maxBytes that of a name before folding.
const (
	maxRunes = 255
	maxBytes = 4096
)

// letters are those without a Unicode decomposition that are commonly written with other letters.
var letters = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'ø': "o", 'Ø': "o", 'đ': "d", 'Đ': "d",
	'ð': "d", 'Ð': "d", 'ł': "l", 'Ł': "l", 'þ': "th", 'Þ': "th", 'ı': "i", 'ħ': "h", 'Ħ': "h", 'ŧ': "t", 'Ŧ': "t",
}

// Fold reduces a name to its letters and digits in lower case without accents. Spaces are dropped like punctuation, so that
// "Saint-Jean", "Saint Jean" and "saintjean" are equal. What it returns folds to itself.
func Fold(name string) string {
	var plain strings.Builder
	for _, w := range appendWords(nil, name) {
		plain.WriteString(w.raw)
	}
	return plain.String()
}

// word is a word of a name: raw is folded, equal the same for all spellings of the word ("st", "saint": "saint"). The
// sign & has no raw form.
type word struct{ raw, equal string }

// appendWords appends the words of a name. Words end at everything that is no letter, digit or accent, with exceptions:
// an apostrophe separates only after an elided article ("l'île", not "o'hara", "john's"), a period does not after a
// single letter ("D.C.").
func appendWords(dst []word, name string) []word {
	f := folder{text: make([]byte, 0, len(name)), words: dst}
	name = name[:min(len(name), maxBytes)]
	if !ascii(name) {
		name = norm.NFKD.String(strings.ToValidUTF8(name, "\ufffd")) // it leaves what follows an invalid byte as it is
	}
	for _, r := range name {
		if f.runes >= maxRunes {
			break
		}
		f.add(r)
	}
	f.end()
	return f.words
}

// folder folds a name rune by rune.
type folder struct {
	text  []byte // the word so far
	words []word
	runes int // in all words
}

func (f *folder) add(r rune) {
	switch {
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
		f.text = append(f.text, byte(r))
		f.runes++
	case 'A' <= r && r <= 'Z':
		f.text = append(f.text, byte(r)+'a'-'A')
		f.runes++
	case r == '&' || r == '+':
		f.end()
		f.words = append(f.words, word{equal: equals["and"]})
	case r == '\'' || r == '’' || r == 'ʼ' || r == '`':
		if elided := string(f.text); elided == "l" || elided == "d" {
			f.end()
		}
	case r == '.':
		if len(f.text) > 1 {
			f.end()
		}
	case r < utf8.RuneSelf || r == unicode.ReplacementChar:
		f.end()
	case unicode.Is(unicode.M, r):
	case letters[r] != "":
		written := letters[r][:min(len(letters[r]), maxRunes-f.runes)]
		f.text = append(f.text, written...)
		f.runes += len(written)
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		f.text = utf8.AppendRune(f.text, unicode.ToLower(r))
		f.runes++
	default:
		f.end()
	}
}

// end ends a word.
func (f *folder) end() {
	if len(f.text) == 0 {
		return
	}
	w := word{raw: string(f.text)}
	if w.equal = equals[w.raw]; w.equal == "" {
		w.equal = w.raw
	}
	f.words, f.text = append(f.words, w), f.text[:0]
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
