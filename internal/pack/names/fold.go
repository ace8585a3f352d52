package names

import (
	"strings"
	"unicode"

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
// "Saint-Jean", "Saint Jean" and "saintjean" are equal.
func Fold(name string) string {
	return string(appendFold(nil, name))
}

func appendFold(dst []byte, name string) []byte {
	name = name[:min(len(name), maxBytes)]
	if ascii(name) {
		for i := 0; i < len(name) && len(dst) < maxRunes; i++ {
			switch c := name[i]; {
			case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
				dst = append(dst, c)
			case 'A' <= c && c <= 'Z':
				dst = append(dst, c+'a'-'A')
			}
		}
		return dst
	}
	var out strings.Builder
	count := 0
	for _, r := range norm.NFKD.String(name) {
		if count >= maxRunes {
			break
		}
		if plain, ok := letters[r]; ok {
			out.WriteString(plain)
			count += len(plain)
		} else if r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			out.WriteRune(unicode.ToLower(r))
			count++
		}
	}
	return append(dst, out.String()...)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
