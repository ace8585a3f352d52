package address

import (
	"cmp"
	"slices"
	"strings"
)

// takeUnits takes the units: Apt 5, #12, 2nd floor, app. 3, Unit910. The first is kept.
func (r *reader) takeUnits() {
	for i := 0; i < len(r.words); i++ {
		id, n := r.unitAt(i)
		if n == 0 || n == len(r.words) {
			continue
		}
		if r.a.Unit == "" {
			r.a.Unit, r.hash = id, r.words[i].hash
		}
		r.remove(i, n)
		r.a.Dropped = r.a.Dropped[:len(r.a.Dropped)-1]
		if i == 0 {
			r.words[0].comma, r.words[0].dash = false, false
		}
		i--
	}
}

// unitAt is the identifier of the unit that begins at a word, and its number of words; 0: none.
func (r *reader) unitAt(i int) (id string, n int) {
	w := r.words[i]
	next := word{}
	if i+1 < len(r.words) {
		next = r.words[i+1]
	}
	switch {
	case w.hash && (i == 0 || !roads[r.words[i-1].text] && !(i > 1 && isRoad(r.words[i-1].text) && designators[r.words[i-2].text])): // Hwy #7
		return w.text, 1
	case known.units[w.text] && next.text != "" && !next.comma && identifier(next.text):
		if i > 0 && buildings[w.text] && i+2 < len(r.words) && !leadsToNumber(r.words[:i]) && !leadsToNumber(r.words[i+2:]) {
			return "", 0 // Fraserview Building 9580 Williams Rd
		}
		if i+2 < len(r.words) && len(next.text) == 1 && digits(r.words[i+2].text) && r.words[i+2].dash {
			return next.text + r.words[i+2].text, 3
		}
		if i == 0 && i+2 < len(r.words) && !leadsToNumber(r.words[i+2:]) && !r.words[i+2].comma {
			return "", 0 // Floor 2 Main St has no number left
		}
		return r.unitsFrom(i)
	case ordinal(w.text) && (next.text == "floor" || next.text == "fl" || next.text == "etage" || next.text == "flr"):
		return equal(w.text), 2
	case known.alone[w.text] && i > 0 && (next.text == "" || next.comma) && (w.comma || i > 2):
		return w.text, 1
	}
	for end := 2; end < len(w.text); end++ { // unit910
		if known.units[w.text[:end]] && digits(w.text[end:]) {
			return w.text[end:], 1
		}
	}
	return "", 0
}

// lettersAt is a text without the figures at its beginning and end.
func lettersAt(text string) string { return strings.Trim(text, "0123456789") }

// Unit is the identifier of a unit in the form of Address.Unit: "4b" of Apt. 4-B.
func Unit(text string) string {
	words := wordsOf(text)
	if len(words) > 1 && known.units[words[0].text] {
		words = words[1:]
	}
	unit := ""
	for _, w := range words {
		unit += w.text
	}
	return unit
}

// unitsFrom is the first of the units that a word is before, and the number of words of all: 200-A, 3 & 4, 100-200.
func (r *reader) unitsFrom(i int) (id string, n int) {
	id, n = r.words[i+1].text, 2
	end := func() word {
		if i+n < len(r.words) {
			return r.words[i+n]
		}
		return word{}
	}
	if w := end(); w.dash && len(w.text) == 1 && !digits(w.text) {
		id, n = id+w.text, n+1
	} else if w.dash && digits(w.text) && (leadsToNumber(r.words[:i]) || leadsToNumber(r.words[i+n+1:])) {
		n++
	}
	for joints[end().text] && i+n+1 < len(r.words) && identifier(r.words[i+n+1].text) {
		n += 2
	}
	return id, n
}

func isRoad(text string) bool { return text == "rd" || text == "road" }

// roads are words before the number of a road.
var roads = set("highway hwy hiway route rte autoroute aut cr sr")

// buildings are words for units that the name of a building ends with as well.
var buildings = set("building bldg lot apts units suite suites hangar pier")

// identifier reports whether a word can name a unit: it has a digit, or is a letter.
func identifier(text string) bool {
	return hasDigit(text) && !fraction(text) || len(text) == 1 && text[0] >= 'a' && text[0] <= 'z'
}

func leadsToNumber(words []word) bool {
	for _, w := range words {
		if hasDigit(w.text) {
			return true
		}
	}
	return false
}

// takeLooseUnits takes units without a word, between commas or after a type at the end: 12 Main St, 4B; 12 Main St 4B.
func (r *reader) takeLooseUnits() {
	take := func(words []word, i int) []word {
		r.a.Unit = cmp.Or(r.a.Unit, words[i].text)
		return slices.Delete(words, i, i+1)
	}
	for i := 0; i < len(r.a.places); i++ {
		if p := r.a.places; p[i].comma && (i+1 == len(p) || p[i+1].comma) && identifier(p[i].text) && len(lettersAt(p[i].text)) < 3 {
			r.a.places = take(p, i)
			i--
		}
	}
	if n := len(r.a.street) - 1; n > 1 && hasDigit(r.a.street[n].text) && !digits(r.a.street[n].text) && !ordinal(r.a.street[n].text) &&
		known.trailing[r.a.street[n-1].text] != 0 && !known.numbered[r.a.street[n-1].text] {
		r.a.street = take(r.a.street, n)
	}
}
