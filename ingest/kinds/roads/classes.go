package roads

import (
	_ "embed"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// rule says who may use a class of street where the publisher has no other information.
type rule struct {
	foot, bicycle bool
	car           string
}

// rules has a rule for each of schemas.StreetClasses: the rows of access.tsv, class, foot, bicycle and car.
var rules = map[string]rule{}

//go:embed access.tsv
var accessText string

func init() {
	for class, row := range parseRows(accessText) {
		rules[class] = rule{row[0] == "yes", row[1] == "yes", row[2]}
	}
}

// setClass sets the class of a street and who may use it.
func setClass(row *source.Street, class string) {
	r := rules[class]
	row.Class, row.Foot, row.Bicycle, row.Car = class, r.foot, r.bicycle, r.car
}

// classification is how a layout or the options classify a feature.
type classification struct {
	class   string // of schemas.StreetClasses; "": not known, or determined by follows
	follows inheritRule
	bridge  bool
	skip    reason.Reason // why it is not staged
	repair  reason.Reason // why its class is an assumption
}

// inheritRule says how the class of a feature depends on the streets that it connects to.
type inheritRule int

const (
	nothing inheritRule = iota
	highway             // a connector: a motorway ramp where it leads to a highway, otherwise a tertiary link
	road                // a bridge or tunnel: the class of the road that continues at its ends
)
