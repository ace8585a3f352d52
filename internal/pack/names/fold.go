package names

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longest is how many runes of a folded name are looked at, and most how many bytes of a name as it is written.
const (
	longest = 255
	most    = 4096
)

// letters are those that Unicode does not take apart although their readers do.
var letters = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'ø': "o", 'Ø': "o", 'đ': "d", 'Đ': "d",
	'ð': "d", 'Ð': "d", 'ł': "l", 'Ł': "l", 'þ': "th", 'Þ': "th", 'ı': "i", 'ħ': "h", 'Ħ': "h", 'ŧ': "t", 'Ŧ': "t",
}

// Fold reduces a name to what is compared: its letters and digits, in lower case, without accents. Spaces go the way
// of punctuation, because nobody types "Saint-Jean", "Saint Jean" and "l'Île" the same way twice.
func Fold(name string) string {
	return string(appendFold(nil, name))
}

func appendFold(dst []byte, name string) []byte {
	name = name[:min(len(name), most)]
	if ascii(name) {
		for i := 0; i < len(name) && len(dst) < longest; i++ {
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
		if count >= longest {
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
