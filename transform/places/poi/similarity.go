package poi

import (
	"slices"
	"strings"

	"quartier/transform/places/normalize"
)

// nameKey is a name prepared for comparison: normalised, without stop words.
type nameKey string

// stopWords may differ between two names of the same place.
var stopWords = map[string]bool{"the": true, "le": true, "la": true, "les": true, "l": true, "of": true, "de": true, "du": true,
	"and": true, "et": true,
	"inc": true, "ltd": true, "llc": true, "co": true, "corp": true, "ltee": true, "at": true, "a": true}

func newNameKey(name string) nameKey {
	folded := normalize.Name(name)
	words := strings.Fields(folded)
	distinctive := slices.DeleteFunc(words, func(w string) bool { return stopWords[w] })
	if len(distinctive) == 0 {
		return nameKey(folded)
	}
	return nameKey(strings.Join(distinctive, " "))
}

func similarity(a, b nameKey) float64 { return normalize.Similarity(string(a), string(b)) }

func numbers(k nameKey) string { return normalize.Numbers(string(k)) }
