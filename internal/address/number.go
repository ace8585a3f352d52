package address

import "strconv"

// Number is a civic number.
type Number struct {
	Value  uint32 // 221 of 221B; 0: none, or one that does not begin with digits
	Suffix string // "b", "1/2", "-20" of 35-20, and the whole of a number that does not begin with digits: "n165w2123"
}

// String is the number as it is written: "221B".
func (n Number) String() string {
	text := ""
	if n.Value > 0 {
		text = strconv.Itoa(int(n.Value))
	}
	if n.Suffix != "" && n.Suffix[0] >= '0' && n.Suffix[0] <= '9' {
		text += " "
	}
	return text + n.Suffix
}

// ReadNumber returns the number that a text is: 12, 12A, 12 1/2, 12-14, N165W2123. It is the zero value for other texts.
func ReadNumber(text string) Number {
	words := wordsOf(text)
	n, used := numberAt(words)
	if used == 0 {
		return Number{}
	}
	if rest := words[used:]; len(rest) == 1 && n.Suffix == "" {
		switch text := rest[0].text; {
		case rest[0].dash && digits(text):
			n.Suffix = "-" + text
		case fraction(text), text == "bis", text == "ter", len(text) == 1 && text[0] >= 'a' && text[0] <= 'z':
			n.Suffix = text
		}
	}
	return n
}

// numberAt is the number at the beginning of words, and how many words it has; 0 if they begin with no number.
func numberAt(words []word) (n Number, used int) {
	if len(words) == 0 {
		return n, 0
	}
	text := words[0].text
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == 0 || end > 7 {
		return gridNumber(words)
	}
	value, _ := strconv.Atoi(text[:end])
	n = Number{Value: uint32(value), Suffix: text[end:]}
	if len(n.Suffix) > 1 || ordinal(text) {
		return Number{}, 0
	}
	used = 1
	if len(words) > 2 && n.Suffix == "" && !words[1].comma {
		switch next := words[1].text; {
		case fraction(next), next == "bis", next == "ter":
			return Number{n.Value, next}, 2
		case len(next) == 1 && next[0] >= 'a' && next[0] <= 'z' && // 12-A Main St, 12 B Main St; not 12 E Main St, 12 K St, 12 H G Wade St
			(words[1].dash || directions[next] == 0 && (len(words[2].text) > 1 || len(words) > 3 && isType(words[3].text)) &&
				known.leading[next] == 0 && !isType(words[2].text) && directions[words[2].text] == 0):
			return Number{n.Value, next}, 2
		}
	}
	return n, used
}

// gridNumber is a number of Wisconsin's and Utah's grids: N165W2123, N165 W2123.
func gridNumber(words []word) (n Number, used int) {
	if len(words) > 4 && gridPart(words[0].text+words[1].text) && gridPart(words[2].text+words[3].text) && digits(words[3].text) {
		return Number{Suffix: words[0].text + words[1].text + words[2].text + words[3].text}, 4 // W 156 N 8480
	}
	for used < min(2, len(words)) && gridPart(words[used].text) {
		n.Suffix += words[used].text
		used++
	}
	return n, used
}

// gridPart reports whether a word is a letter of a direction and digits, once or twice.
func gridPart(text string) bool {
	parts := 0
	for len(text) > 1 && directions[text[:1]] != 0 && text[0] != 'o' {
		end := 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if end == 1 {
			return false
		}
		text, parts = text[end:], parts+1
	}
	return text == "" && parts > 0
}

func fraction(text string) bool { return len(text) == 3 && text[1] == '/' }

// ordinal reports whether a word is a number with the ending of an order: 10th, 3e.
func ordinal(text string) bool { return hasDigit(text) && !digits(text) && digits(equal(text)) }
