// Package profiles is the packed table of the texts of geographies: the build writes it, the server finds a geography by
// its id and copies its texts as strings of JSON with HTML.
//
// A sentence that several geographies have is stored once. The sentences of a language are sorted and cut into blocks of
// sixteen; in a block each has only what differs from the one before it. The sections of n geographies:
//
//	profiles.id           uint64 × n           geog_ids as numbers in base 36 without g and _, ascending
//	profiles.en.sentence  lists of uint32 × n  8·(number of the sentence) + section, in the order of reading
//	profiles.en.block     lists of bytes       blocks of sentences
//	profiles.fr.sentence, profiles.fr.block    the same in French; a geography of the United States has no sentences
//
// A sentence in a block is the number of bytes that it has in common with the beginning of the one before it, the number
// of the others, both varints, and those others. A block of "A park." and "A path.":
//
//	0 7 A ␣ p a r k .  4 3 t h .
//
// Sentences are stored as they are copied into an answer: names escaped for HTML, then everything for JSON.
package profiles

import (
	"encoding/json"
	"html"
	"strings"

	"quartier/schemas/profile"
)

// Locales are the languages of texts, in the order of the pack.
var Locales = [...]string{"en", "fr"}

const (
	perBlock     = 16 // sentences of a block
	sectionBits  = 3
	sectionMask  = 1<<sectionBits - 1
	maxSentences = 1 << (32 - sectionBits) // of a language
)

// locale is the index of a language in Locales; −1 if there is none.
func locale(name string) int {
	for i, l := range Locales {
		if l == name {
			return i
		}
	}
	return -1
}

// Markup is a sentence as HTML, escaped for a string of JSON: `&` becomes `&amp;`, a line break `\n`.
func Markup(sentence string) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.Encode(html.EscapeString(sentence)) // a string always encodes
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(text.String(), "\n"), `"`), `"`)
}

// Sentence refers to a sentence of a language by the number that Writer.AddSentence returned.
type Sentence struct {
	Section profile.Section
	Number  int
}
