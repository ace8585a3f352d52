package address

import "cmp"

// takeNumber takes the civic number, and a unit before it without a word: 5-221 Main, 128 850 Saucier Ave, B 2 518 Beatty.
func (r *reader) takeNumber() {
	if r.number != (Number{}) {
		r.a.Number = r.number
		return
	}
	r.takeWordNumber()
	begin := r.numberBegins()
	if begin < 0 {
		if n := ReadNumber(r.a.Unit); r.hash && n.Value > 0 && len(r.words) > 0 { // #12 Main St
			r.a.Number, r.a.Unit = n, ""
		}
		return
	}
	if begin > 0 {
		r.a.Dropped = append(r.a.Dropped, textOf(r.words[:begin]))
		r.words = r.words[begin:]
	}
	first, used := numberAt(r.words)
	rest := r.words[used:]
	second, more := numberAt(rest)
	for more > 0 && len(rest) > more && rest[0].comma && rest[more].comma { // 580, 582, 584, rue Maclaren
		r.a.Other, rest = append(r.a.Other, second), rest[more:]
		second, more = numberAt(rest)
	}
	switch {
	case more > 0 && rest[0].dash && len(rest) > more && !rest[0].comma && !numberedName(first, rest, more): // but 10342-107 St
		r.hyphen(first, second, rest, more)
		return
	case more > 0 && len(rest) > more && (!rest[0].comma || typeWithin(rest, more) > 0) && second.Value > 0 &&
		!numberedName(first, rest, more):
		if r.a.Unit == "" {
			r.a.Other = []Number{first}
			r.a.Unit, r.a.Number = first.String(), second
			r.words = rest[more:]
			return
		}
	}
	if len(rest) > 2 && lists[rest[0].text] { // 12 & 14 Main St
		if second, more := numberAt(rest[1:]); more > 0 && len(rest) > 1+more && !numberedName(first, rest[1:], more) {
			r.a.Number, r.a.Other, r.words = first, []Number{second}, rest[1+more:]
			if n, used := numberAt(r.words); used > 0 && len(r.words) > used && !numberedName(second, r.words, used) { // 201 & 202 - 28 Main St
				r.a.Unit, r.a.Number, r.a.Other, r.words = cmp.Or(r.a.Unit, first.String()), n, nil, r.words[used:]
			}
			return
		}
	}
	if letter := len(rest) > 1 && len(rest[0].text) == 1 && isType(rest[1].text); used == 1 && first.Value > 0 &&
		(letter || len(rest) > 0 && isType(rest[0].text)) { // 99 St, 102 A Ave
		r.a.named = r.words[:1]
	}
	r.a.Number, r.words = first, rest
}

// lists are words between numbers.
var lists = set("& and et to or ou")

// numberWords are words before a number, and numbers that are written as words.
var (
	numberWords    = set("no num numero number civic")
	writtenNumbers = set("one two three four five six seven eight nine ten eleven twelve")
)

// takeWordNumber drops the word before a number, No. 12 Main St, and reads one that is a word, One Microsoft Way; not those that are
// the name of a street: No 3 Rd, One St.
func (r *reader) takeWordNumber() {
	if len(r.words) < 3 || r.words[1].comma {
		return
	}
	switch first := r.words[0].text; {
	case numberWords[first] && !isType(r.words[2].text):
		if _, used := numberAt(r.words[1:]); used > 0 {
			r.words = r.words[1:]
		}
	case writtenNumbers[first] && !hasDigit(r.words[1].text) && typeWithin(r.words, 2) > 0:
		r.words[0].text = equal(first)
		r.a.named = r.words[:1:1]
	}
}

// numberedName reports whether the words after two numbers say that the second is the name of a street: 10372 99 St, 10372 99 E
// St, but not 1 1040 Mt Revelstoke Pl.
func numberedName(first Number, rest []word, more int) bool {
	text, end := rest[more].text, more+1 == len(rest) || rest[more+1].comma || directions[rest[more+1].text] != 0
	switch {
	case text == "mile": // 2229 18 Mile Rd
		return true
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
		if i > 0 && r.words[i+used].comma && leadsToNumber(r.words[i+used:]) { // Station 3, 12 Main St
			continue
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

// endsPart reports whether a direction is all between two commas, or that of a quadrant, as in Rd, SE Washington.
func (r *reader) endsPart(i int) bool {
	text := r.words[i].text
	return i+1 == len(r.words) || r.words[i+1].comma || len(text) == 2 && text != "no" && text != "so"
}

// split parts the words after the number at their commas.
func (r *reader) split() {
	if len(r.words) > 0 {
		r.words[0].comma = false
	}
	for i := 1; i < len(r.words); i++ {
		if w := r.words[i]; w.comma && directions[w.text] != 0 && isType(r.words[i-1].text) && r.endsPart(i) { // Stanton Rd, SE
			r.words[i].comma = false
			if i++; i == len(r.words) {
				break
			}
			r.words[i].comma = true
		}
		if r.words[i].comma {
			r.a.street, r.a.places = r.words[:i:i], r.words[i:]
			return
		}
	}
	r.a.street = r.words
}
