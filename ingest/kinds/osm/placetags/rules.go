// Package place says which objects of OpenStreetMap are places that somebody may want to go to, and makes their rows.
// In go an object's tags; out come a verdict by the rules of places.csv, and a row of staged.poi. It is one for
// extracts and for what Overpass answers, so that an object is the same place wherever it is read.
package placetags

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"quartier/ingest/formats/element"
)

//go:embed places.csv
var placesCSV string

// rule says whether a tag makes an object a place that somebody may want to go to.
type rule string

const (
	take  rule = "take"
	named rule = "named" // only where the object has a name
	skip  rule = "skip"
)

// Rules holds the rule of each key's values; "*" stands for those not listed.
type Rules map[string]map[string]rule

// NewRules reads the rules that are built in.
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

// Verdict is what an object is by its tags.
type Verdict int

// Verdicts. Of what several tags say the last one here holds, save that an object as a whole may be Gone.
const (
	None      Verdict = iota // no tag claims that it is a place
	Furniture                // a bench or the like
	Gone                     // disused, abandoned, vacant, or not yet there
	Place                    // one to stage
)

// Reason says why an object is not staged, as issues do; "" for a place.
func (v Verdict) Reason() string {
	switch v {
	case None:
		return "no tag of a place"
	case Furniture:
		return "street furniture or the like"
	case Gone:
		return "disused or not yet there"
	}
	return ""
}

// Judge looks at the tags of an object.
func (t Rules) Judge(tags element.Tags) Verdict {
	found, hasName, gone := None, false, false
	wants := None // what it becomes with a name
	for key, value := range tags.All() {
		switch {
		case key == "name":
			hasName = value != ""
		case element.Gone(key, value):
			gone = true
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
			found = max(found, Gone)
		case r == take:
			found = Place
		case r == named:
			found, wants = max(found, Furniture), Place
		case r == skip:
			found = max(found, Furniture)
		}
	}
	if hasName {
		found = max(found, wants)
	}
	if found == Place && gone {
		return Gone
	}
	return found
}

// vacant are values that say so of their own key.
var vacant = map[string]bool{
	"no": true, "vacant": true, "disused": true, "abandoned": true, "demolished": true, "closed": true,
	"proposed": true, "construction": true,
}
