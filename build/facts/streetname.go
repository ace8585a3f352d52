package facts

import (
	_ "embed"
	"regexp"
	"strings"
	"unicode"

	"quartier/internal/pack/names"
	"quartier/schemas/tsv"
)

//go:embed street_types.tsv
var streetTypesTSV string

// streetType is a row of street_types.tsv.
type streetType struct {
	long           string
	follows, leads bool // the name, in English and French
}

var streetTypes = func() map[string]streetType {
	types := map[string]streetType{}
	for _, row := range tsv.MustParse("street_types.tsv", streetTypesTSV) {
		types[row[0]] = streetType{row[1], row[2] == "yes", row[3] == "yes"}
	}
	return types
}()

// directions are the words of directions in names of streets, with how they are written out.
var directions = map[string]string{
	"n": "North", "s": "South", "e": "East", "w": "West", "north": "North", "south": "South", "east": "East", "west": "West",
	"ne": "NE", "nw": "NW", "se": "SE", "sw": "SW", "northeast": "Northeast", "northwest": "Northwest", "southeast": "Southeast",
	"southwest": "Southwest",
	"nord":      "Nord", "sud": "Sud", "est": "Est", "ouest": "Ouest", "o": "Ouest",
}

// streetName is the name of a street, taken apart.
type streetName struct {
	full     string // with its type written out
	base     string // without type and direction, folded: "bank" of "Bank Street North" and of "rue Bank"
	typed    bool
	numbered bool // a road with a number, such as a highway
}

// parseStreet takes the name of a street apart. Examples: "Laurier Ave. E" is "Laurier Avenue East" with the base
// "laurier"; "Bank" has no type; "Highway 15" and "I-95" are numbered.
func parseStreet(name string) (n streetName) {
	words := strings.Fields(name)
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.ToLower(strings.Trim(w, ".,"))
		n.numbered = n.numbered || numbered(low[i])
	}
	first, end := 0, len(words) // of the base
	for end > 1 && (directions[low[end-1]] != "" || low[end-1] == "extension") {
		end--
	}
	kind := -1
	switch {
	case end > 1 && streetTypes[low[end-1]].follows:
		end--
		kind = end
	case len(words) > 1 && streetTypes[low[0]].leads:
		kind, first = 0, 1
	}
	if first == 0 && end > 1 && directions[low[0]] != "" {
		first = 1
	}
	n.base = names.Fold(strings.Join(words[first:max(end, first)], ""))
	for i := range words {
		switch {
		case i == kind:
			words[i], n.typed = streetTypes[low[i]].long, true
		case (i < first || i >= end) && directions[low[i]] != "":
			words[i] = directions[low[i]]
		}
	}
	n.full = strings.Join(words, " ")
	return n
}

// numbered reports whether a word is the number of a road: "15", "i-95", "us13".
func numbered(word string) bool {
	digits := strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz")
	letters := len(word) - len(digits)
	digits = strings.TrimPrefix(digits, "-")
	return digits != "" && letters <= 2 && strings.Trim(digits, "0123456789") == ""
}

// houseNumber is the number before the street of an address: "2203", "12A", "10-14", "123 ½".
var houseNumber = regexp.MustCompile(`^\d+[A-Za-z]?(?:\s*[-–/]\s*\d+[A-Za-z]?)?(?:\s*½|\s+1/2)?\s*,?\s+`)

// streetOfAddress returns the street in a line of an address; its full name is "" if there is none.
func streetOfAddress(address string) streetName {
	at := houseNumber.FindStringIndex(address)
	if at == nil {
		return streetName{}
	}
	street, _, _ := strings.Cut(address[at[1]:], ",")
	for _, mark := range []string{"#", "(", ";"} {
		street, _, _ = strings.Cut(street, mark)
	}
	street = strings.TrimSpace(street)
	if strings.IndexFunc(street, unicode.IsControl) >= 0 || strings.IndexFunc(street, unicode.IsUpper) < 0 {
		return streetName{} // not written as a name
	}
	return parseStreet(street)
}
