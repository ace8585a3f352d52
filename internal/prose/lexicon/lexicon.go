// Package lexicon has the nouns of the texts in both languages.
package lexicon

import (
	_ "embed"
	"fmt"

	"quartier/schemas/tsv"
)

// Noun is a noun in both languages.
type Noun struct {
	EN, ENs  string // singular and plural
	FR, FRs  string
	Feminine bool   // in French
	Naming   string // words with |: a name that has one of them needs no noun beside it in English
}

//go:embed nouns.tsv
var table string

var nouns = readNouns()

func readNouns() map[string]Noun {
	nouns := map[string]Noun{}
	for _, c := range tsv.MustParse("nouns.tsv", table, "key", "en", "en_plural", "fr", "fr_plural", "gender", "naming") {
		nouns[c[0]] = Noun{c[1], c[2], c[3], c[4], c[5] == "f", c[6]}
	}
	return nouns
}

// NounOf is the noun of a key, which must exist.
func NounOf(key string) Noun {
	n, ok := nouns[key]
	if !ok {
		panic(fmt.Sprintf("no noun %q in nouns.tsv", key))
	}
	return n
}

// Has reports whether there is a noun of a key.
func Has(key string) bool {
	_, ok := nouns[key]
	return ok
}

// Nouns are all nouns, by key.
func Nouns() map[string]Noun { return nouns }
