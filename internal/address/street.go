package address

import (
	"cmp"
	"strings"
)

// Direction is a set of directions of the compass before or after a name. 0 is none.
type Direction uint8

// North to West are the directions; NE is North|East.
const (
	North Direction = 1 << iota
	South
	East
	West
)

var directions = map[string]Direction{
	"n": North, "north": North, "nord": North, "s": South, "south": South, "sud": South, "so": South, "no": North,
	"e": East, "east": East, "est": East, "w": West, "west": West, "o": West, "ouest": West,
	"ne": North | East, "northeast": North | East, "nordest": North | East,
	"nw": North | West, "northwest": North | West, "nordouest": North | West,
	"se": South | East, "southeast": South | East, "sudest": South | East,
	"sw": South | West, "southwest": South | West, "sudouest": South | West,
}

// String is the abbreviation, such as "NE"; "" for none.
func (d Direction) String() string {
	text := ""
	for i, letter := range "NSEW" {
		if d&(1<<i) != 0 {
			text += string(letter)
		}
	}
	return text
}

// Street is the name of a street in its parts, in the form in which names are compared.
type Street struct {
	Name   string    // letters and digits without spaces: "stlaurent", "10" of 10th
	Type   Type      // 0: none
	Before Direction // of a name: E in E Cordova St
	After  Direction // of a type: NW in Marietta St NW
}

// Highway is the type of all roads with a number.
var Highway = known.trailing["highway"]

var concession = known.trailing["concession"]

// ReadStreet returns the parts of a name of a street, in English or French, without a box or a unit after it. The name is empty
// where the text has no word.
func ReadStreet(text string) Street {
	r := reader{words: wordsOf(text)}
	for i := 2; i < len(r.words); i++ {
		if _, n := r.unitAt(i); n > 0 && i+n == len(r.words) && (n == 2 || r.words[i].hash) {
			r.words = r.words[:i]
		}
	}
	if len(r.words) > 2 {
		r.takeBoxes()
	}
	return streetOf(r.words)
}

// streetOf returns the parts of a name of a street.
func streetOf(words []word) Street {
	var s Street
	rest := words
	if len(rest) > 1 {
		if d := directionAt(rest, 0); d != 0 && !(len(rest) == 2 && known.usual[known.trailing[rest[1].text]]) { // N St, but E Center
			s.Before, rest = d, rest[1:]
		}
	}
	if len(rest) > 1 {
		if d := directionAt(rest, len(rest)-1); d != 0 && known.leading[rest[len(rest)-2].text] == 0 || d != 0 && len(rest) > 2 {
			s.After, rest = d, rest[:len(rest)-1]
		}
	}
	if s.Before != 0 && len(rest) == 1 && known.usual[known.trailing[rest[0].text]] { // N St NW
		return Street{words[0].text, known.trailing[rest[0].text], 0, s.After}
	}
	rest = s.takeType(rest)
	if n := len(rest) - 1; n > 0 && s.After == 0 && s.Type != Highway { // Anne nord rue, Greely West Drive, chemin North River
		if d := directionAt(rest, n); d != 0 {
			s.After, rest = d, rest[:n]
		} else if d := directionAt(rest, 0); d != 0 && s.Before == 0 {
			s.Before, rest = d, rest[1:]
		}
	}
	if s.Type == 0 && len(rest) > 1 && (rest[0].text == "du" || rest[0].text == "des" || rest[0].text == "de" && rest[1].text == "l") {
		rest = withoutParticles(rest) // de l'Église
	}
	if len(rest) == 0 { // the name is a word that was taken for another part: N St, Rue
		rest, s = words, Street{Type: s.Type}
	}
	s.Name = nameOf(rest)
	return s
}

// directionAt is the direction that a word is; 0 if it is none. O, NO and SO are west, northwest and southwest in French names alone,
// where a type says so. In English No and So are north and south beside a name with a type: So State St, but not No 3 Rd.
func directionAt(words []word, i int) Direction {
	text, last := words[i].text, len(words)-1
	if text != "o" && text != "no" && text != "so" {
		return directions[text]
	}
	if i > 0 {
		first, before := words[0].text, words[i-1].text
		switch {
		case known.leading[first] != 0 || known.leading[before] != 0 && known.trailing[before] == 0:
			return directions[text] | West
		case text != "o" && i > 1 && known.trailing[before] != 0:
			return directions[text]
		}
	} else if text != "o" && last > 1 && known.trailing[words[last].text] != 0 && !hasDigit(words[1].text) {
		return directions[text]
	}
	return 0
}

// takeType finds the type and returns the words of the name. A word that is a type in English after the name comes before
// one that leads, so that Avenue Road is a road; one that leads in French alone comes first, as in rue du Parc.
func (s *Street) takeType(words []word) []word {
	if rest := s.takeHighway(words); rest != nil {
		return rest
	}
	if len(words) < 2 {
		return words
	}
	first, last := words[0].text, words[len(words)-1].text
	leading, trailing := known.leading[first], known.trailing[last]
	if first == "cote" && trailing != 0 { // Côté Street
		leading = 0
	}
	switch {
	case leading != 0 && (leading == trailing || leading == known.leading[last]) && len(words) > 2: // boul. Charlemagne Blvd
		s.Type = leading
		return withoutParticles(words[1 : len(words)-1])
	case leading != 0 && (trailing == 0 || known.trailing[first] == 0 || known.particle[words[1].text]):
		s.Type = leading
		if rest := words[1:]; leading == concession && len(rest) > 1 && isRoad(rest[0].text) && hasDigit(rest[1].text) { // Concession Rd 5
			return rest[1:]
		}
		return withoutParticles(words[1:])
	case trailing != 0:
		s.Type = trailing
		rest := words[:len(words)-1]
		if n := len(rest) - 1; n == 1 && known.trailing[rest[n].text] == concession && isRoad(last) { // 5th Concession Rd
			s.Type, rest = concession, rest[:n]
		}
		if len(rest) > 1 && known.trailing[rest[len(rest)-1].text] == trailing { // St Street
			rest = rest[:len(rest)-1]
		}
		return rest
	case known.trailing[first] != 0 && len(words) == 2 && (hasDigit(last) || len(last) == 1): // Avenue A, Concession 4
		s.Type = known.trailing[first]
		return words[1:]
	}
	if last := known.leading[last]; last != 0 && leading == 0 { // George rue
		s.Type = last
		return words[:len(words)-1]
	}
	if known.trailing[first] == Highway && len(words) > 1 { // Hwy Old Cariboo
		s.Type = Highway
		return words[1:]
	}
	return words
}

// designators are words before the number of a road.
var designators = set("highway hwy hiway route rte rt cr sr fm us interstate i state st county co provincial regional township road rd " +
	"autoroute aut pr loop trunk farm ranch to market sh csah cty cth hwys")

// counties are words before the letter of a road of Wisconsin's counties.
var counties = set("county cty co cth trunk")

// takeHighway returns the number of a road whose other words say that it is one: Hwy 99, State Route 9, CR 12, I-5, SR-99, County Road
// A, Highway No. 7; nil for others. The old one is another: Old Highway 99.
func (s *Street) takeHighway(words []word) []word {
	n := len(words) - 1
	if n > 1 && known.trailing[words[n].text] != 0 && designators[words[n].text] { // FM 1960 Rd
		n--
	}
	if n < 1 {
		return nil
	}
	before, last := words[:n], equal(words[n].text)
	old := n > 1 && words[0].text == "old"
	if old {
		before = before[1:]
	}
	lettered := len(last) <= 2 && counties[before[0].text] && len(words[n].text) == len(last)
	if !lettered && !('0' <= last[0] && last[0] <= '9') || len(words[n].text) > 5 {
		return nil
	}
	for i, w := range before {
		numbered := i > 0 && i == len(before)-1 && numberWords[w.text]
		if !designators[w.text] && !numbered && (i > 0 || len(w.text) != 2 || known.regions[w.text].Country != "US") { // NY-9
			return nil
		}
	}
	if first := words[0].text; n == 1 && (first == "rd" || first == "road" || first == "st" || first == "to" || first == "market") {
		return nil
	}
	s.Type = Highway
	if old {
		return []word{words[0], words[n]}
	}
	return words[n : n+1]
}

// withoutParticles drops the articles and prepositions at the beginning of a name: de la Montagne is Montagne.
func withoutParticles(words []word) []word {
	for len(words) > 1 && known.particle[words[0].text] {
		words = words[1:]
	}
	return words
}

// nameOf joins the words of a name in the forms that are compared.
func nameOf(words []word) string {
	if len(words) == 1 && len(words[0].text) == 1 { // E St is not East St
		return words[0].text
	}
	var b strings.Builder
	for i := 0; i < len(words); i++ {
		text := words[i].text
		form := equal(text)
		switch {
		case i > 0 && i == len(words)-1 && text == "a" && hasDigit(words[i-1].text): // 120 A St
			form = text
		case i > 0 && i < len(words)-1 && text == "s": // Smuggler s Cove
			form = text
		case len(form) == 2 && form[1] == '0' && !hasDigit(text) && i+1 < len(words): // Forty First
			if unit := equal(words[i+1].text); len(unit) == 1 && '1' <= unit[0] && unit[0] <= '9' {
				form, i = form[:1]+unit, i+1
			}
		}
		b.WriteString(form)
	}
	return b.String()
}

// equal is the form of a word that is compared: 10 of 10th and of tenth.
func equal(text string) string {
	if e, found := known.equal[text]; found {
		return e
	}
	for _, suffix := range []string{"st", "nd", "rd", "th", "e", "er", "re", "eme", "ieme", "ere", "iere"} {
		if number, found := strings.CutSuffix(text, suffix); found && digits(number) {
			return strings.TrimLeft(number[:len(number)-1], "0") + number[len(number)-1:]
		}
	}
	return text
}

// cities are names of cities beside their own.
var cities = map[string]string{"newyorkcity": "newyork", "nyc": "newyork", "manhattan": "newyork", "quebeccity": "quebec",
	"mtl": "montreal"}

// Place is the name of a town in the form in which names are compared: "saintjohns" of Saint John's and St. John's.
func Place(text string) string { return placeOf(wordsOf(text)) }

// placeOf is the name of a town without the words of what it is: District of North Vancouver, Norfolk County.
func placeOf(words []word) string {
	if n := len(words); n > 2 && known.municipal[words[0].text] && (words[1].text == "of" || words[1].text == "de") {
		words = words[2:]
	} else if n > 1 && known.trailingMunicipal[words[n-1].text] {
		words = words[:n-1]
	}
	name := nameOf(words)
	return cmp.Or(cities[name], name)
}

// Word is the word of a type in a language, with a capital: Street, rue. "" for none.
func (t Type) Word(french bool) string {
	w := known.types[t]
	if french && w.fr != "" || w.en == "" {
		return w.fr
	}
	if w.en == "" {
		return ""
	}
	return strings.ToUpper(w.en[:1]) + w.en[1:]
}
