// Package names is the packed index of the names of geographies: the build writes it, the server finds geographies by the
// words that people type. Search finds and ranks like a comparison with every name (Index.SearchAll).
//
// Names are compared without case, accents and punctuation. Articles and generic words in front and at the end may be
// missing on either side ("the", "city of", "county": vocabulary/generic.tsv), and some words are equal ("St", "Saint":
// vocabulary/equal.tsv); newReading makes the forms that are compared. What follows a comma is a region or a geography, and
// only places in it are found (Result.interpret). A name that equals the query ranks first; then one that equals it but for
// these liberties, those at its end last; one that begins with it; one in which every word of the query is a word, by how many words
// it has besides, then one in which every word of the query begins a word; one with typing errors, fewer first, as a whole before by
// words; and where there is nothing else, one that equals the query without its first or its last word. Without a comma a region or a
// place at the end is tried too, if no name equals the whole. Of equals, places of a level that a generic word names come first, then
// names in the requested language before the other one and further names, then the larger population, level and the smaller id.
//
// An entry is a geography; entries are numbered by population, the largest first, then level, then id. The sections of n
// entries with t forms of names, p phrases of w different words, and q pairs of word and phrase:
//
//	name.entry          uint32 × n           index of the geography in its table
//	name.level          uint16 × n           set of one level
//	name.region         lists of uint32 × n  indexes in name.code
//	name.code           texts                region codes, sorted
//	name.within         lists of uint32 × n  entries of larger levels that contain it
//	name.text           texts × t            forms of names, sorted
//	name.bearer         lists of uint32 × t  entries of each form: 8·entry + (1: English, 2: French; 4: plain form)
//	name.best           uint32 × ⌈t/32⌉      the first entry of 32 forms
//	name.text.…         a similar            the forms
//	name.phrase         lists of uint32 × p  words of names, by first entry: indexes in name.word
//	name.phrase.bearer  lists of uint32 × p  entries of each phrase: 8·entry + (1: English, 2: French)
//	name.phrase.set     uint64 × p           set of words: their indexes modulo 64
//	name.word           texts × w            words, sorted
//	name.word.begin     uint32 × w+1         start of the phrases of each word
//	name.word.phrase    uint32 × q           indexes in name.phrase of each word, ascending
//	name.word.best      uint32 × ⌈q/32⌉      the first entry of 32 of these
//	name.word.…         a similar            the words
//
// A similar finds those of t texts that have few typing errors:
//
//	….length     uint32 × 257      start of the texts of each length in the next two, 0 to 256 runes
//	….signature  uint64 × t        set of characters, by length, similar ones together
//	….number     uint32 × t        index of the text
//	….block      uint64 × 2·⌈t/16⌉ AND and OR of 16 signatures
//
// An example: Mt. Tabor is entry 0 and The Montrose County entry 1. Their forms are mttabor (plain) and mounttabor, and
// themontrosecounty (plain), montrosecounty and montrose; their phrases have the words mount, mt, tabor and the, montrose, county. The
// query "Mount Tabor" equals the second form of entry 0, "tab" begins one of its words. The query "Montrsoe" begins no
// word. Two errors are allowed at that length: the signatures of forms of 6 to 10 characters leave montrose, which has the
// same characters and is one transposition away.
package names

import (
	"cmp"

	"quartier/schemas"
)

// Entry is a geography with its names, the input of a Writer.
type Entry struct {
	Index      uint32 // in the table of geographies, returned in a Match
	ID         string // the last tie-breaker
	Level      schemas.Level
	Regions    []string // "CA_QC" …; only the country code if it has no state
	Within     []uint32 // Index of the entries of larger levels that contain it
	Name       schemas.Text
	AltNames   []string // further names, which rank like those in the other language
	Population int64    // −1: not known, ranks last
}

// Query is a search.
type Query struct {
	Name      string               // as typed
	Language  string               // "fr", else English: names in it rank before equal ones in the other
	Levels    schemas.LevelSet     // zero: all
	Locations []string             // region codes such as "CA_QC", any of them; empty: all
	Admit     func(index int) bool // access check by Match.Index; nil: all
	Limit     int                  // maximum number of matches
	Beside    *Beside              // more geographies, as if they were in the index; nil: none
	Stop      func() bool          // whether to end the search, see pack.Meter; nil: never
	// by Match.Index, the geographies of larger levels, of both lists, that contain the centroid; only with Beside
	Within func(index int) []int
}

// Class is how well a name matches.
type Class uint8

// The classes, best first.
const (
	Exact  Class = iota // equal after folding
	Alike               // equal but for articles, generic words and equal words
	Prefix              // begins with the query
	Words               // every word of the query begins one of its words
	Fuzzy               // within Tolerance of it, as a whole or by words
)

// Match is a geography in a result, by the best of its names.
type Match struct {
	Index  int // Entry.Index, plus Beside.From of one beside
	Class  Class
	Errors int // of a Fuzzy match: insertions, deletions, substitutions and transpositions of neighbours, at most 15;
	// of an Alike match 1 if generic words at the end of the query were left out; of a Words match 0 if the query lacks at most
	// one of its words, 1 if two, 2 if more, 3 if it has only the beginning of a word
	ByWord bool // a Fuzzy match of words, not of the whole
	Other  bool // the name is not the one in the requested language
}

// Compare orders matches by how well the names match; 0: equally well.
func (m *Match) Compare(other *Match) int {
	key := func(m *Match) int {
		if m.ByWord {
			return int(m.Class)<<8 | m.Errors<<1 | 1
		}
		return int(m.Class)<<8 | m.Errors<<1
	}
	return cmp.Compare(key(m), key(other))
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
