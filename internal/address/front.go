package address

// takeUnits takes the units: Apt 5, #12, 2nd floor, app. 3, Unit910. The first is kept.
func (r *reader) takeUnits() {
	for i := 0; i < len(r.words); i++ {
		id, n := r.unitAt(i)
		if n == 0 || n == len(r.words) {
			continue
		}
		if r.a.Unit == "" {
			r.a.Unit = id
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
	case w.hash && (i == 0 || !roads[r.words[i-1].text]): // Hwy #7
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
		return equal(next.text), 2
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

// roads are words before the number of a road.
var roads = set("highway hwy hiway route rte autoroute aut cr sr")

// buildings are words for units that the name of a building ends with as well.
var buildings = set("building bldg lot suite hangar pier")

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

// takeNumber takes the civic number, and a unit before it without a word: 5-221 Main, 128 850 Saucier Ave, B 2 518 Beatty.
func (r *reader) takeNumber() {
	if r.number != (Number{}) {
		r.a.Number = r.number
		return
	}
	begin := r.numberBegins()
	if begin < 0 {
		return
	}
	if begin > 0 {
		r.a.Dropped = append(r.a.Dropped, textOf(r.words[:begin]))
		r.words = r.words[begin:]
	}
	first, used := numberAt(r.words)
	rest := r.words[used:]
	second, more := numberAt(rest)
	switch {
	case more > 0 && rest[0].dash && len(rest) > more && !rest[0].comma && !numberedName(first, rest, more): // but 10342-107 St
		r.hyphen(first, second, rest, more)
		return
	case more > 0 && len(rest) > more && !rest[0].comma && second.Value > 0 && !numberedName(first, rest, more):
		if r.a.Unit == "" {
			r.a.Other = []Number{first}
			r.a.Unit, r.a.Number = first.String(), second
			r.words = rest[more:]
			return
		}
	}
	if letter := len(rest) > 1 && len(rest[0].text) == 1 && isType(rest[1].text); used == 1 && first.Value > 0 &&
		(letter || len(rest) > 0 && isType(rest[0].text)) { // 99 St, 102 A Ave
		r.a.named = r.words[:1]
	}
	r.a.Number, r.words = first, rest
}

// numberedName reports whether the words after two numbers say that the second is the name of a street: 10372 99 St, 10372 99 E
// St, but not 1 1040 Mt Revelstoke Pl.
func numberedName(first Number, rest []word, more int) bool {
	text, end := rest[more].text, more+1 == len(rest) || rest[more+1].comma || directions[rest[more+1].text] != 0
	switch {
	case isType(text) && typeWithin(rest[more:], 1) >= 0:
		return false
	case known.leading[text] != 0 && rest[0].dash: // 3-12 avenue Laurier, but 10342-107 Avenue
		second, _ := numberAt(rest)
		return known.trailing[text] != 0 && (first.Value >= 1000 && second.Value < 500 || end)
	case isType(text):
		return known.trailing[text] != 0
	}
	return directions[text] != 0 && len(rest) > more+1 && isType(rest[more+1].text) && (!rest[0].dash || first.Value >= 1000)
}

// typeWithin is the index of the first word from a place on, before a comma, that ends the name of a street; −1: none.
func typeWithin(words []word, from int) int {
	for i := 1; i < len(words) && !words[i].comma; i++ {
		if i >= from && known.trailing[words[i].text] != 0 {
			return i
		}
	}
	return -1
}

// hyphen reads two numbers with a hyphen: a unit and a number, a range (the lower is taken), or one number as in 35-20 147th St.
func (r *reader) hyphen(first, second Number, rest []word, more int) {
	joined := Number{first.Value, first.Suffix + "-" + rest[0].text}
	r.words = rest[more:]
	if second.Value > first.Value && second.Value-first.Value < 100 && (second.Value-first.Value)%2 == 0 && first.Value >= 100 {
		r.a.Number, r.a.Other = first, []Number{second, joined}
		return
	}
	r.a.Number, r.a.Other = second, []Number{joined, first}
	if r.a.Unit == "" {
		r.a.Unit = first.String()
	}
}

// numberBegins is the index of the word that begins the number; −1: none. Words before it are a letter of a unit, or the
// name of a building, but no street: Highway 99 and Rang 3 have none.
func (r *reader) numberBegins() int {
	for i, w := range r.words {
		n, used := numberAt(r.words[i:])
		if i > 0 && w.comma && r.streetBefore(i) && (used == 0 || typeWithin(r.words[i:], 2) < 0) {
			return -1
		}
		if used == 0 || i+used >= len(r.words) && i == 0 && len(r.words) == 1 {
			continue
		}
		if i+used == len(r.words) || i > 0 && (known.numbered[r.words[i-1].text] || r.streetBefore(i) && typeWithin(r.words[i:], 2) < 0) {
			return -1
		}
		if i > 0 && n.Value == 0 {
			return -1
		}
		if i == 1 && len(r.words[0].text) == 1 && r.a.Unit == "" && n.Suffix == "" { // B 2 518 Beatty St
			if _, more := numberAt(r.words[2:]); more > 0 && len(r.words) > 2+more {
				r.a.Unit = r.words[0].text + w.text
				r.words = r.words[2:]
				return 0
			}
		}
		return i
	}
	return -1
}

// streetBefore reports whether the words before i end like the name of a street.
func (r *reader) streetBefore(i int) bool {
	if i < 2 {
		return false
	}
	last := r.words[i-1].text
	first := r.words[0].text
	return known.trailing[last] != 0 || directions[last] != 0 && isType(r.words[i-2].text) ||
		known.leading[first] != 0 && known.trailing[first] == 0
}

// split parts the words after the number at their commas.
func (r *reader) split() {
	if len(r.words) > 0 {
		r.words[0].comma = false
	}
	for i := 1; i < len(r.words); i++ {
		if r.words[i].comma {
			r.a.street, r.a.places = r.words[:i:i], r.words[i:]
			return
		}
	}
	r.a.street = r.words
}
