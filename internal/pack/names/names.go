// Package names is the packed index of the names of geographies: the build writes it, the server finds geographies by
// name from it, without regard to case, accents and punctuation, with typing errors tolerated.
//
// What goes in: one Entry a geography, through a Writer. What comes out: an Index over the mapped file whose Search
// ranks as the exhaustive Rank does.
package names

import (
	"quartier/internal/pack"
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

// Writer makes the index.
type Writer struct{}

// Add takes an entry.
func (w *Writer) Add(e *Entry) error { return nil }

// Finish writes the sections of the index.
func (w *Writer) Finish(out *pack.Writer) error { return nil }

// Index finds geographies by name from a mapped file. It is safe for concurrent use until the file is closed.
type Index struct{}

// Open finds the index in f.
func Open(f *pack.File) (*Index, error) { return &Index{}, nil }

// Query is what to look for.
type Query struct {
	Name      string
	Language  string        // "en" or "fr": names in it come before equal ones in the other
	Levels    pack.LevelSet // zero: all
	Locations []string      // "CA_QC"-like codes, any of them; nil: everywhere
	Regions   []string      // where the credential may look: codes such as "US_DE" or "CA"; nil: everywhere
	Limit     int           // matches at most
}

// Class is how well a name fits.
type Class uint8

// The classes, best first.
const (
	Exact  Class = iota // equal after folding
	Prefix              // begins with the name asked for
	Fuzzy               // within the typing errors allowed for its length
)

// Match is a geography that was found.
type Match struct {
	Index  int
	Class  Class
	Errors int  // of a Fuzzy match: insertions, deletions, substitutions and transpositions
	Other  bool // the name is in the other language than asked for
}

// Result is the outcome of a Search. It may be used again: its memory is kept for the next search.
type Result struct {
	Matches []Match // best first
}

// Search finds the best matches and fills r.
func (x *Index) Search(q *Query, r *Result) {}
