package osm

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"quartier/ingest/osm/element"
)

//go:embed places.csv
var placesCSV string

// rule says whether a tag makes an element a place that somebody may want to go to.
type rule string

const (
	take  rule = "take"
	named rule = "named" // only where the element has a name
	skip  rule = "skip"
)

// placeTable holds the rule of each key's values; "*" stands for those not listed.
type placeTable map[string]map[string]rule

func newPlaceTable() (placeTable, error) {
	rows, err := csv.NewReader(strings.NewReader(placesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("places.csv: %w", err)
	}
	table := placeTable{}
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

// verdict is what became of an element.
type verdict int

const (
	noPlace   verdict = iota // no tag claims that it is one
	furniture                // a bench or the like
	lifeless                 // disused, abandoned, vacant
	place
)

// judge looks at the tags of an element.
func (t placeTable) judge(tags element.Tags) verdict {
	found, hasName, gone := noPlace, false, false
	wants := noPlace // what it becomes with a name
	for key, value := range tags.All() {
		switch {
		case key == "name":
			hasName = value != ""
		case value == "yes" && lifecycle[key]:
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
			found = max(found, lifeless)
		case r == take:
			found = place
		case r == named:
			found, wants = max(found, furniture), place
		case r == skip:
			found = max(found, furniture)
		}
	}
	if hasName {
		found = max(found, wants)
	}
	if found == place && gone {
		return lifeless
	}
	return found
}

// lifecycle are keys that say, with yes, that the rest of the tags no longer or not yet holds.
var lifecycle = map[string]bool{
	"disused": true, "abandoned": true, "demolished": true, "removed": true, "razed": true, "ruined": true,
	"closed": true, "proposed": true, "construction": true,
}

// vacant are values that say so of their own key.
var vacant = map[string]bool{
	"no": true, "vacant": true, "disused": true, "abandoned": true, "demolished": true, "closed": true,
	"proposed": true, "construction": true,
}
