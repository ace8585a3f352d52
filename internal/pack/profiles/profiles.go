// Package profiles is the packed table of the texts of geographies: the build writes it, the server finds a geography by
// its id and copies its texts, which are JSON with HTML.
//
// The sections of n geographies:
//
//	profiles.id       uint64 × n  geog_ids as numbers in base 36 without g and _, ascending
//	profiles.en.text  texts × n   the intro as a string of JSON, followed by the other sections as an object
//	profiles.fr.text  texts × n   the same in French; empty where there is none, as in the United States
//
// A geography of which only the intro and the summary say something:
//
//	"<p>Hill is a village.</p>"{"summary":"<p>It has a park. Shops are far.</p>","transport":"","services":"","character":"","housing":""}
//
// Texts are escaped for HTML, so that none has a quote in it: the second one ends the intro. Each is whole, although many
// have sentences in common (docs/decisions/0048-texts-are-whole.md).
package profiles

// Locales are the languages of texts, in the order of the pack.
var Locales = [...]string{"en", "fr"}

// locale is the index of a language in Locales; −1 if there is none.
func locale(name string) int {
	for i, l := range Locales {
		if l == name {
			return i
		}
	}
	return -1
}
