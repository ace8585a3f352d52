package french

import (
	_ "embed"

	"quartier/schemas/tsv"
)

// FrenchEntry is how French texts use the name of a place.
type FrenchEntry struct {
	Name     string
	Article  string // le, la, les or l’ before the name or at its beginning; "": none
	Feminine bool
	Plural   bool
	Locative string // preposition of "in": à, en, au, aux, à l’ before the name without its article; dans: with it
	HAspire  bool
}

//go:embed places_fr.tsv
var placesFR string

var frenchNames = readFrenchNames()

func readFrenchNames() map[string]FrenchEntry {
	names := map[string]FrenchEntry{}
	for _, c := range tsv.MustParse("places_fr.tsv", placesFR, "country", "name", "article", "gender", "number", "locative", "h_aspire") {
		names[c[0]+"|"+c[1]] = FrenchEntry{Name: c[1], Article: c[2], Feminine: c[3] == "f", Plural: c[4] == "p", Locative: c[5],
			HAspire: c[6] == "h"}
	}
	return names
}

// FrenchName is how French texts use the name of a municipality or neighbourhood, with typographic apostrophes; false if
// the lexicon does not have it.
func FrenchName(name string) (FrenchEntry, bool) {
	entry, ok := frenchNames["|"+name]
	return entry, ok
}

// FrenchState is how French texts use the French name of a state or province; false if the lexicon does not have it.
func FrenchState(country, name string) (FrenchEntry, bool) {
	entry, ok := frenchNames[country+"|"+name]
	return entry, ok
}
