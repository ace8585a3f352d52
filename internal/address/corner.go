package address

import "slices"

// joints are words between the two streets of a corner. "corner of" and what is said in its place becomes one of them.
var joints = set("& and et at")

// cornerWords are words for a corner, before both streets or between them.
var cornerWords = set("corner intersection angle coin")

// joint is the index of the word between two streets: the first one after a type or a direction, else the first; −1: none.
func joint(words []word) (at int, sure bool) {
	at = -1
	for i := 1; i+1 < len(words); i++ {
		if !joints[words[i].text] {
			continue
		}
		if before := words[i-1].text; isType(before) || directions[before] != 0 {
			return i, true
		}
		if at < 0 {
			at = i
		}
	}
	return at, false
}

// takeCorner reads the words as a corner, and reports whether they are one: Main St & 3rd Ave, corner of Main and 3rd, rue Rachel
// angle Saint-Denis. It leaves those that are none as they were.
func (r *reader) takeCorner() bool {
	if civic(r.words) {
		return false
	}
	words, named := slices.Clone(r.words), false
	for i := 0; i+1 < len(words); i++ {
		n := 1
		for i+n+1 < len(words) && known.particle[words[i+n].text] {
			n++
		}
		if !cornerWords[words[i].text] || n == 1 && known.trailing[words[i].text] != 0 { // Corner Brook
			continue
		}
		begin := i
		for begin > 0 && (known.particle[words[begin-1].text] || directions[words[begin-1].text] != 0) { // à l'angle, NW corner of
			begin--
		}
		if named = true; begin == 0 {
			words = words[i+n:]
		} else {
			words = append(words[:i], append([]word{{text: "&"}}, words[i+n:]...)...)
			words[i+1].comma = false
		}
		break
	}
	end := 1
	for end < len(words) && !words[end].comma {
		end++
	}
	at, sure := joint(words[:min(end, len(words))])
	if at < 0 || !sure && !named || civic(words[at+1:]) {
		return false
	}
	r.words = words
	return true
}

// civic reports whether words begin with a number that is not the name of a street: 12 Main St, but not 42 St.
func civic(words []word) bool {
	_, used := numberAt(words)
	if used == 1 && len(words) > 2 && directions[words[1].text] != 0 {
		used++
	}
	return used > 0 && (used == len(words) || !isType(words[used].text) || words[used].comma)
}

// Corner returns the streets of a corner as addresses; false for others. Two words that are no street can be one, too: Bank & Somerset.
func (a *Address) Corner() (one, other Address, ok bool) {
	i, _ := joint(a.street)
	if i < 0 || a.Kind != Corner && a.Kind != OnStreet {
		return one, other, false
	}
	one, other = *a, *a
	one.Kind, other.Kind = OnStreet, OnStreet
	one.street, other.street = a.street[:i:i], a.street[i+1:]
	return one, other, true
}
