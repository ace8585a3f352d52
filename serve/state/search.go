package state

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// uuidForm is that of ids, which are in lower case.
var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func isUUID(id string) bool { return uuidForm.MatchString(id) }

// fold removes case and accents: "Île-Perrot" is "ile-perrot".
func fold(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return cases.Fold().String(plain)
}

// mostFolded is the number of characters of a folded name in which searches look. A name has at most 200, of which some become
// several: "ﬃ" is "ffi", a syllable of Hangul up to three letters.
const mostFolded = 250

// foldNames is the text in which searches look. No search has a line break, so that none finds the end of one name with the
// beginning of the other.
func foldNames(f *Fields) string {
	first := func(text string) string {
		letters := []rune(text)
		return string(letters[:min(len(letters), mostFolded)])
	}
	return first(fold(f.NameEN)) + "\n" + first(fold(f.NameFR))
}
