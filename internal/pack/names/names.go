// Package names is the packed index of the names of geographies: the build writes it, the server finds geographies by
// name from it, without regard to case, accents and punctuation, with typing errors tolerated.
//
// What goes in: one Entry a geography, through a Writer. What comes out: an Index over the mapped file whose Search
// finds and ranks as looking at every name does (Index.SearchAll).
//
// Names are compared folded (Fold). One that equals the name asked for ranks before one that begins with it, and that
// before one that differs by typing errors; of these the fewer errors, then a name in the language asked for before
// one in the other, then the larger population, then the smaller id.
package names

import (
	"quartier/schemas"
)

// Entry is a geography to be found by its names.
type Entry struct {
	Index      uint32 // what a Match tells: its index in the table of geographies
	ID         string // breaks ties last
	Level      schemas.Level
	Regions    []string // "CA_QC", …; the country code alone where it has no state
	Name       schemas.Text
	AltNames   []string // searched in either language, as equal to the name
	Population int64    // people; -1: not known, ranks last
}

// Query is what to look for.
type Query struct {
	Name      string
	Language  string               // "fr", else English: names in it come before equal ones in the other
	Levels    schemas.LevelSet     // zero: all
	Locations []string             // codes such as "CA_QC", any of them; empty: everywhere
	Admit     func(index int) bool // what the credential may see, by Entry.Index; nil: everything
	Limit     int                  // matches at most
}

// Class is how well a name fits.
type Class uint8

// The classes, best first.
const (
	Exact  Class = iota // equal after folding
	Prefix              // begins with the name asked for
	Fuzzy               // within Tolerance of it
)

// Match is a geography that was found, by the best of its names.
type Match struct {
	Index  int
	Class  Class
	Errors int  // of a Fuzzy match: insertions, deletions, substitutions and transpositions of neighbours
	Other  bool // the name is in the other language than asked for
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
