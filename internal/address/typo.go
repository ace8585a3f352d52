package address

import "slices"

// typedTypes are the words of types in which an error is looked for; shorter ones are too near to names.
var typedTypes = []string{"street", "avenue", "boulevard", "drive", "place", "court", "terrace", "circle", "highway", "parkway", "square",
	"crescent", "chemin"}

// withType reads a street whose first or last word, or the one before a direction, is a type with an error: Fulton Stret NW. It
// returns false for others.
func withType(words []word) (s Street, typo bool) {
	last := len(words) - 1
	if last > 1 && directions[words[last].text] != 0 {
		last--
	}
	if last < 1 {
		return s, false
	}
	for _, i := range []int{last, 0} {
		for _, typ := range typedTypes {
			if text := words[i].text; len(text) > 3 && !isType(text) && oneOff(text, typ) && (i > 0 || known.leading[typ] != 0) {
				right := slices.Clone(words)
				right[i].text = typ
				return streetOf(right), streetOf(words).Type == 0
			}
		}
	}
	return s, false
}

// oneOff reports whether a text becomes another by one letter that is missing, added or changed, or by two that change places.
func oneOff(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
