// Package placetags classifies OpenStreetMap objects by their tags as places that people go to, by the rules of
// places.csv, and converts the tags to rows of staged.poi. The kinds osm and overpass share it, so that an object is the
// same place in either source.
package placetags

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

//go:embed places.csv
var placesCSV string

// rule is what a tag makes of an object.
type rule string

const (
	take  rule = "take"
	named rule = "named" // take if the object has a name
	skip  rule = "skip"
)

// Rules has the rule of each value of a key; "*" is the rule of other values.
type Rules map[string]map[string]rule

// NewRules reads the built-in rules.
func NewRules() (Rules, error) {
	rows, err := csv.NewReader(strings.NewReader(placesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("places.csv: %w", err)
	}
	table := Rules{}
	for i, row := range rows[1:] {
		if r := rule(row[2]); r != take && r != named && r != skip {
			return nil, fmt.Errorf("places.csv, line %d: rule %q is not take, named or skip", i+2, row[2])
		}
		if table[row[0]] == nil {
			table[row[0]] = map[string]rule{}
		}
		table[row[0]][row[1]] = rule(row[2])
	}
	return table, nil
}

// Status is what an object is by its tags.
type Status int

// The statuses. Of those of several tags the last one applies, except that a lifecycle tag makes any Place NotInUse.
const (
	None      Status = iota // not a place
	Furniture               // street furniture, such as a bench
	NotInUse                // disused, abandoned, vacant, proposed or under construction
	Place
)

var own reason.List

var (
	notAPlace = own.Skipped("not_a_place", "The element has no tag of a place.")
	furniture = own.Skipped("street_furniture", "The element is street furniture, such as a bench.")
)

// PlaceAsLine is the reason of places whose way does not enclose an area.
var PlaceAsLine = own.Skipped("place_as_line", "The place is mapped as a line.")

// Reasons are the reasons for which an object is not staged.
func Reasons() []reason.Reason { return append(slices.Clone(own), source.NotInUse) }

// Reason returns why an object is not staged; the zero value for a place.
func (s Status) Reason() reason.Reason {
	switch s {
	case None:
		return notAPlace
	case Furniture:
		return furniture
	case NotInUse:
		return source.NotInUse
	}
	return reason.Reason{}
}

// Classify returns the status of an object.
func (t Rules) Classify(tags element.Tags) Status {
	found, hasName, notInUse := None, false, false
	ifNamed := None
	for key, value := range tags.All() {
		switch {
		case key == "name":
			hasName = value != ""
		case element.NotInUse(key, value):
			notInUse = true
		}
		values, known := t[key]
		if !known || value == "" {
			continue
		}
		r, listed := values[value]
		if !listed {
			r = values["*"]
		}
		switch {
		case vacant[value] && r != "":
			found = max(found, NotInUse)
		case r == take:
			found = Place
		case r == named:
			found, ifNamed = max(found, Furniture), Place
		case r == skip:
			found = max(found, Furniture)
		}
	}
	if hasName {
		found = max(found, ifNamed)
	}
	if found == Place && notInUse {
		return NotInUse
	}
	return found
}

// vacant has values that mean that the place of the key is not in use: shop=vacant.
var vacant = map[string]bool{
	"no": true, "vacant": true, "disused": true, "abandoned": true, "demolished": true, "closed": true,
	"proposed": true, "construction": true,
}
