package address

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Columns are the parts of an address in columns of their own, each "" where there is none. Street may be a whole line.
type Columns struct{ Number, Street, Unit, Place, Region, Postal string }

// unreadable reports whether a text is none: too long, or with letters that are lost, being other bytes than UTF-8 or U+FFFD.
func unreadable(text string) bool {
	return len(text) > MaxBytes || strings.ContainsRune(text, utf8.RuneError)
}

// Read returns the parts of an address in one line, or in several with line breaks.
func Read(line string) Address {
	if unreadable(line) {
		return Address{}
	}
	r := reader{words: wordsOf(line)}
	return r.read()
}

// ReadBegun returns the parts of a line that somebody has not typed to its end: Va without a comma before it is no Virginia, but
// can become Valley.
func ReadBegun(line string) Address {
	if unreadable(line) {
		return Address{}
	}
	r := reader{words: wordsOf(line), begun: true}
	return r.read()
}

// Read returns the parts of an address in columns. What a column has comes before what the street's has of it.
func (c Columns) Read() Address {
	n, street := ReadNumber(c.Number), c.Street
	if n == (Number{}) && c.Number != "" {
		street = c.Number + " " + street
	}
	if unreadable(c.Number + street + c.Unit + c.Place + c.Region + c.Postal) {
		return Address{}
	}
	r := reader{words: wordsOf(street), begun: c.Place+c.Region+c.Postal != "", number: n}
	a := r.read()
	a.Unit = cmp.Or(Unit(c.Unit), a.Unit)
	if words := wordsOf(c.Place); len(words) > 0 {
		words[0].comma = true
		a.places = words
	}
	tail := reader{words: wordsOf(c.Region + ", " + c.Postal)}
	tail.takeEnd()
	if tail.a.Region != (Region{}) {
		a.Region, a.region = tail.a.Region, nil
	}
	if tail.a.Postal != "" {
		a.Postal = tail.a.Postal
	}
	if a.Kind == None || a.Kind == Area {
		a.Kind = a.kind()
	}
	return a
}

// reader takes one part after the other out of the words of an address.
type reader struct {
	a      Address
	words  []word
	box    bool   // a box or a rural route was among them
	hash   bool   // the unit has # before it, and no word
	begun  bool   // its end is missing, or in other columns
	number Number // where it is in a column of its own
}

func (r *reader) read() Address {
	r.join()
	r.takeEnd()
	r.takeFirstPostal()
	if r.takeBoxes(); r.box {
		r.takeEnd()
	}
	r.takeUnits()
	corner := r.number == (Number{}) && r.takeCorner()
	if !corner {
		r.takeNumber()
	}
	r.split()
	if r.a.Number != (Number{}) {
		r.takeLooseUnits()
	}
	if r.a.Kind = r.a.kind(); corner {
		r.a.Kind = Corner
	}
	if r.box && (r.a.Kind == OnStreet || r.a.Kind == Area || r.a.Kind == None) {
		r.a.Kind = Box
		r.a.street, r.a.places = nil, append(r.a.street, r.a.places...)
	}
	return r.a
}

// join makes one word of a number and its ending, and of two letters of a direction: 45 th Ave, N E 42nd Ave, but not N E St.
func (r *reader) join() {
	for i := 0; i+1 < len(r.words); i++ {
		first, second, next := r.words[i].text, r.words[i+1], word{comma: true}
		if i+2 < len(r.words) {
			next = r.words[i+2]
		}
		ordinal := (second.text == "th" || second.text == "nd") && digits(first) && isType(next.text)
		direction := (first == "n" || first == "s") && (second.text == "e" || second.text == "w") &&
			(!next.comma && !isType(next.text) || i > 0 && isType(r.words[i-1].text))
		us := first == "u" && second.text == "s" && isType(next.text) // U S Highway 1
		if !second.comma && (ordinal || direction || us) {
			r.words[i].text += second.text
			r.words = append(r.words[:i+1], r.words[i+2:]...)
		}
	}
}

// kind is what the parts are, boxes apart.
func (a *Address) kind() Kind {
	switch {
	case a.Number != (Number{}) && len(a.street) > 0:
		return Civic
	case len(a.street) > 0 || len(a.places) > 0:
		return OnStreet
	case a.Postal != "" || a.Region != (Region{}):
		return Area
	}
	return None
}

func isType(text string) bool { return known.trailing[text] != 0 || known.leading[text] != 0 }

// takeEnd takes country, postal code and region from the end, in any order.
func (r *reader) takeEnd() {
	for range 5 {
		if !r.takeCountry() && !r.takePostal() && !r.takeRegion() {
			return
		}
	}
}

// last are the last n words as a text, and false where there are fewer, or a comma is between them.
func (r *reader) last(n int) (string, bool) {
	begin := len(r.words) - n
	if begin < 0 {
		return "", false
	}
	for _, w := range r.words[begin+1:] {
		if w.comma {
			return "", false
		}
	}
	return textOf(r.words[begin:]), true
}

func (r *reader) drop(n int) { r.words = r.words[:len(r.words)-n] }

func (r *reader) takeCountry() bool {
	if r.inCanada() {
		r.a.Region.Country = "CA"
		r.drop(1)
		return true
	}
	for n := 4; n > 0; n-- {
		if text, ok := r.last(n); ok && known.country[text] != "" && (r.a.Region.Country == "" || r.a.Region.Country == known.country[text]) {
			r.a.Region.Country = known.country[text]
			r.drop(n)
			return true
		}
	}
	return false
}

// inCanada reports whether CA at the end is Canada, after a province or its postal code, and not California: Barrie, ON, CA. Ontario, CA
// is a town.
func (r *reader) inCanada() bool {
	n := len(r.words) - 1
	if n < 1 || r.words[n].text != "ca" || r.a.Region != (Region{}) || r.a.Postal != "" && r.a.Postal[0] <= '9' {
		return false
	}
	before := reader{words: r.words[:n:n]}
	before.takeEnd()
	if before.a.Region.Country != "CA" || len(before.a.region) == 0 {
		return before.a.Region.Country == "CA" || before.a.Postal != "" && before.a.Postal[0] > '9'
	}
	return slices.ContainsFunc(before.words[min(1, len(before.words)):], func(w word) bool { return w.comma })
}

// takeRegion takes a province or state. A code that is also a type of street or a direction (CT, NE) is one only after a
// comma or before a postal code or country.
func (r *reader) takeRegion() bool {
	for n := 5; n > 0; n-- {
		text, ok := r.last(n)
		if !ok {
			continue
		}
		at, found := known.regions[text]
		if text == "ne" && r.a.Postal != "" && r.a.Postal[0] > '9' { // N.-É.
			at = known.regions["ns"]
		} else if !found && n > 1 && len(text) == 2*n-1 { // B. C.
			at, found = known.regions[strings.ReplaceAll(text, " ", "")]
			found = found && (r.a.Postal != "" || r.words[len(r.words)-n].comma)
		}
		if !found || r.a.Region.Code != "" && at != r.a.Region || r.a.Region.Country != "" && r.a.Region.Country != at.Country ||
			r.a.Postal != "" && (r.a.Postal[0] > '9') != (at.Country == "CA") { // Val-d'Or J9P 3Y8
			continue
		}
		words, before := r.words[len(r.words)-n:], ""
		if n < len(r.words) {
			before = r.words[len(r.words)-n-1].text
		}
		if text == "washington" && (!r.zipOf(at) || endsStreet(before)) || !words[0].comma && known.particle[before] {
			continue // the city; rue du Mont
		}
		if r.begun && !words[0].comma {
			continue
		}
		sure := r.a.Postal != "" || r.a.Region.Country != "" || slices.ContainsFunc(r.words[min(1, len(r.words)-n):len(r.words)-n+1],
			func(w word) bool { return w.comma })
		if text == "ne" && r.a.Postal == "" && r.a.Region == (Region{}) && isType(before) {
			continue // Stanton Rd, NE
		}
		if len(text) == 2 && (!sure || !r.zipOf(at)) && (isType(text) || directions[text] != 0 || known.particle[text]) {
			continue
		}
		if n < len(r.words) && len(text) > 2 && !sure && isType(r.words[len(r.words)-n-1].text) && r.a.Region.Code != "" {
			continue
		}
		if r.a.Region.Code == "" && len(text) > 2 {
			r.a.region = words
		}
		if r.a.Region.Code != "" && (text == "new york" || text == "quebec") { // New York, NY: the town
			return false
		}
		r.a.Region = at
		r.drop(n)
		return true
	}
	return false
}

// endsStreet reports whether a word ends the name of a street, so that what follows is a town.
func endsStreet(text string) bool { return isType(text) || directions[text] != 0 }

// at reports whether words are those from i on, with no comma between them.
func (r *reader) at(i int, words []string) bool {
	if i+len(words) > len(r.words) {
		return false
	}
	for k, w := range words {
		if r.words[i+k].text != w || k > 0 && r.words[i+k].comma {
			return false
		}
	}
	return true
}

// remove takes n words out. What follows begins a part as after a comma where the words did.
func (r *reader) remove(i, n int) {
	r.a.Dropped = append(r.a.Dropped, textOf(r.words[i:i+n]))
	comma := r.words[i].comma
	r.words = append(r.words[:i:i], r.words[i+n:]...)
	if comma && i < len(r.words) {
		r.words[i].comma = true
	}
}
