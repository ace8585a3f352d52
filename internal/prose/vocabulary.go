package prose

import (
	"slices"
	"strings"

	"quartier/internal/prose/english"
	"quartier/internal/prose/french"
	"quartier/internal/prose/lexicon"
)

// Vocabulary is every word that texts in language can have apart from names and figures, sorted.
func Vocabulary(language string) (words []string) {
	patterns, joiners, own := english.Patterns, english.Joiners, english.Words()
	if language == "fr" {
		patterns, joiners, own = french.Patterns, french.Joiners, french.Words()
	}
	words = append(append(patterns.Literals(), joiners.Literals()...), own...)
	for _, n := range lexicon.Nouns() {
		if language == "fr" {
			words = append(words, n.FR, n.FRs)
		} else {
			words = append(words, n.EN, n.ENs)
		}
	}
	var single []string
	for _, w := range words {
		single = append(single, strings.Fields(w)...)
	}
	slices.Sort(single)
	return slices.Compact(single)
}
