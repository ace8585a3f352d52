// Package names is the packed index of the names of geographies: the build writes it, the server finds geographies by name
// from it, ignoring case, accents and punctuation and tolerating typing errors. Search finds and ranks like a comparison
// with every name (Index.SearchAll).
//
// Names are compared folded (Fold). A name that equals the query ranks before one that begins with it, and that before one
// with typing errors, of which fewer errors rank first; then a name in the requested language before one in the other,
// then the larger population, then the smaller id.
//
// An entry is a geography; entries are numbered by population, the largest first, then id. The sections of n entries with
// t different folded names:
//
//	name.entry      uint32 × n           index of the geography in its table
//	name.level      uint16 × n           set of one level
//	name.region     lists of uint32 × n  indexes in name.code
//	name.code       texts                region codes, sorted
//	name.text       texts × t            folded names, sorted
//	name.bearer     lists of uint32 × t  entries of each name: 4·entry + (1: English, 2: French, 3: both)
//	name.length     uint32 × 257         start of the names of each length in the next two, 0 to 256 runes
//	name.signature  uint64 × t           set of characters, by length, similar ones together
//	name.number     uint32 × t           index in name.text
//	name.block      uint64 × 2·⌈t/32⌉    AND and OR of 32 signatures
//
// An example: Montréal is entry 0 ("Montreal", "Montréal") and Montana entry 1. name.text is montana, montreal and
// name.bearer 4·1+3 = 7 and 4·0+3 = 3. The query "Montrael" folds to montrael; no name begins with it. Two errors are
// allowed at that length: the signatures of names of 6 to 10 characters rule out montana, montreal has the same characters
// and is one transposition away.
package names

import (
	"quartier/schemas"
)

// Entry is a geography with its names, the input of a Writer.
type Entry struct {
	Index      uint32 // in the table of geographies, returned in a Match
	ID         string // the last tie-breaker
	Level      schemas.Level
	Regions    []string // "CA_QC" …; only the country code if it has no state
	Name       schemas.Text
	AltNames   []string // searched in both languages, ranked like the name
	Population int64    // −1: not known, ranks last
}

// Query is a search.
type Query struct {
	Name      string
	Language  string               // "fr", else English: names in it rank before equal ones in the other
	Levels    schemas.LevelSet     // zero: all
	Locations []string             // region codes such as "CA_QC", any of them; empty: all
	Admit     func(index int) bool // access check by Entry.Index; nil: all
	Limit     int                  // maximum number of matches
}

// Class is how well a name matches.
type Class uint8

// The classes, best first.
const (
	Exact  Class = iota // equal after folding
	Prefix              // begins with the query
	Fuzzy               // within Tolerance of it
)

// Match is a geography in a result, by the best of its names.
type Match struct {
	Index  int
	Class  Class
	Errors int  // of a Fuzzy match: insertions, deletions, substitutions and transpositions of neighbours
	Other  bool // the name is not in the requested language
}

// Tolerance is how many typing errors are allowed in a name whose folded form has length runes.
func Tolerance(length int) int {
	switch {
	case length < 3:
		return 0
	case length < 6:
		return 1
	case length < 14:
		return 2
	}
	return 3
}
