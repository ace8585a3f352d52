package address

import (
	"slices"
	"strings"
)

// Columns are the parts of an address in columns of their own, each "" where there is none. Street may be a whole line.
type Columns struct{ Number, Street, Unit, Place, Region, Postal string }

// Read returns the parts of an address in one line, or in several with line breaks.
func Read(line string) Address {
	if len(line) > MaxBytes {
		return Address{}
	}
	r := reader{words: wordsOf(line)}
	return r.read()
}

// Read returns the parts of an address in columns. What a column has comes before what the street's has of it.
func (c Columns) Read() Address {
	n, street := ReadNumber(c.Number), c.Street
	switch {
	case n != (Number{}):
		street = "1 " + street
	case c.Number != "":
		street = c.Number + " " + street
	}
	if len(street)+len(c.Unit)+len(c.Place)+len(c.Region)+len(c.Postal) > MaxBytes {
		return Address{}
	}
	a := Read(street)
	if n != (Number{}) {
		a.Number, a.Other, a.named = n, nil, nil
	}
	if unit := squeezed(c.Unit); unit != "" {
		a.Unit = unit
	}
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
	a     Address
	words []word
	box   bool // a box or a rural route was among them
}

func (r *reader) read() Address {
	r.takeEnd()
	r.takeBoxes()
	r.takeUnits()
	r.takeNumber()
	r.split()
	r.a.Kind = r.a.kind()
	if r.box && (r.a.Kind == OnStreet || r.a.Kind == Area || r.a.Kind == None) {
		r.a.Kind = Box
		r.a.street, r.a.places = nil, append(r.a.street, r.a.places...)
	}
	return r.a
}

// kind is what the parts are, boxes apart.
func (a *Address) kind() Kind {
	switch {
	case a.Number != (Number{}) && len(a.street) > 0:
		return Civic
	case corner(a.street):
		return Corner
	case len(a.street) > 0 || len(a.places) > 0:
		return OnStreet
	case a.Postal != "" || a.Region != (Region{}):
		return Area
	}
	return None
}

// corner reports whether words are two streets: the word before & is a type, or one after it.
func corner(words []word) bool {
	for i := 1; i+1 < len(words); i++ {
		before := words[i-1].text
		if t := words[i].text; (t == "&" || t == "and" || t == "et" || t == "at") && (isType(before) || directions[before] != 0) {
			return true
		}
	}
	return false
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
	for n := 4; n > 0; n-- {
		if text, ok := r.last(n); ok && known.country[text] != "" && (r.a.Region.Country == "" || r.a.Region.Country == known.country[text]) {
			r.a.Region.Country = known.country[text]
			r.drop(n)
			return true
		}
	}
	return false
}

// takePostal takes a postal code: K1A 0B1, K1A, 97210, 97210-1234. Five digits that begin an address are its number.
func (r *reader) takePostal() bool {
	if r.a.Postal != "" || len(r.words) == 0 {
		return false
	}
	end := r.words[len(r.words)-1]
	if two, ok := r.last(2); ok {
		if code := canadian(strings.ReplaceAll(two, " ", "")); code != "" && len(code) == 6 {
			r.a.Postal = code
			r.drop(2)
			return true
		}
		if end.dash && len(two) == 10 && digits(two[:5]) && digits(two[6:]) {
			r.a.Postal = two[:5]
			r.drop(2)
			return true
		}
	}
	if code := canadian(end.text); code != "" {
		r.a.Postal = code
		r.drop(1)
		return true
	}
	zip := (len(end.text) == 5 || len(end.text) == 9) && digits(end.text)
	if zip && (len(r.words) > 1 && r.beforeZIP(r.words[len(r.words)-2].text) || end.comma) {
		r.a.Postal = end.text[:5]
		r.drop(1)
		return true
	}
	return false
}

// beforeZIP reports whether a word may be before a ZIP code: a road with a number of five digits has its type there.
func (r *reader) beforeZIP(text string) bool {
	return !isType(text) || known.regions[text] != (Region{})
}

// canadian is a Canadian postal code or its first half in capitals; "" for other texts.
func canadian(text string) string {
	if len(text) != 6 && len(text) != 3 {
		return ""
	}
	for i := range len(text) {
		letter := text[i] >= 'a' && text[i] <= 'z'
		if letter != (i%2 == 0) || !letter && (text[i] < '0' || text[i] > '9') {
			return ""
		}
	}
	if strings.ContainsAny(text[:1], "dfioquwz") {
		return ""
	}
	return strings.ToUpper(text)
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
		if !found || r.a.Region.Code != "" && at != r.a.Region || r.a.Region.Country != "" && r.a.Region.Country != at.Country {
			continue
		}
		words := r.words[len(r.words)-n:]
		sure := r.a.Postal != "" || r.a.Region.Country != "" || slices.ContainsFunc(r.words[min(1, len(r.words)-n):len(r.words)-n+1],
			func(w word) bool { return w.comma })
		if len(text) == 2 && !sure && (isType(text) || directions[text] != 0 || known.particle[text]) {
			continue
		}
		if !sure && n < len(r.words) && !slices.ContainsFunc(r.words[:len(r.words)-n], func(w word) bool { return !hasDigit(w.text) }) {
			continue // 104 Ma: a street that is begun
		}
		if n < len(r.words) && len(text) > 2 && !sure && isType(r.words[len(r.words)-n-1].text) && r.a.Region.Code != "" {
			continue
		}
		if r.a.Region.Code == "" && len(text) > 2 {
			r.a.region = words
		}
		if r.a.Region.Code != "" && len(text) > 2 { // New York, NY: the town
			return false
		}
		r.a.Region = at
		r.drop(n)
		return true
	}
	return false
}

// boxWords are the words before the number of a box or a route.
var boxWords = [][]string{{"po", "box"}, {"p", "o", "box"}, {"pobox"}, {"post", "office", "box"}, {"box"}, {"boite", "postale"},
	{"case", "postale"},
	{"cp"}, {"bp"}, {"c", "p"}, {"rr"}, {"r", "r"}, {"rural", "route"}, {"route", "rurale"}, {"hc"}, {"bag"}, {"lcd"}, {"site"}, {"comp"},
	{"station"}, {"stn"}, {"succ"}, {"succursale"}, {"gd"}, {"psc"}, {"buzzer"}}

// boxes are boxes without a number.
var boxes = [][]string{{"general", "delivery"}, {"poste", "restante"}, {"returned", "mail"}, {"postal", "station"}}

// takeBoxes takes boxes, rural routes and general delivery.
func (r *reader) takeBoxes() {
	for i := 0; i < len(r.words); i++ {
		n := r.boxAt(i)
		if n == 0 {
			continue
		}
		r.box = true
		r.remove(i, n)
		i--
	}
}

// boxAt is the number of words of the box that begins at a word; 0: none. Words such as station need a box before them.
func (r *reader) boxAt(i int) int {
	for _, words := range boxes {
		if r.at(i, words) {
			return len(words)
		}
	}
	for k, words := range boxWords {
		n := i + len(words)
		if !r.at(i, words) || n >= len(r.words) {
			continue
		}
		id := r.words[n].text
		switch first := words[0]; {
		case k >= 17 && !r.box && first != "bag" && first != "lcd" && first != "buzzer":
			continue
		case first == "hc" || first == "gd" || first == "comp" || first == "cp" || first == "bp" || first == "psc":
			if !digits(id) || r.words[n].comma {
				continue
			}
		case !hasDigit(id) && len(id) > 1, r.words[n].comma && !r.words[n].hash:
			continue
		}
		return len(words) + 1
	}
	if t := r.words[i].text; strings.HasPrefix(t, "rr") && digits(t[2:]) {
		return 1
	}
	return 0
}

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
