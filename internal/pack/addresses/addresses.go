// Package addresses is the packed table of addresses: the build writes it, and what reads it finds an address as people write
// it, what an address that is begun can become, and the address nearest to a point.
//
// Streets are in the order of name, place, type and directions, addresses in that of street, number, suffix and unit. The
// sections of n addresses, s streets with k different names, l places, c postal codes and r ranges of numbers:
//
//	name               texts × k         names of streets as package address compares them, sorted
//	name.street        uint32 × k+1      first street of each name, and s
//	name.near.hash     uint32            hashes of each name and of all that it becomes without one letter, ascending
//	name.near.name     uint32            its name
//	street.text        uint32 × s        index in text: the street as it is written
//	street.type        uint16 × s        address.Type
//	street.way         uint8 × s         address.Direction before the name, and that after it × 16
//	street.place       uint32 × s        its place
//	street.address     uint32 × s+1      first address of each street, and n
//	street.range       uint32 × s+1      first range of each street, and r
//	place.key          texts × l         names as package address compares them, sorted; of one name by region
//	place.text         uint32 × l        index in text
//	place.region       uint8 × l         index in region
//	place.point        Point × l         middle of its addresses
//	place.radius       float32 × l       metres within which 95 % of them are
//	place.name         lists of uint32   names of its streets, ascending
//	alias.key          texts             keys of other towns that addresses have, as that of the post, sorted
//	alias.place        lists of uint32   places of these addresses, ascending
//	postal.code        texts × c         sorted
//	postal.point, postal.radius          as of places
//	address.number     uint32 × n        the number without its suffix
//	address.suffix     uint16 × n        index in suffix; 0: none
//	address.unit       uint32 × n        index in unit; 0: none
//	address.postal     uint32 × n        its postal code + 1; 0: none
//	address.source     uint8 × n         index in source
//	address.accuracy   uint8 × n         Accuracy
//	address.at         uint32 × n        its point
//	near.point …       package strips    points of all addresses
//	near.address       uint32 × n        the address of each point
//	range.low, .high   uint32 × r        the lowest and the highest number
//	range.step         uint8 × r         Step
//	range.source       uint8 × r         index in source
//	range.line         lists of Point    from the lowest number to the highest
//	text, suffix, unit, region, source   texts, sorted but for the first of suffix and unit, which is empty
//
// An example: "12 Main St" in Ottawa and "14 Main St" in Perth are the addresses 0 and 1 of the streets 0 and 1, which have the
// name 0, "main".
package addresses

import (
	"quartier/internal/address"
	"quartier/internal/coord"
)

// Accuracy is what the point of an address is, the best first.
type Accuracy uint8

// The accuracies.
const (
	Rooftop  Accuracy = iota // a building, an entrance, or a unit
	Parcel                   // the middle of its land
	OnStreet                 // a place along the street
)

// uncertaintyM are the metres within which the address is.
var uncertaintyM = [...]float64{Rooftop: 10, Parcel: 25, OnStreet: 40}

// Record is an address, the input of a Writer.
type Record struct {
	Number   string // as it is written: "221B"
	Street   string // with type and directions
	Unit     string
	Place    string // town
	Also     string // another town that it has, as that of the post; "": none
	Region   address.Region
	Postal   string
	Point    coord.Point
	Accuracy Accuracy
	Source   string // name of the source
}

// Step is which numbers a range has.
type Step uint8

// The steps of ranges.
const (
	Every Step = iota
	Odd
	Even
)

// Range is the numbers along one side of a block of a street, the input of a Writer.
type Range struct {
	Street    string
	Place     string
	Region    address.Region
	Low, High uint32        // Low ≤ High
	Step      Step          // of the numbers
	Line      []coord.Point // from Low to High
	Source    string
}

// Level is how near to the address a match is, the best first.
type Level uint8

// The levels of matches.
const (
	Exact   Level = iota // the address is in the table
	InRange              // its number is between two that are, or in a range
	Street
	Postal
	Place
	None // nothing is found
)

// LevelNames are the names of levels in columns and answers.
var LevelNames = [...]string{Exact: "exact", InRange: "range", Street: "street", Postal: "postal", Place: "place", None: "none"}

// Change is a set of parts of a written address that a match does not have as they were written.
type Change uint16

// The changes.
const (
	ChangedName Change = 1 << iota
	ChangedType
	ChangedDirection
	ChangedNumber
	ChangedUnit
	ChangedPlace
	ChangedPostal
	DroppedWords
)

var changeNames = [...]string{"street_name", "street_type", "direction", "number", "unit", "place", "postal_code", "other_words"}

// Names are the names of the parts in columns and answers; nil for none.
func (c Change) Names() (names []string) {
	for i, name := range changeNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Match is a place that an address can mean.
type Match struct {
	Level        Level
	Score        float64 // agreement of the parts, 0 to 1
	Lng, Lat     float64 // degrees
	UncertaintyM float64 // metres within which the address is
	Text         string  // the address as it is in the table
	Changed      Change
	Source       string // "": of several
}
