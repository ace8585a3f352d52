// Package address reads addresses as people write them, in English and French, and gives the parts of all of them one form
// in which they are compared. It knows the words of the language of addresses and no place: what streets there are, package
// match decides.
//
// An example: "Unit 5, 221B Saint-Laurent Blvd W, Ottawa Ont. K1A 0B1" has the unit 5, the number 221b, the street
// {stlaurent, boulevard, West}, the place ottawa, the region CA ON and the postal code K1A0B1. Where no comma says where a
// street ends and a town begins, as in "525 Superior St Victoria BC", Streets gives every way to read it.
package address

// Kind is what a text is, as far as its words say.
type Kind uint8

// The kinds of addresses.
const (
	None     Kind = iota // no address: empty, too long, without letters and digits, or with letters that are lost
	Civic                // a number on a street
	OnStreet             // words without a number: a street, a town or both
	Box                  // a box, a rural route or general delivery: no place that one can go to
	Corner               // of two streets
	Area                 // a postal code or a region alone
)

// Address is a written address in its parts.
type Address struct {
	Kind   Kind
	Number Number
	Unit   string   // "12", "b2"; "": none
	Other  []Number // other numbers that the same words can be, the likelier first: 12-345 can be the unit 12 or the number 35-20
	Region Region
	Postal string // "K1A0B1", "K1A" or "97210"; "": none
	// Dropped are words that are no part of the address: the name of a building, a box beside a street.
	Dropped []string

	named  []word // the number where it can be the name of the street as well: 99 of 99 St
	street []word // the words after the number; of several parts between commas the first
	places []word // the words after the street's comma
	region []word // the words of the region where it was given by name, which may be a town's too: New York
}

// Reading is a way to read the words after a number.
type Reading struct {
	Street Street
	Text   string // the words of the street, folded
	Place  string // in the form of Place; "": none
	Whole  bool   // the number is the name of the street, so that there is none
	Unread bool   // words between street and comma are neither: a building, a neighbourhood
	Typo   bool   // the type has a letter that is wrong: Fulton Stret
}

// Limits of how a line is read, so that a long one has no more than a hundred ways: words of a street, and of a town after others.
const (
	mostWords     = 12
	mostTownWords = 6
)

// Streets calls yield with every way to read street and town, the longest street first, until yield returns false.
// Where a comma separates them, the first is that of the comma.
func (a *Address) Streets(yield func(Reading) bool) {
	for n := min(len(a.street), mostWords); n > 0; n-- {
		rest := a.street[n:]
		ends := a.ends(n)
		r := Reading{Street: streetOf(a.street[:n]), Text: textOf(a.street[:n]), Place: a.place(rest)}
		r.Unread = len(rest) > 0 && len(a.places) > 0 && placeOf(rest) != r.Place
		if r.Unread && !ends || n == 1 && len(rest) > 0 && isType(r.Text) {
			continue // a part of a name, or a type without one
		}
		if !yield(r) {
			return
		}
		if s, typo := withType(a.street[:n]); typo && !yield(Reading{Street: s, Text: r.Text, Place: r.Place, Unread: r.Unread, Typo: true}) {
			return
		}
		if a.street[0].text == "cote" && n > 1 { // Côte-des-Neiges is the name of a road, too
			name := streetOf(append([]word{{text: "chemin"}}, a.street[:n]...))
			if name.Type = 0; !yield(Reading{Street: name, Text: r.Text, Place: r.Place, Unread: r.Unread}) {
				return
			}
		}
		last := a.lastPart(rest)
		if ends && len(last) > 1 && !a.townward(last, r, yield) || len(rest) == 0 && !a.otherTowns(last, r, yield) {
			return
		}
	}
	if len(a.named) > 0 {
		whole := append(a.named[:1:1], a.street[:min(2, len(a.street))]...)
		for n := len(whole); n > 1; n-- {
			if !yield(Reading{Street: streetOf(whole[:n]), Text: textOf(whole[:n]), Place: a.place(a.street[n-1:]), Whole: true}) {
				return
			}
		}
	}
}

// Place is the town of an address without a street, in the form of the function Place. "" where it has none.
func (a *Address) Place() string { return a.place(a.street) }

// ends reports whether the first n words after the number say that a street ends there: with its type, or a direction after it;
// the words that follow are no direction.
func (a *Address) ends(n int) bool {
	last, rest := a.street[n-1].text, a.street[n:]
	if len(rest) > 0 && directions[rest[0].text] != 0 && (len(rest) == 1 || len(a.places) > 0) {
		return false
	}
	return n > 1 && (known.trailing[last] != 0 || directions[last] != 0 && isType(a.street[n-2].text) || a.highway(n))
}

// highway reports whether the first n words are a road with a number.
func (a *Address) highway(n int) bool {
	return n > 1 && streetOf(a.street[:n]).Type == Highway && hasDigit(a.street[n-1].text)
}

// before are words with which the name of a town begins, so that what follows is no other town: New London is not London.
var before = set("n s e w north south east west nord sud est ouest new old upper lower port mount mt lake fort ft saint st sainte ste " +
	"san santa los las el la le les grand great little big glen point cape bay fall falls")

// townward calls yield with the readings of which the town is the last words of a part, after others that are none: Lust Rd Red
// Bluff Reserve Quesnel. It returns false where yield did.
func (a *Address) townward(last []word, r Reading, yield func(Reading) bool) bool {
	r.Unread = true
	for i := max(1, len(last)-mostTownWords); i < len(last); i++ {
		if r.Place = placeOf(last[i:]); !before[last[i-1].text] && !isType(last[i].text) && !yield(r) {
			return false
		}
	}
	return true
}

// otherTowns calls yield with the readings of which the town is another part, where the last one is in brackets or a county: Montréal
// (Ville-Marie). It returns false where yield did.
func (a *Address) otherTowns(last []word, r Reading, yield func(Reading) bool) bool {
	if len(last) == 0 || !last[0].open && !known.trailingMunicipal[last[len(last)-1].text] {
		return true
	}
	r.Unread = true
	for i, begin := 1, 0; i < min(len(a.places), mostWords); i++ {
		if !a.places[i].comma {
			continue
		}
		if r.Place, begin = placeOf(a.places[begin:i]), i; !yield(r) {
			return false
		}
	}
	return true
}

// place is the name of the town in words after a street and before the commas that follow; the last part is the town.
func (a *Address) place(words []word) string {
	last := a.lastPart(words)
	if len(last) == 0 {
		last = a.region
	}
	return placeOf(last)
}

// lastPart is the words after the last comma, which are the town; words where there is no comma.
func (a *Address) lastPart(words []word) []word {
	last := a.places
	for i := len(last) - 1; i > 0; i-- {
		if last[i].comma {
			return last[i:]
		}
	}
	if len(last) == 0 {
		return words
	}
	return last
}

// textOf joins words with spaces.
func textOf(words []word) string {
	text := ""
	for i, w := range words {
		if i > 0 {
			text += " "
		}
		text += w.text
	}
	return text
}
