package regionfile

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// What sources can have; needs are made of it.
const (
	streets   = "streets"
	paths     = "paths"
	placesAll = "places"
	parksList = "parks"
	railways  = "railways and aerodromes"
	buildings = "buildings"
	land      = "land use"
	lanes     = "cycle lanes"
	lines     = "lines of public transport"
	timetable = "timetable"
	heights   = "heights"
	cover     = "land cover"
	counts    = "traffic counts"
	heritage  = "heritage"
	schoolIDs = "schools"
	outlines  = "catchments"
	tables    = "census tables"
	zones     = "outlines of small areas"
	blocks    = "census blocks"
	values    = "home values"
	listings  = "listings"
	names     = "further names"
	brands    = "brands"
	daycares  = "daycares"
)

// ofKind is what a source of a kind has, whatever its options.
var ofKind = map[string][]string{
	"acs": {tables}, "census-profile": {tables}, "blocks": {blocks}, "zones": {zones}, "brands": {brands}, "catchments": {outlines},
	"cycling-network": {lanes}, "elevation": {heights}, "gazetteer": {names}, "gtfs": {timetable}, "heritage": {heritage},
	"home-values": {values}, "land-cover": {cover}, "nces": {schoolIDs}, "odef": {schoolIDs}, "schools": {schoolIDs},
	"overpass": {placesAll}, "overture": {placesAll}, "roads": {streets}, "reso": {listings}, "traffic-counts": {counts},
	"transit-lines": {lines}, "corrections": {"corrections"}, "water": {"water"}, "school-ratings": {"ratings of schools"},
	"osm":    {streets, paths, placesAll, parksList, railways, buildings, land, lanes, lines},
	"ground": {"the ground of the map"},
}

// chosen are the options on which it depends what a source has.
type chosen struct {
	Layout   string    `yaml:"layout"`
	Level    int       `yaml:"level"`
	Category yaml.Node `yaml:"category"`

	Boundaries *bool     `yaml:"boundaries"`
	POIs       *bool     `yaml:"pois"`
	Streets    *bool     `yaml:"streets"`
	Transit    *bool     `yaml:"transit"`
	Features   yaml.Node `yaml:"features"`
}

// levelOfLayout is the level of the layouts of boundaries.
var levelOfLayout = map[string]int{
	"tiger-state": 60, "tiger-county": 37, "tiger-cousub": 35, "tiger-place": 30, "tiger-zcta": 32, "tiger-cbsa": 40, "tiger-tract": 10,
	"tiger-bg": 10, "statcan-pr": 60, "statcan-cd": 37, "statcan-csd": 30, "statcan-cma": 40, "statcan-ct": 10, "statcan-da": 10,
	"statcan-fsa": 32,
}

// level is the name of a level of geographies among what sources have.
func level(n int) string { return fmt.Sprintf("level %d", n) }

// has is what a source of a kind with options has.
func has(kind string, options *yaml.Node) []string {
	var o chosen
	if !options.IsZero() && options.Decode(&o) != nil {
		o = chosen{} // Check of the kind says what is wrong
	}
	switch kind {
	case "boundaries":
		n := o.Level
		if n == 0 {
			n = levelOfLayout[o.Layout]
		}
		if n == 0 {
			return []string{level(10), level(30), level(37), level(60)}
		}
		return []string{level(n)}
	case "places":
		return ofCategory(&o.Category)
	case "osm":
		return ofMap(&o)
	}
	return ofKind[kind]
}

// ofMap is what an extract has of which parts are read.
func ofMap(o *chosen) []string {
	left := slices.Clone(ofKind["osm"])
	drop := func(what ...string) {
		left = slices.DeleteFunc(left, func(has string) bool { return slices.Contains(what, has) })
	}
	off := func(flag *bool) bool { return flag != nil && !*flag }
	if off(o.POIs) {
		drop(placesAll)
	}
	if off(o.Streets) {
		drop(streets, paths, lanes)
	}
	if off(o.Transit) {
		drop(lines)
	}
	if o.Features.Value == "false" {
		drop(parksList, railways, buildings, land)
	}
	if !off(o.Boundaries) {
		left = append(left, level(30), level(37))
	}
	return left
}

// ofCategory is what a list of places of some categories has.
func ofCategory(node *yaml.Node) []string {
	var list []string
	for _, n := range append(slices.Clone(node.Content), node) {
		switch n.Value {
		case "":
		case "parks", "daycares":
			list = append(list, n.Value)
		default:
			list = append(list, "places of "+n.Value)
		}
	}
	if list == nil {
		return []string{placesAll}
	}
	return list
}

// givesText is what a source has, in words.
func givesText(has []string) string {
	return strings.Join(has, ", ")
}
