package address

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxBytes is the length up to which a text is read as an address. Longer ones are none.
const MaxBytes = 500

// word is a word of a written address: letters and digits in lower case without accents, or the sign &.
type word struct {
	text  string
	comma bool // a comma, a line break, a bracket or a double hyphen is before it
	dash  bool // joined to the word before by a hyphen: 12-345
	hash  bool // the sign # or № is before it
	open  bool // a bracket is before it
}

// undecomposed are letters without a decomposition in Unicode that are commonly written with other letters.
var undecomposed = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'þ': "th", 'ı': "i"}

// fractions are those that people and tables write as one character.
var fractions = strings.NewReplacer("½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⅓", " 1/3", "⅔", " 2/3")

// Fold is a text as it is compared: its words with a space between them, commas kept. What it returns folds to itself.
func Fold(text string) string {
	var b strings.Builder
	for i, w := range wordsOf(text) {
		if i > 0 {
			if w.comma {
				b.WriteByte(',')
			}
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// wordsOf reads the words of a text.
func wordsOf(text string) []word {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if !ascii {
		text = norm.NFKD.String(fractions.Replace(strings.ToValidUTF8(text, " ")))
	}
	r := wordReader{rest: text, words: make([]word, 0, 16)}
	for r.rest != "" {
		c, size := utf8.DecodeRuneInString(r.rest)
		r.rest = r.rest[size:]
		r.add(c)
	}
	r.end()
	return r.words
}

// wordReader cuts a text into words.
type wordReader struct {
	rest  string // after the character that is read
	words []word
	next  word   // signs before the word that is read
	text  []byte // of the word that is read
	dots  bool   // the word is letters with a period after each: N.W.
}

func (r *wordReader) end() {
	if len(r.text) > 0 {
		r.next.text = string(r.text)
		if first, second, found := strings.Cut(r.next.text, "/"); found && !fraction(r.next.text) { // 12/14
			r.next.text = first
			r.words = append(r.words, r.next)
			r.next = word{text: second, dash: true}
		}
		r.words = append(r.words, r.next)
		r.next, r.text = word{}, r.text[:0]
	}
	r.dots = false
}

func (r *wordReader) add(c rune) {
	switch {
	case unicode.IsLetter(c) || unicode.IsDigit(c):
		r.letter(unicode.ToLower(c))
	case unicode.Is(unicode.M, c):
	case c == '\'' || c == '’' || c == 'ʼ' || c == '`':
		if len(r.text) == 1 && (r.text[0] == 'l' || r.text[0] == 'd') {
			r.end()
		}
	case c == '.':
		r.period()
	case c == '/' || c == '⁄':
		if digits(r.text) && r.rest != "" && '0' <= r.rest[0] && r.rest[0] <= '9' {
			r.text = append(r.text, '/')
			return
		}
		r.end()
	default:
		r.sign(c)
	}
}

func (r *wordReader) letter(c rune) {
	if s := undecomposed[c]; s != "" {
		r.text = append(r.text, s...)
		return
	}
	r.text = utf8.AppendRune(r.text, c)
}

// period ends a word, except after single letters: N.W. and P.O. are one word, St.John and N.Main are two.
func (r *wordReader) period() {
	next, _ := utf8.DecodeRuneInString(r.rest)
	single := len(r.text) == 1 && !digits(r.text)
	alone := len(r.rest) < 2 || !unicode.IsLetter(rune(r.rest[1]))
	if (single || r.dots) && unicode.IsLetter(next) && alone {
		r.dots = true
		return
	}
	r.end()
}

// sign handles what is no part of a word.
func (r *wordReader) sign(c rune) {
	joined := len(r.text) > 0
	r.end()
	switch c {
	case '-', '‐', '‑', '–', '—':
		if after, double := strings.CutPrefix(r.rest, "-"); double && (!joined || after == "" || after[0] == ' ') { // but Saint-Lin--Laurentides
			r.next.comma = true
		}
		r.next.dash = joined && r.rest != "" && r.rest[0] != ' '
	case ',', ';', '\n', '\r', '|', '(', ')', '[', ']':
		r.next.comma = true
		r.next.open = c == '('
	case '#', '№':
		r.next.hash = true
	case '&', '+', '@':
		r.text = append(r.text, '&')
		r.end()
	}
}

func digits[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return len(text) > 0
}

// hasDigit reports whether a word has a digit.
func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }
