package roads

import (
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// rule is who may move along a class of street where the publisher does not say more.
type rule struct {
	foot, bicycle bool
	car           string
}

var (
	everybody = rule{true, true, "both"}
	carsOnly  = rule{false, false, "both"}
	noCars    = rule{true, true, "no"}
	walkers   = rule{true, false, "no"}
)

// rules are those of schemas.StreetClasses.
var rules = map[string]rule{
	"motorway": carsOnly, "motorway_link": carsOnly, "trunk": carsOnly, "trunk_link": carsOnly,
	"primary": everybody, "primary_link": everybody, "secondary": everybody, "secondary_link": everybody,
	"tertiary": everybody, "tertiary_link": everybody, "unclassified": everybody, "residential": everybody,
	"living_street": everybody, "service": everybody, "driveway": everybody, "parking_aisle": everybody, "alley": everybody,
	"track": everybody, "pedestrian": walkers, "footway": walkers, "sidewalk": walkers, "crossing": walkers, "steps": walkers,
	"path": noCars, "cycleway": noCars, "bridleway": noCars,
}

// setClass gives a street a class and its rules.
func setClass(row *source.Street, class string) {
	r := rules[class]
	row.Class, row.Foot, row.Bicycle, row.Car = class, r.foot, r.bicycle, r.car
}

// verdict is what a layout says of a feature.
type verdict struct {
	class   string // of schemas.StreetClasses; "": not known, or told by what it follows
	follows follow
	bridge  bool
	skip    reason.Reason // why it is not staged
	repair  reason.Reason // why its class is an assumption
}

// follow says that the class of a feature is told by the streets that it meets.
type follow int

const (
	nothing follow = iota
	highway        // a connector: a motorway's ramp where it leads to one, else a link in a town
	road           // a bridge or tunnel: whatever goes on at its ends
)
