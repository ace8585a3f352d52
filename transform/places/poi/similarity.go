package poi

import (
	"slices"
	"strings"

	"quartier/transform/places/normalize"
)

// nameKey is a name prepared for comparison: normalised, without stop words.
type nameKey string

// stopWords may differ between two names of the same place.
var stopWords = map[string]bool{"the": true, "le": true, "la": true, "les": true, "l": true, "of": true, "de": true, "du": true, "and": true, "et": true,
	"inc": true, "ltd": true, "llc": true, "co": true, "corp": true, "ltee": true, "at": true, "a": true}

func newNameKey(name string) nameKey {
	folded := normalize.Name(name)
	words := strings.Fields(folded)
	distinctive := slices.DeleteFunc(words, func(w string) bool { return stopWords[w] })
	if len(distinctive) == 0 {
		return nameKey(folded)
	}
	return nameKey(strings.Join(distinctive, " "))
}

// similarity of two names, 0 to 1: 1 if they are equal; .85 if one begins with all words of the other; else Dice's
// coefficient of their letter pairs. Names with different numbers have at most .4. It is symmetric; 0 if a name is
// empty.
//
// For example, "cafe nero" and "caffe nero" share 7 of 7 and 8 pairs: 2·7/15 = .93.
func similarity(a, b nameKey) float64 {
	if a == "" || b == "" {
		return 0
	}
	allA, allB := strings.ReplaceAll(string(a), " ", ""), strings.ReplaceAll(string(b), " ", "")
	if allA == allB {
		return 1
	}
	s := dice(allA, allB)
	if strings.HasPrefix(string(a), string(b)+" ") || strings.HasPrefix(string(b), string(a)+" ") {
		s = max(s, 0.85)
	}
	if na, nb := numbers(a), numbers(b); na != "" && nb != "" && na != nb {
		s = min(s, 0.4)
	}
	return s
}

// numbers are the words of a name that begin with a digit.
func numbers(k nameKey) string {
	found := ""
	for w := range strings.FieldsSeq(string(k)) {
		if w[0] >= '0' && w[0] <= '9' {
			found += w + " "
		}
	}
	return found
}

// dice is twice the number of common letter pairs divided by the number of all pairs.
func dice(a, b string) float64 {
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	used := make([]bool, len(b))
	common := 0
	for i := 0; i+1 < len(a); i++ {
		for j := 0; j+1 < len(b); j++ {
			if !used[j] && a[i] == b[j] && a[i+1] == b[j+1] {
				used[j] = true
				common++
				break
			}
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b)-2)
}
